from __future__ import annotations

from index.document import Document
from index.ingest.assemble import Reading
from index.ingest.mapping import parse_map
from index.ingest.reading import read_stream

MAP = parse_map(
    {
        "columns": {
            "name": "title",
            "rule": "nationalities",
            "due": "deadline",
            "pay": "amount",
            "level": "levels",
            "country": "host_countries",
            "web": "url",
        }
    }
)


def read(**row: object) -> Document:
    (item,) = read_stream(iter([("1", {"name": "Award of the lake", **row})]), "file", MAP)
    assert isinstance(item, Reading), item
    return item.document


def test_what_is_read_for_certain_and_what_is_not_stated_leave_no_doubt() -> None:
    made = read(due="2027-03-01", pay="EUR 500", level="PhD", country="Chile", web="https://a.example/x")
    assert made.doubts == ()
    assert read(due="2027-03-01").doubts == ()
    assert read(due="rolling").doubts == ()


def test_each_field_is_doubted_in_the_words_of_the_row() -> None:
    made = read(
        due="Varies by embassy",
        pay="1.000 USD",
        level="Postgraduate",
        country="Narnia",
        web="ask us",
        rule="Asia",
    )
    told = {doubt.field: (doubt.text, doubt.reason) for doubt in made.doubts}
    assert told == {
        "host_countries": ("Narnia", "names no country that is known"),
        "eligible_nationalities": ("Asia", "Asia has no agreed list of members"),
        "levels": ("Postgraduate", "a level that could be several"),
        "amount": ("1.000 USD", "a number that can be read in two ways"),
        "windows": ("Varies by embassy", "words that name no certain day"),
        "url": ("ask us", "is no web address"),
    }
    assert (made.host_countries, made.eligible_nationalities, made.levels, made.url) == (
        None,
        None,
        None,
        None,
    )


def test_a_repeated_id_says_so() -> None:
    rows = [("1", {"name": "Award one", "id": "x-1", "due": "2027-03-01"}),
            ("2", {"name": "Award two", "id": "x-1", "due": "2027-03-01"}),
            ("3", {"name": "Award one", "id": "x-1", "due": "2027-03-01"})]  # fmt: skip
    by = parse_map({"columns": {"name": "title", "id": "id", "due": "deadline"}})
    first, second, again = (
        item.document for item in read_stream(iter(rows), "f", by) if isinstance(item, Reading)
    )
    assert (first.doc_id, first.doubts) == ("x-1", ())
    assert second.doc_id == "x-1.2"
    ((field, text),) = [(doubt.field, doubt.text) for doubt in second.doubts]
    assert (field, text) == ("id", "x-1")
    assert again == first
