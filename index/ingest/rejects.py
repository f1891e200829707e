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
    """A report written row by row, and no file without a row; .csv makes a table, any other name JSON lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self._file: TextIO | None = None
        self._open = False

    def __enter__(self) -> RejectReport:
        # A report of an earlier run would be taken for this one's.
        self.path.unlink(missing_ok=True)
        self._open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open = False
        if self._file is not None:
            self._file.close()
            self._file = None

    def add(self, file: str, reject: Reject) -> None:
        """Writes one reject of `file`."""
        if not self._open:
            raise ValueError("the report is not open")
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("w", encoding="utf-8", newline="")
            if self._is_table():
                csv.writer(self._file).writerow(COLUMNS)
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
