from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from index.document import Document
from index.ingest.assemble import Reading
from index.ingest.mapping import FIELDS, ColumnMap, parse_map, read_map, write_map
from index.ingest.problem import Reject, WrongMapping
from index.ingest.reading import propose, read_file, read_stream
from index.ingest.rejects import RejectReport, harmless
from index.ingest.tally import Tally, read_facts, tally_file
from index.record import parse_record, to_record

MAP = parse_map(
    {
        "source": "demo",
        "currency": "CAD",
        "language": "en",
        "columns": {
            "name": "title",
            "code": "id",
            "rule": "eligibility",
            "due": "deadline",
            "pay": "amount",
            "more": "description",
        },
        "constants": {"host_countries": ["CA"]},
    }
)


def read_one(row: Mapping[str, object], by: ColumnMap | None = MAP) -> Reading | Reject:
    (item,) = read_stream(iter([("1", row)]), "file", by)
    return item


def document(row: Mapping[str, object], by: ColumnMap | None = MAP) -> Document:
    item = read_one(row, by)
    assert isinstance(item, Reading), item
    return item.document


def test_a_row_under_a_map() -> None:
    made = document(
        {
            "name": " Award ",
            "code": "07/1",
            "rule": "Canadian citizens",
            "due": "Mar 15, 2026 to May 10, 2026",
            "pay": "$250.00",
        }
    )
    assert (made.doc_id, made.title, made.source, made.language) == ("demo:07-1", "Award", "demo", "en")
    assert (made.host_countries, made.eligible_nationalities) == (("CA",), ("CA",))
    assert made.amount is not None
    assert (made.amount.max, made.amount.currency) == (250, "CAD")
    assert [(str(w.opens_on), str(w.deadline_on)) for w in made.windows] == [("2026-03-15", "2026-05-10")]


def test_what_a_row_does_not_say_is_unknown() -> None:
    made = document({"name": "Award", "rule": "Must be nice"})
    assert (made.amount, made.windows, made.levels, made.eligible_nationalities, made.url) == (
        None,
        (),
        None,
        None,
        None,
    )


def test_what_is_stated_and_not_certain_is_said() -> None:
    item = read_one({"name": "Award", "rule": "Canadian citizen or landed immigrant", "pay": "$192,011.00",
                     "more": "Several awards valued at $17,500 each."})  # fmt: skip
    assert isinstance(item, Reading)
    assert item.document.amount is not None
    assert item.document.amount.max is None
    assert set(item.doubts) == {"amount", "eligible_nationalities"}


def test_a_row_without_a_title_and_one_with_nothing_else_are_left_out() -> None:
    for row, field in (
        ({"name": "N/A", "pay": "$5"}, "title"),
        ({"name": "Browse Awards", "pay": "N/A"}, "row"),
    ):
        item = read_one(row)
        assert isinstance(item, Reject)
        assert (item.field, item.row) == (field, "1")
        assert item.reason


def test_the_same_rows_give_the_same_ids_and_repeats_get_their_own() -> None:
    rows: list[tuple[str, Mapping[str, object]]] = [
        ("1", {"name": "A", "due": "2026-01-01"}),
        ("2", {"name": "A", "due": "2026-02-01"}),
        ("3", {"name": "A", "due": "2026-01-01"}),
    ]
    ids = [item.document.doc_id for item in read_stream(iter(rows), "f", MAP) if isinstance(item, Reading)]
    again = [item.document.doc_id for item in read_stream(iter(rows), "f", MAP) if isinstance(item, Reading)]
    assert ids == again
    assert ids[0] == ids[2] != ids[1]


def test_a_record_of_the_public_form_is_read_as_it_is() -> None:
    record = to_record(
        parse_record({"id": "a:1", "title": "T", "windows": [], "levels": ["phd"], "host_countries": ["SE"]})
    )
    assert to_record(document(record, None)) == record
    assert document({**record, "id": "a:1/2", "title": "x &amp; y"}, None).doc_id == "a:1-2"


