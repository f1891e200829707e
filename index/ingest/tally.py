"""How many hand-checked facts ingest gets right: the sheet of facts of a folder of sample files, counted per file."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from index.ingest.assemble import Reading
from index.ingest.mapping import ColumnMap
from index.ingest.reading import read_file
from index.record import to_record

_STEP = re.compile(r"(\w+)(?:\[(\d+)\])?")


@dataclass(slots=True)
class Tally:
    """Facts of one file by kind of check: how many passed, how many there are, and what went wrong."""

    passed: Counter[str] = field(default_factory=Counter)
    checked: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Counts another file into this one."""
        self.passed += other.passed
        self.checked += other.checked
        self.wrong += other.wrong


def tally_file(path: Path, facts: list[dict[str, object]], by: ColumnMap | None = None) -> Tally:
    """The facts of one file against what ingest reads in it."""
    records: dict[str, Mapping[str, object]] = {}
    for item in read_file(path, by=by):
        if isinstance(item, Reading):
            records[item.row] = to_record(item.document)
    made = Tally()
    for fact in facts:
        kind, where = str(fact["kind"]), f"{path.name} {fact['row']} {fact['field']}"
        found = _get(records.get(str(fact["row"]), {}), str(fact["field"]))
        made.checked[kind] += 1
        if _passes(kind, fact["expected"], found):
            made.passed[kind] += 1
        else:
            made.wrong.append(f"{where}: {kind} {fact['expected']!r}, read {found!r}")
    return made


def read_facts(path: Path) -> dict[str, list[dict[str, object]]]:
    """File name → its facts, of a sheet with one JSON object a line."""
    found: dict[str, list[dict[str, object]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        fact = json.loads(line)
        found.setdefault(fact["file"], []).append(fact)
    return found


def _passes(kind: str, expected: object, found: object) -> bool:
    nothing = found is None or found == []
    if kind == "must_be_null":
        return nothing
    return _same(expected, found) or (kind == "may_equal_or_null" and (nothing or found == "unknown"))


def _same(expected: object, found: object) -> bool:
    if isinstance(expected, list) and isinstance(found, list):
        return set(expected) == set(found)
    return expected == found


def _get(record: Mapping[str, object], path: str) -> object:
    value: object = record
    for name, at in _STEP.findall(path):
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
        if at:
            value = value[int(at)] if isinstance(value, list) and int(at) < len(value) else None
    return value
