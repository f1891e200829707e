"""The reject report: which rows were left out and why, as JSON lines or as a table that no spreadsheet executes."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import TextIO

from index.ingest.problem import Reject

COLUMNS = ("file", "row", "field", "value", "reason")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class RejectReport:
    """A report written row by row; a name that ends in .csv makes a table, any other JSON lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self._file: TextIO | None = None

    def __enter__(self) -> RejectReport:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("w", encoding="utf-8", newline="")
        if self._is_table():
            csv.writer(self._file).writerow(COLUMNS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, file: str, reject: Reject) -> None:
        """Writes one reject of `file`."""
        if self._file is None:
            raise ValueError("the report is not open")
        self.count += 1
        entry = {"file": file, **asdict(reject)}
        if self._is_table():
            csv.writer(self._file).writerow([harmless(str(entry[column])) for column in COLUMNS])
        else:
            self._file.write(json.dumps(entry, ensure_ascii=False) + "\n")

    def _is_table(self) -> bool:
        return self.path.suffix.lower() == ".csv"


def harmless(text: str) -> str:
    """A cell that a spreadsheet shows and does not run: what could begin a formula gets an apostrophe before it."""
    return f"'{text}" if text.startswith(_FORMULA) else text