@given(
    st.dictionaries(
        st.sampled_from([*MAP.columns, "other"]),
        st.one_of(st.text(max_size=30), st.integers(), st.none(), st.lists(st.text(max_size=5), max_size=2)),
    )
)
@example({"name": "A", "due": "\u0cf3"})  # a mark without a letter: no text as a record has it
def test_any_row_gives_a_valid_document_or_a_reason(row: dict[str, object]) -> None:
    item = read_one(row)
    if isinstance(item, Reject):
        assert item.reason
    else:
        assert parse_record(to_record(item.document)) == item.document


def test_a_map_is_proposed_from_names_and_values() -> None:
    rows: list[tuple[str, Mapping[str, object]]] = [
        (
            str(at),
            {
                "Award Name": f"Award number {at}",
                "Sponsor": "S",
                "Submission Deadline": "Mathematics, Law",
                "Plazo": f"{at}00 USD",
                "Beneficios": f"{at}00 USD",
                "Link": "https://example.org",
                "Application fee": "$5",
            },
        )
        for at in range(1, 8)
    ]
    made = [item.document for item in read_stream(iter(rows), "f") if isinstance(item, Reading)]
    assert [(d.title, d.provider, d.fields) for d in made[:1]] == [("Award number 1", "S", ("0541", "0421"))]
    assert {d.windows for d in made} == {()}
    assert made[2].amount is not None
    assert made[2].amount.max == 300


def test_a_map_survives_writing_and_reading(tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text(write_map(MAP), encoding="utf-8")
    assert read_map(path) == MAP


@pytest.mark.parametrize(
    ("told", "word"),
    [
        ({"columns": {"a": "titel"}}, "titel"),
        ({"columns": {}}, "title"),
        ({"columns": {"a": "title"}, "colour": 1}, "colour"),
        ({"columns": {"a": "title"}, "date_order": "ymd"}, "date_order"),
        ({"columns": {"a": "title"}, "constants": {"amount": 5}}, "amount"),
        ({"columns": {"a": []}}, "'a'"),
    ],
)
def test_a_wrong_map_names_what_is_wrong(told: dict[str, object], word: str) -> None:
    with pytest.raises(WrongMapping, match=word):
        parse_map(told)
    assert "title" in FIELDS


@pytest.mark.parametrize("name", ["rejects.jsonl", "rejects.csv"])
def test_the_reject_report_is_no_formula(tmp_path: Path, name: str) -> None:
    reject = Reject("7", "title", "=HYPERLINK(1)", "is blank")
    with RejectReport(tmp_path / "new" / name) as report:
        report.add("awards.csv", reject)
    text = (tmp_path / "new" / name).read_text(encoding="utf-8")
    if name.endswith("csv"):
        assert "'=HYPERLINK(1)" in text
    else:
        assert json.loads(text) == {
            "file": "awards.csv",
            "row": "7",
            "field": "title",
            "value": "=HYPERLINK(1)",
            "reason": "is blank",
        }


@given(st.text())
def test_a_harmless_cell_begins_no_formula(text: str) -> None:
    assert not harmless(text).startswith(("=", "+", "-", "@", "\t", "\r"))


def _samples(shared: Path) -> Path:
    return shared / "data" / "scholarships"


def test_every_shared_file_is_read_and_every_reject_explained(shared: Path) -> None:
    folder = _samples(shared)
    for path in (*folder.glob("normalised/*.jsonl"), *folder.glob("raw_samples/*.[cjx]*")):
        kinds = Counter(type(item).__name__ for item in read_file(path))
        rejects = [item for item in read_file(path) if isinstance(item, Reject)] if kinds["Reject"] else []
        assert kinds["Reading"] >= 0.9 * kinds.total(), path.name
        assert all(reject.reason and reject.field and reject.row for reject in rejects)


def test_facts_are_read_and_none_is_invented(shared: Path) -> None:
    """With the maps that ingest proposes by itself; the tally is in the message when it fails."""
    total = Tally()
    for name, facts in read_facts(_samples(shared) / "expected_facts.jsonl").items():
        path = _samples(shared) / "raw_samples" / name
        assert propose(path).columns
        total.add(tally_file(path, facts))
    assert total.passed["must_be_null"] == total.checked["must_be_null"], total.wrong
    assert total.passed["must_equal"] >= 0.97 * total.checked["must_equal"], total.wrong
    assert total.passed.total() >= 0.97 * total.checked.total(), total.wrong
