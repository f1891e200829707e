"""Fields of study by ISCED-F 2013 code, where the words leave no doubt; other words stay words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from index.fieldwords import SYNONYMS

_EVERYTHING = frozenset(
    (
        "unrestricted",
        "any",
        "all",
        "all fields",
        "all subjects",
        "todas",
        "todos",
        "alle",
        "不限",
        "전공 무관",
        "any field",
    )
)


def read_fields(items: Iterable[str]) -> tuple[str, ...] | None:
    """Codes and words of a list of fields; None when it names none or says that any will do."""
    found: dict[str, None] = {}
    for item in items:
        plain = " ".join(item.casefold().strip(" .…").split())
        if not plain or plain in _EVERYTHING:
            continue
        found[SYNONYMS.get(plain) or item.strip(" .…")] = None
    return tuple(found) or None


def split_fields(text: str) -> list[str]:
    """The items of a cell; a comma or "and" inside a known name does not cut it."""
    text = re.sub(r"\.\.\.\s*$", "", text)
    parts: list[str] = []
    for part in re.split(r"\s*[;,|、/]\s*(?![^(]*\))", text) if text.casefold() not in SYNONYMS else [text]:
        halves = re.split(r" and ", part) if part.casefold() not in SYNONYMS else [part]
        parts.extend(halves if all(half.casefold().strip() in SYNONYMS for half in halves) else [part])
    return [part.strip() for part in parts if part.strip()]


def is_field(text: str) -> bool:
    """Whether a cell is a list of fields of study, by its first item."""
    items = split_fields(text)
    return bool(items) and (items[0].casefold() in SYNONYMS or items[0].casefold() in _EVERYTHING)
