"""Records out of the store for other programs: a table, JSON lines, a calendar of deadlines."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Literal, get_args

from icalendar import Calendar, Event

from index.document import Document, Window
from index.record import to_record
from index.sheet import COLUMNS, sheet_row

Format = Literal["csv", "jsonl", "ics"]
FORMATS: tuple[str, ...] = get_args(Format)


def export(documents: Iterable[Document], form: str, file: Path, at: datetime) -> int:
    """How much was written to `file`: records, or for `ics` deadlines. `at` stamps events of undated records."""
    if form == "ics":
        return _write_calendar(documents, file, at)
    with file.open("w", encoding="utf-8-sig" if form == "csv" else "utf-8", newline="") as out:
        return _write_table(documents, out) if form == "csv" else _write_lines(documents, out)


def _write_lines(documents: Iterable[Document], out: IO[str]) -> int:
    count = 0
    for count, document in enumerate(documents, start=1):  # noqa: B007 - the count is the answer
        out.write(json.dumps(to_record(document), ensure_ascii=False) + "\n")
    return count


def _write_table(documents: Iterable[Document], out: IO[str]) -> int:
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(COLUMNS)
    count = 0
    for count, document in enumerate(documents, start=1):  # noqa: B007
        table.writerow(sheet_row(document))
    return count


def _write_calendar(documents: Iterable[Document], file: Path, at: datetime) -> int:
    calendar = Calendar()
    calendar.add("prodid", "-//ScholarSearch//deadlines//EN")
    calendar.add("version", "2.0")
    count = 0
    for document in documents:
        seen = set()
        for window in document.windows:
            # A day without a year is no date: nothing is put into anybody's calendar that nobody stated.
            if window.deadline_on is not None and window.deadline_on not in seen:
                seen.add(window.deadline_on)
                calendar.add_component(_event(document, window, at))
                count += 1
    file.write_bytes(calendar.to_ical())
    return count


def _event(document: Document, window: Window, at: datetime) -> Event:
    event = Event()
    day = window.deadline_on
    if day is None:
        raise ValueError("a window without a deadline is no event")
    event.add("uid", f"{document.doc_id}.{day}@scholarsearch")
    event.add("dtstamp", (document.updated_at or at).astimezone(UTC))
    event.add("summary", f"Deadline: {document.title}")
    event.add("dtstart", day)
    event.add("dtend", day + timedelta(days=1))
    event.add("transp", "TRANSPARENT")
    ends = f"Ends at {window.time or 'the end of the day'}, {window.zone or 'zone not stated'}."
    event.add("description", "\n".join(filter(None, (document.provider, ends, document.url))))
    if document.url is not None:
        event.add("url", document.url)
    return event
