"""Records of a run as JSON Lines that survive a break: what came after the step one resumes from is cut off again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path


class Journal:
    """An open file of lines that each have a `step`; every line is handed to the system as it is written."""

    def __init__(self, path: Path, from_step: int) -> None:
        """Keeps the lines of `path` of steps before `from_step`, up to the first that is not whole."""
        kept = [line for _, line in _whole(path, from_step)]
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._file.writelines(kept)
        self._file.flush()

    def write(self, line: str) -> None:
        """Adds one line, with its line end."""
        self._file.write(line)
        self._file.flush()

    def record(self, fields: Mapping[str, object]) -> None:
        """Adds `fields` as one line."""
        self.write(json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n")

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def records(path: Path) -> list[dict[str, object]]:
    """Every whole line of a journal, as what it says; none when there is no file."""
    return [fields for fields, _ in _whole(path, None)]


def _whole(path: Path, before_step: int | None) -> Iterator[tuple[dict[str, object], str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return
    for line in text.splitlines(keepends=True):
        # A process that was killed may have left half a line.
        if not line.endswith("\n"):
            return
        fields = json.loads(line)
        if before_step is not None and fields["step"] >= before_step:
            return
        yield fields, line
