"""When two fields of study match: ISCED-F codes by prefix, free text as contained words."""

from __future__ import annotations

import re

from index.language import script

_CODE = re.compile(r"\d{2,4}")
# Scripts written without spaces, or with particles joined to the word: there a word has no edge to look for.
_UNSPACED = frozenset({"han", "kana", "hangul", "thai"})


def is_code(field: str) -> bool:
    """Whether `field` is an ISCED-F 2013 code: two digits (broad), three (narrow) or four (detailed)."""
    return _CODE.fullmatch(field) is not None


def covers(wanted: str, stated: str) -> bool:
    """Whether a stated field lies within the wanted one; both folded.

    "07" covers "0715"; "computer" covers "computer science" but not "microcomputers".
    """
    if is_code(wanted):
        return is_code(stated) and stated.startswith(wanted)
    return wanted in stated and (_is_unspaced(wanted) or _as_words(wanted, stated))


def _is_unspaced(text: str) -> bool:
    return any(script(character) in _UNSPACED for character in text if not character.isascii())


def _as_words(wanted: str, stated: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", stated) is not None
