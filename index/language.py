"""Which script a character belongs to, and which language a short text is in.

Scripts decide where they can (Han, Kana, Hangul, Thai …); among Latin-script languages a published identifier
votes, and a weak vote means English, the language most of the corpus is in.
"""

from __future__ import annotations

from functools import lru_cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

DEFAULT_LANGUAGE = "en"
# The Latin-script languages we have stemmers or documents for; the identifier chooses among them only.
_LATIN = ("en", "de", "es", "fr", "it", "pt", "nl", "sv", "pl", "vi", "tr", "id")
# Measured on short queries: under this the identifier is guessing from names ("tata capital", "osis portal").
_SURE = 0.60

_HAN = "han"
_RANGES: tuple[tuple[int, int, str], ...] = (
    (0x3040, 0x30FF, "kana"),
    (0x31F0, 0x31FF, "kana"),
    (0x3400, 0x4DBF, _HAN),
    (0x4E00, 0x9FFF, _HAN),
    (0xF900, 0xFAFF, _HAN),
    (0x20000, 0x323AF, _HAN),
    (0x1100, 0x11FF, "hangul"),
    (0x3130, 0x318F, "hangul"),
    (0xAC00, 0xD7AF, "hangul"),
    (0x0E00, 0x0E7F, "thai"),
    (0x0900, 0x097F, "devanagari"),
    (0x0980, 0x09FF, "bengali"),
    (0x0400, 0x052F, "cyrillic"),
    (0x0600, 0x06FF, "arabic"),
)
_FIRST_OTHER = "\u0400"
_SCRIPT_LANGUAGE = {
    "hangul": "ko",
    "thai": "th",
    "devanagari": "hi",
    "bengali": "bn",
    "cyrillic": "ru",
    "arabic": "ar",
}


def script(character: str) -> str:
    """The script of one character: "han", "kana", "hangul", "thai", …, or "latin" for everything else."""
    if character < _FIRST_OTHER:
        return "latin"
    point = ord(character)
    for start, end, name in _RANGES:
        if start <= point <= end:
            return name
    return "latin"


def detect(text: str) -> str:
    """The primary language tag of `text` ("en", "zh", "ja", "ko", "de", …); "en" when nothing speaks for another.

    A text with a few characters of a non-Latin script counts as that language even beside Latin words:
    "CSC奖学金 2026" is Chinese.
    """
    if max(text, default="") < _FIRST_OTHER:
        return _detect_latin(text)
    counts: dict[str, int] = {}
    for character in text:
        if character.isalpha():
            name = script(character)
            counts[name] = counts.get(name, 0) + 1
    if counts.get("kana"):
        return "ja"
    for name, language in _SCRIPT_LANGUAGE.items():
        if counts.get(name, 0) >= 2 and counts[name] >= counts.get(_HAN, 0):
            return language
    if counts.get(_HAN):
        return "zh"
    return _detect_latin(text)


@lru_cache(maxsize=4096)
def _detect_latin(text: str) -> str:
    if not any(character.isalpha() for character in text):
        return DEFAULT_LANGUAGE
    language, confidence = _identifier().classify(text)
    return str(language) if confidence >= _SURE else DEFAULT_LANGUAGE


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(_LATIN))
    return identifier
