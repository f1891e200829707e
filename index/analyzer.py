"""Text → terms. The same function for documents and queries, fingerprinted because the index depends on it.

Latin words: NFKC, case and diacritics folded, stop words dropped, Snowball stem of the text's language.
Han: traditional folded to simplified, then character bigrams plus the dictionary words of jieba that are longer
than two characters. Kana, Hangul, Thai: character bigrams. A run ends where the script changes, so "CSC奖学金2026"
gives `csc`, the Han terms, and `2026`.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from itertools import groupby
from typing import TYPE_CHECKING

import bm25s.stopwords
import opencc_purepy
import Stemmer

from index.language import DEFAULT_LANGUAGE, detect, script

if TYPE_CHECKING:
    import jieba

# Raise when any rule below changes: an index made by other rules must not be searched with these.
_VERSION = "3"
_ALGORITHMS = {
    "en": "english",
    "de": "german",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
    "sv": "swedish",
    "pl": "polish",
    "tr": "turkish",
}
_STOPWORDS = {
    "en": bm25s.stopwords.STOPWORDS_EN,
    "de": bm25s.stopwords.STOPWORDS_GERMAN,
    "es": bm25s.stopwords.STOPWORDS_SPANISH,
    "fr": bm25s.stopwords.STOPWORDS_FRENCH,
    "it": bm25s.stopwords.STOPWORDS_ITALIAN,
    "nl": bm25s.stopwords.STOPWORDS_DUTCH,
    "pt": bm25s.stopwords.STOPWORDS_PORTUGUESE,
    "sv": bm25s.stopwords.STOPWORDS_SWEDISH,
}
_BIGRAM_SCRIPTS = frozenset({"han", "kana", "hangul", "thai"})
# An apostrophe inside a word belongs to it ("master's"); any other mark ends the word. Indic and Thai vowel signs
# are marks to Unicode but letters to a reader, so they are named.
_LETTER = r"(?:[^\W_]|[\u0900-\u0DFF\u0E00-\u0E7F])"
_WORD = re.compile(rf"{_LETTER}+(?:['’]{_LETTER}+)*")
_DOTTED = re.compile(r"\b(?:[a-z]\.){2,}")
_POSSESSIVE = re.compile(r"['’]s?$|['’]")


def normalise(text: str) -> str:
    """`text` in NFKC with surrounding and repeated white space removed; case is kept."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def fold(text: str) -> str:
    """`text` for comparison: NFKC, case-folded, Latin diacritics removed, traditional Han made simplified."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return folded
    if any(script(character) == "han" for character in folded):
        folded = _to_simplified(folded)
    decomposed = unicodedata.normalize("NFD", folded)
    kept = "".join(c for c in decomposed if not unicodedata.combining(c) or script(c) != "latin")
    return unicodedata.normalize("NFC", kept)


def analyze(text: str, language: str | None = None) -> list[str]:
    """The terms of `text`, in order, with repetitions. `language` (a primary tag) is detected when None."""
    language = language or detect(text)
    tongue = (
        language if language in _ALGORITHMS else DEFAULT_LANGUAGE
    )  # Latin words inside Chinese are mostly English
    terms: list[str] = []
    undotted = _DOTTED.sub(lambda match: match[0].replace(".", ""), fold(text))  # "n.s.f." is one acronym
    for word in _WORD.findall(undotted):
        for name, characters in groupby(word, key=_run_kind):
            run = "".join(characters)
            if name in _BIGRAM_SCRIPTS:
                terms.extend(_bigrams(run))
                if name == "han":
                    terms.extend(w for w in _segmenter().cut(run) if len(w) > 2)
            else:
                terms.extend(_stem(run, tongue))
    return terms


def fingerprint() -> str:
    """A short hash of every rule and library version that changes a term."""
    parts = [_VERSION, Stemmer.version(), version("jieba"), sorted(_ALGORITHMS.items())]
    return f"analyzer-{sha256(repr(parts).encode()).hexdigest()[:12]}"


def _run_kind(character: str) -> str:
    name = script(character)
    return name if name in _BIGRAM_SCRIPTS else "word"


def _bigrams(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]


@lru_cache(maxsize=262_144)
def _stem(word: str, language: str) -> tuple[str, ...]:
    word = _POSSESSIVE.sub("", word)
    if not word or word in _stopwords(language):
        return ()
    stemmer = _stemmer(language)
    return (stemmer.stemWord(word),) if stemmer else (word,)


@lru_cache(maxsize=32)
def _stopwords(language: str) -> frozenset[str]:
    return frozenset(fold(word) for word in _STOPWORDS.get(language, ()))


@lru_cache(maxsize=32)
def _stemmer(language: str) -> Stemmer.Stemmer | None:
    algorithm = _ALGORITHMS.get(language)
    return Stemmer.Stemmer(algorithm) if algorithm else None


@lru_cache(maxsize=1)
def _segmenter() -> jieba.Tokenizer:
    import jieba  # here: it takes half a second, and most of what imports this module segments nothing

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    tokenizer.initialize()
    return tokenizer


@lru_cache(maxsize=1)
def _converter() -> opencc_purepy.OpenCC:
    return opencc_purepy.OpenCC("t2s")


def _to_simplified(text: str) -> str:
    simplified: str = _converter().convert(text)
    return simplified
