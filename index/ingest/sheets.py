"""Rows of a workbook: the first sheet that holds any. Dates come as dates, bare serial numbers as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path

from index.ingest.problem import Reject, UnreadableFile
from index.ingest.tables import named_rows


def read(path: Path, header: bool | None) -> Iterator[tuple[str, Mapping[str, object]] | Reject]:
    """The rows of a workbook, numbered from 1 after the heading. Raises UnreadableFile."""
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        with path.open("rb") as file, CalamineWorkbook.from_filelike(file) as workbook:
            for name in workbook.sheet_names:
                sheet = workbook.get_sheet_by_name(name)
                if sheet.height:
                    yield from named_rows((_row(cells) for cells in sheet.iter_rows()), header)
                    return
    except CalamineError as error:
        raise UnreadableFile(f"{path.name}: is no workbook that can be read ({error})") from error


def _row(cells: Sequence[object]) -> Sequence[object]:
    return [_cell(cell) for cell in cells]


def _cell(cell: object) -> object:
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()
    if isinstance(cell, datetime | date | time):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell
