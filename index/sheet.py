"""A record as one row of a spreadsheet, and back, without loss.

Codes and words stand in cells as people write them, "DE; FR"; what has parts of its own (windows, translations,
remarks) stands there as JSON. A cell that a spreadsheet would run as a formula gets an apostrophe before it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from index.document import Document
from index.errors import RecordError
from index.record import to_record

_TEXTS = (
    "id",
    "title",
    "provider",
    "description",
    "eligibility",
    "programme_id",
    "language",
    "url",
    "source",
)
_LISTS = ("aliases", "host_countries", "eligible_nationalities", "levels", "fields", "coverage")
_AMOUNT = ("min", "max", "currency", "period", "text")
_PARTED = ("windows", "translations", "regions", "doubts")
_ENDS = ("licence", "verified_on", "updated_at")
COLUMNS = (*_TEXTS, *_LISTS, *(f"amount_{part}" for part in _AMOUNT), *_PARTED, *_ENDS)

# A spreadsheet takes a cell that begins so for a formula, and would run it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_BETWEEN = "; "


def sheet_row(document: Document) -> list[object]:
    """The cells of a record in the order of `COLUMNS`: texts, numbers, None."""
    record = to_record(document)
    amount = record["amount"] if isinstance(record["amount"], dict) else {}
    return [
        *(_guarded(record[name]) for name in _TEXTS),
        *(_guarded(_joined(getattr(document, name))) for name in _LISTS),
        *(_guarded(amount.get(part)) for part in _AMOUNT),
        *(_guarded(_written(record[name])) for name in _PARTED),
        *(_guarded(record[name]) for name in _ENDS),
    ]


def is_sheet_row(row: Mapping[str, object]) -> bool:
    """Whether a row of a table is one of `sheet_row`: its windows are JSON, and all its columns are known."""
    windows = row.get("windows")
    named = {"id", "title"} <= row.keys() <= set(COLUMNS)
    return named and isinstance(windows, str) and windows[:1] == "[" and windows[-1:] == "]"


def sheet_record(row: Mapping[str, object]) -> dict[str, object]:
    """The record of a row of `sheet_row`, for `parse_record`. Raises RecordError for a cell that is damaged."""
    told = {name: _bare(str(value)) for name, value in row.items() if value not in (None, "")}
    record: dict[str, object] = {name: told.get(name) for name in (*_TEXTS, *_ENDS)}
    record |= {name: _split(told[name], name) for name in _LISTS if name in told}
    record |= {name: _read(told[name], name) for name in _PARTED if name in told}
    amount: dict[str, object] = {part: told.get(f"amount_{part}") for part in _AMOUNT}
    amount |= {
        part: _number(told[f"amount_{part}"], part) for part in ("min", "max") if f"amount_{part}" in told
    }
    record["amount"] = amount if any(value is not None for value in amount.values()) else None
    return record


def _joined(values: tuple[str, ...] | None) -> str | None:
    if not values:
        return None
    text = _BETWEEN.join(values)
    # A list whose items would be cut elsewhere is written out.
    return text if text[0] != "[" and text.split(_BETWEEN) == list(values) else _json(values)


def _split(text: str, field: str) -> object:
    return _read(text, field) if text[0] == "[" else text.split(_BETWEEN)


def _written(parts: object) -> str | None:
    """The JSON of parts without what they leave open; windows are always written, and show what the table is."""
    if isinstance(parts, list):
        stated = [{key: value for key, value in part.items() if value is not None} for part in parts]
        return _json(stated)
    return _json(parts) if parts else None


def _read(text: str, field: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise RecordError(field, text, f"is not the JSON that an export writes: {error}") from error


def _number(text: str, part: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise RecordError(f"amount.{part}", text, "is no number") from error


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _guarded(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and _would_run(value) else value


def _bare(text: str) -> str:
    return text[1:] if text[0] == "'" and _would_run(text[1:]) else text


def _would_run(text: str) -> bool:
    # Apostrophes are looked through, so that one put before can be told from one that was there.
    return text.lstrip(" \n'").startswith(_FORMULA)
