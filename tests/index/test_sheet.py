"""A record through a table and back: as a row, and as a file that ingest reads."""

from __future__ import annotations

import csv
import tempfile
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.store.export import export
from index.document import Amount, Document, Doubt, RegionRule, Translation, Window
from index.ingest.assemble import Reading
from index.ingest.reading import read_file
from index.record import parse_record, to_record

AT = datetime(2026, 10, 1, tzinfo=UTC)
# What spreadsheets, CSV readers and lists of lists trip over, beside letters of several scripts.
TEXT = st.text(alphabet=st.sampled_from("ab1é獎한'\"=+-@,;| \n\t[]{}&<"), min_size=1, max_size=24).map(
    lambda text: f"{text}x"
)
MAYBE = st.none() | TEXT
DAYS = st.dates(date(2015, 1, 1), date(2030, 1, 1))
WINDOWS = st.builds(Window, deadline_on=DAYS, kind=st.just("fixed"), cycle=MAYBE, text=MAYBE) | st.builds(
    Window, month_day=st.just("--02-29"), kind=st.just("recurring"), zone=st.just("AoE"), text=MAYBE
)
DOCUMENTS = st.builds(
    Document,
    doc_id=st.from_regex(r"[A-Za-z0-9._:-]{1,20}", fullmatch=True),
    title=TEXT,
    aliases=st.lists(TEXT, max_size=3).map(tuple),
    provider=MAYBE,
    description=MAYBE,
    eligibility=MAYBE,
    host_countries=st.none() | st.just(("DE", "FR")),
    eligible_nationalities=st.none() | st.just(("any",)),
    fields=st.none() | st.lists(TEXT, min_size=1, max_size=3).map(tuple),
    amount=st.none()
    | st.builds(
        Amount,
        min=st.none() | st.floats(0.01, 1e9),
        currency=st.just("EUR"),
        period=st.just("year"),
        text=MAYBE,
    ),
    windows=st.lists(WINDOWS, max_size=3).map(tuple),
    translations=st.just({}) | st.builds(lambda title: {"de": Translation(title)}, TEXT),
    url=st.none() | st.just("https://a.example/?a=1&b=2"),
    verified_on=st.none() | DAYS,
    updated_at=st.none() | st.just(AT),
    regions=st.just(())
    | st.builds(lambda on, text: (RegionRule("host_countries", "eu", on, text),), DAYS, MAYBE),
    doubts=st.just(()) | st.builds(lambda text: (Doubt("amount", text, "two ways"),), MAYBE),
)


def proper(document: Document) -> Document:
    """The document as a record can hold it: texts trimmed, lists without repeats."""
    return parse_record(to_record(document))


@given(st.lists(DOCUMENTS.map(proper), min_size=1, max_size=4, unique_by=lambda one: one.doc_id))
def test_an_exported_table_is_read_back_record_for_record(documents: list[Document]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "export.csv"
        export(documents, "csv", file, AT)
        items = list(read_file(file))
        with file.open(encoding="utf-8-sig", newline="") as text:
            cells = [cell for row in csv.reader(text) for cell in row]
    assert [item.document if isinstance(item, Reading) else item for item in items] == documents
    assert not any(cell.lstrip(" \n").startswith(tuple("=+-@\t\r")) for cell in cells)


def test_the_twelve_are_read_back(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    file = tmp_path / "export.csv"
    export(twelve, "csv", file, AT)
    assert tuple(item.document for item in read_file(file) if isinstance(item, Reading)) == twelve


def test_a_damaged_cell_is_a_reject_that_names_it(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    file = tmp_path / "export.csv"
    export([replace(one, doubts=()) for one in twelve], "csv", file, AT)
    text = file.read_text(encoding="utf-8-sig")
    file.write_text(
        text.replace('"2026-11-30"'.replace('"', '""'), '""2026-11-30'), encoding="utf-8-sig", newline=""
    )
    items = list(read_file(file))
    rejects = [item for item in items if not isinstance(item, Reading)]
    assert [reject.field for reject in rejects] == ["windows"]
    assert len(items) == len(twelve)
