"""Cells to sound text: mojibake, HTML entities and tags, citation marks and the many words for "nothing"."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from html import unescape

from index.ingest.encoding import repair

# Entities nest where a page was scraped twice: "&amp;quot;" needs two rounds, and nobody has seen four.
_ROUNDS = 3
_TAG = re.compile(
    r"</?(?:a|b|br|div|em|font|h[1-6]|hr|i|img|li|ol|p|small|span|strong|sub|sup"
    r"|table|tbody|td|th|tr|u|ul)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_BREAK = re.compile(r"<(?:br|/p|/li|/div|/tr|/h[1-6])\s*/?>", re.IGNORECASE)
_CITATION = re.compile(r"(?<=\S)(?:\[\d{1,2}\])+")
_BOLD = re.compile(r"\*\*(\S(?:[^*\n]*\S)?)\*\*")
_SPACES = re.compile(r"[ \t\xa0\u2007\u202f\u3000]+")
_SHORT = 200
"""Characters of a cell that may come again; a longer one is prose, and not kept."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK_LINES = re.compile(r"\s*\n\s*\n\s*")
_NOTHING = frozenset(
    [
        "n/a",
        "na",
        "n.a.",
        "none",
        "null",
        "nil",
        "nan",
        "undefined",
        "unknown",
        "tbd",
        "tba",
        "tbc",
        "not-specified",
        "not-available",
        "not-stated",
        "not-applicable",
        "no-information",
        "value-unknown",
        "location-not-available",
        "無",
        "无",
        "不明",
        "未定",
        "없음",
        "미정",
        "해당없음",
        "ไม่ระบุ",
        "ไม่มี",
        "brak",
        "k.a.",
        "keine-angabe",
        "keine-angaben",
        "no-especificado",
        "sin-especificar",
        "no-disponible",
        "no-aplica",
        "okänt",
        "saknas",
    ]
)


def sound(value: str) -> str:
    """`value` without the scars of its journey, in NFC, its words untouched."""
    if value.isascii() and "&" not in value and "<" not in value and "[" not in value and "**" not in value:
        return _tidy(value)
    text = unicodedata.normalize("NFC", repair(value))
    for _ in range(_ROUNDS):
        if "&" not in text or (plain := unescape(text)) == text:
            break
        text = plain
    text = _TAG.sub(" ", _BREAK.sub("\n", text)) if "<" in text else text
    return _tidy(_BOLD.sub(r"\1", _CITATION.sub("", text)))


def stated(value: str) -> str | None:
    """The text of a cell, None when all it says is that there is nothing."""
    return _repeated(value) if len(value) <= _SHORT else _stated(value)


def _stated(value: str) -> str | None:
    text = sound(value)
    plain = text.strip(" .-–—/*?#")
    if len(plain) > _SHORT:
        return text
    words = "-".join(plain.casefold().split())
    return None if not words or words in _NOTHING else text


_repeated = lru_cache(maxsize=4096)(_stated)


def _tidy(text: str) -> str:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", "")
    if not text.isascii():
        text = _SURROGATE.sub("", _SPACES.sub(" ", text))
    elif "  " in text or "\t" in text:
        text = _SPACES.sub(" ", text)
    if text.count("\n") > 1:
        text = _BLANK_LINES.sub("\n\n", text)
    return text.strip(" \n\ufeff\u200b")
