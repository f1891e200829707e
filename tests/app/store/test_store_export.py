"""Exports, read back by other programs' eyes: a CSV reader, a JSON reader, a calendar reader."""

from __future__ import annotations

import csv
import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from icalendar import Calendar

from app.store.export import export
from index.document import Document, Window
from index.record import parse_record

AT = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)


def test_json_lines_are_the_records(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    assert export(twelve, "jsonl", file, AT) == 12
    lines = file.read_text(encoding="utf-8").splitlines()
    assert tuple(parse_record(json.loads(line)) for line in lines) == twelve


def test_the_table_has_a_row_for_each_record(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    assert export(twelve, "csv", file, AT) == 12
    with file.open(encoding="utf-8-sig", newline="") as text:
        rows = list(csv.DictReader(text))
    assert [row["id"] for row in rows] == [document.doc_id for document in twelve]
    assert rows[1]["eligible_nationalities"] == "ID; KZ; PK"
    assert rows[0]["amount_max"] == "32000"
    assert rows[6]["eligible_nationalities"] == ""


@pytest.mark.parametrize(
    "title", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1", "＝1", '=HYPERLINK("http://x")']
)
def test_no_cell_of_the_table_is_a_formula(title: str, tmp_path: Path) -> None:
    document = Document("a", title, provider=title, aliases=(title,), windows=(Window(text=title),))
    export([document], "csv", tmp_path / "x.csv", AT)
    with (tmp_path / "x.csv").open(encoding="utf-8-sig", newline="") as text:
        [row] = csv.DictReader(text)
    assert row["title"] == f"'{title}"
    assert not any(cell.strip(" ").startswith(tuple("=+-@\t\r＝")) for cell in row.values())


def test_the_calendar_holds_the_stated_deadlines(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    file = tmp_path / "x.ics"
    stated = [
        (window.deadline_on, document)
        for document in twelve
        for window in document.windows
        if window.deadline_on
    ]
    assert export(twelve, "ics", file, AT) == len(stated) == 10
    events = Calendar.from_ical(file.read_bytes()).walk("VEVENT")
    assert [event.decoded("dtstart") for event in events] == [day for day, _ in stated]
    assert [str(event["summary"]) for event in events] == [f"Deadline: {one.title}" for _, one in stated]
    assert len({str(event["uid"]) for event in events}) == len(events)
    assert all(isinstance(event.decoded("dtstart"), date) for event in events)
