"""Titles and providers made clean, and the keys under which two spellings of one name meet."""

from __future__ import annotations

import contextlib
import html
import re
import unicodedata

_YEARS = re.compile(
    r"""[\s(\[（【–—-]*\b(?:AY\s?)?(?:20[0-3]\d)\s?[-–/~]\s?(?:20)?\d\d\b(?:\s?(?:학년도|년도|學年度|cohort))?[)\]）】]?
    |^\s*(?:19|20)\d\d\s?(?:학년도|년도|년|年度|年)?(?:\s?[-–]?\s?[12]\s?학기)?\s+
    |^\s*1[01]\d-[12](?=\D)|^\s*1[01]\d\s?(?:學年度|年度|年)(?:第[一二]學期)?
    |\s*(?:ประจำปี|ปี)(?:งบประมาณ)?\s?(?:พ\.ศ\.)?\s?25\d\d
    |[\s(\[–—:,-]*(?:\b(?:Fall|Spring|Summer|Winter|Autumn|FY|Class of)\s?)?\b20[0-3]\d\s*[)\]]?\s*$
    """,
    re.X | re.I,
)
_INSIDE_YEAR = re.compile(r"\s+(?:for\s+)?(?:the\s+)?\b20[0-3]\d\b(?=\s)")


def tidy(text: str) -> str:
    """Text without entities, mojibake, odd spaces and stray marks; NFC."""
    for _ in range(3):
        text = html.unescape(text)
    if re.search(r"Ã.|â€|Å[\x80-\xbf]", text):
        with contextlib.suppress(UnicodeEncodeError, UnicodeDecodeError):
            text = text.encode("cp1252").decode("utf-8")
    text = unicodedata.normalize("NFC", re.sub(r"&(\w+);", r"&\1", text))  # a stray mark after "R&D"
    text = re.sub(r"[​‌﻿­]", "", text)
    text = re.sub(r"\s+", " ", text).strip()
    return text.strip(" \t,;*•")


def without_years(title: str) -> str:
    """The title without the year or term of one round: the programme outlives its rounds."""
    before = ""
    while before != title:
        before = title
        title = _YEARS.sub(" ", title).strip(" ,;:–—-")
    title = _INSIDE_YEAR.sub("", title)
    title = re.sub(r"\b(Scholarships?) Scholarships?\b", r"\1", title)
    return re.sub(r"\s+", " ", title).strip() or before


def named_year(title: str) -> int | None:
    """The last year a title names, if any."""
    years = [int(year) for year in re.findall(r"\b(20[0-3]\d)\b", title)]
    years += [int(year) + 1911 for year in re.findall(r"^(1[01]\d)\s?(?:學年度|年)", title)]
    return max(years) if years else None


def key(name: str) -> str:
    """The form under which spellings of one name meet: lower case, no accents, no marks, plain words."""
    text = unicodedata.normalize("NFKD", name.casefold())
    text = "".join(char for char in text if not unicodedata.combining(char))
    text = text.replace("&", " and ").replace("ł", "l").replace("ı", "i").replace("ß", "ss")
    text = re.sub(r"['’‘`´]", "", text)
    words = re.findall(r"\w+", unicodedata.normalize("NFC", text))
    drop = {"the", "a", "an"}
    singular = {
        "scholarships": "scholarship",
        "fellowships": "fellowship",
        "awards": "award",
        "grants": "grant",
        "programme": "program",
        "programmes": "program",
        "programs": "program",
        "degrees": "degree",
        "bursaries": "bursary",
        "becas": "beca",
        "scholar": "scholars",
        "masters": "master",
    }
    return " ".join(singular.get(word, word) for word in words if word not in drop)


def provider_key(name: str | None) -> str:
    """Like `key`, for providers: what stands in brackets and legal forms do not count."""
    if not name:
        return ""
    bare = re.sub(r"[(（\[].*?[)）\]]", " ", name)
    words = [word for word in key(bare).split() if word not in {"inc", "ltd", "llc", "plc", "of", "for"}]
    return " ".join(words) or key(name)


def cleaned_provider(name: str | None) -> str | None:
    """The provider's name without the source's labels; None when it is no name."""
    if not name:
        return None
    text = re.sub(r"\s*https?://\S+", "", tidy(name))
    text = re.sub(r"^(?:Fundator|Koordynator|Sponsor|Provider)\s*:\s*", "", text, flags=re.I)
    text = text.rstrip(" »").strip()
    text = re.sub(r"\s*\((?:[^()]*(?:managed|historical|various)[^()]*)\)$", "", text)
    if not text or text.casefold() in {"n/a", "none", "unknown", "-", "various", "not specified", "nan"}:
        return None
    return text


def is_latin(text: str) -> bool:
    """Whether every letter of the text belongs to the Latin script."""
    return all("LATIN" in unicodedata.name(char, "") for char in text if char.isalpha())


def is_chinese(text: str) -> bool:
    """Whether a name is written mostly in Chinese characters and without Japanese or Korean letters."""
    letters = [unicodedata.name(char, "") for char in text if char.isalpha()]
    return sum("CJK" in name for name in letters) * 2 > len(letters) and not any(
        script in name for name in letters for script in ("HIRAGANA", "KATAKANA", "HANGUL")
    )


def slug(text: str, limit: int = 90) -> str:
    """ASCII `[a-z0-9-]` of a Latin name, cut at a word."""
    text = text.replace("ł", "l").replace("Ł", "L").replace("ø", "o").replace("Ø", "O").replace("ß", "ss")
    text = (
        text.replace("ı", "i")
        .replace("æ", "ae")
        .replace("đ", "d")
        .replace("Đ", "D")
        .replace("&", " and ")
        .replace("ð", "d")
    )
    text = re.sub(r"['’‘`´]", "", text)
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    whole = re.sub(r"[^a-z0-9]+", "-", ascii_text).strip("-")
    if len(whole) <= limit:
        return whole
    return whole[: limit + 1].rsplit("-", 1)[0].strip("-")


def tidy_lines(*texts: str | None) -> str:
    """The texts as clean lines; line ends are kept, for rules that read sentence by sentence."""
    lines = [tidy(line) for text in texts if text for line in text.split("\n")]
    return "\n".join(line for line in lines if line)
