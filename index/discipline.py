"""When two fields of study match: ISCED-F codes by prefix, free text as contained words, one with the other by name."""

from __future__ import annotations

import re

from index.fieldname import field_name
from index.fieldwords import meant_by, named_in
from index.language import script

_CODE = re.compile(r"\d{2,4}")
# Scripts written without spaces, or with particles joined to the word: there a word has no edge to look for.
_UNSPACED = frozenset({"han", "kana", "hangul", "thai"})


def is_code(field: str) -> bool:
    """Whether `field` is an ISCED-F 2013 code: two digits (broad), three (narrow) or four (detailed)."""
    return _CODE.fullmatch(field) is not None


def covers(wanted: str, stated: str) -> bool:
    """Whether a stated field lies within the wanted one; both folded.

    "07" covers "0715"; "computer" covers "computer science" but not "microcomputers". Names and codes meet: "07"
    covers "mechanical engineering", "engineering" and "ingenieurwissenschaften" cover "0715".
    """
    if is_code(wanted):
        codes = (stated,) if is_code(stated) else named_in(stated)
        return any(code.startswith(wanted) for code in codes)
    if is_code(stated):
        within = any(stated.startswith(code) for code in meant_by(wanted))
        return within or _as_words(wanted, field_name(stated))
    return wanted in stated and (_is_unspaced(wanted) or _as_words(wanted, stated))


def _is_unspaced(text: str) -> bool:
    return any(script(character) in _UNSPACED for character in text if not character.isascii())


def _as_words(wanted: str, stated: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", stated) is not None
