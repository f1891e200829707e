from __future__ import annotations

import csv
import gzip
import io
import json
import tracemalloc
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.ingest.heading import find_heading
from index.ingest.objects import read_document, read_lines
from index.ingest.problem import Reject, UnreadableFile
from index.ingest.source import detect_format, read_rows
from index.ingest.tables import find_delimiter, read

ROWS = [
    {"title": "Preis für Äpfel", "amount": "1.290 Euro, einmalig"},
    {"title": 'say "yes"', "amount": "two\nlines"},
    {"title": "Stipendium; groß", "amount": "5|000"},
]


def got(path: Path, form: str = "auto") -> list[dict[str, object]]:
    return [dict(row[1]) for row in read_rows(path, form) if not isinstance(row, Reject)]


@pytest.mark.parametrize("delimiter", list(",;\t|"))
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_table_of_any_dialect(tmp_path: Path, delimiter: str, encoding: str, end: str) -> None:
    path = tmp_path / "rows.csv"
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, ["title", "amount"], delimiter=delimiter, lineterminator=end)
        writer.writeheader()
        writer.writerows(ROWS)
    assert got(path) == ROWS


def test_a_gzip_under_any_name(tmp_path: Path) -> None:
    path = tmp_path / "feed.jsonl"
    path.write_bytes(gzip.compress("\n".join(json.dumps(row) for row in ROWS).encode()))
    assert got(path) == ROWS
    assert got(path, "ndjson.gz") == ROWS


def test_a_broken_gzip_is_said(tmp_path: Path) -> None:
    path = tmp_path / "feed.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"title": "a"}\n' * 50_000)[:-40])
    with pytest.raises(UnreadableFile, match=r"feed\.jsonl\.gz"):
        list(read_rows(path))


def test_a_broken_line_is_a_reject_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "feed.jsonl"
    path.write_text('{"title": "a"}\n\n{"title": \n["b"]\n{"title": "c"}\n')
    items = list(read_rows(path))
    assert [item.row if isinstance(item, Reject) else item[0] for item in items] == ["1", "2", "3", "4"]
    assert [type(item) is Reject for item in items] == [False, True, True, False]


@pytest.mark.parametrize(
    ("document", "rows"),
    [
        ([{"title": "a"}, {"title": "b"}], ["/0", "/1"]),
        ({"version": 1, "items": [{"title": "a", "tags": [{"x": 1}]}]}, ["/items/0"]),
        ({"meta": {"by": "x"}, "data": {"awards": [{"title": "a"}]}}, ["/data/awards/0"]),
        ({"a1": {"title": "a"}, "a2": {"title": "b"}}, ["/a1", "/a2"]),
        ({"title": "alone", "n": 1}, ["/0"]),
        ([], []),
        ([1, {"title": "a"}], ["/0", "/1"]),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_records_anywhere_near_the_top_of_a_document(
    tmp_path: Path, document: object, rows: list[str], encoding: str
) -> None:
    path = tmp_path / "feed.json"
    path.write_bytes(json.dumps(document, indent=1).encode(encoding))
    assert detect_format(path) == "json"
    assert [item.row if isinstance(item, Reject) else item[0] for item in read_rows(path)] == rows


def test_a_document_that_breaks_off_gives_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "feed.json"
    path.write_text('[{"title": "a"}, {"title": "b"}, {"tit')
    rows = read_rows(path)
    assert [next(rows)[0] for _ in range(2)] == ["/0", "/1"]  # type: ignore[index]
    with pytest.raises(UnreadableFile, match="breaks off"):
        next(rows)


def test_a_shifted_row_is_a_reject(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("title,amount\na,1\nb,2,3\nc\n\nd,4,\n")
    items = list(read_rows(path))
    assert [type(item) is Reject for item in items] == [False, True, False, False]
    assert isinstance(items[1], Reject)
    assert (items[1].row, items[1].value) == ("2", "3")


@pytest.mark.parametrize(
    ("first", "names", "rows"),
    [
        ([["Title", "URL"], ["a", "b"]], ("Title", "URL"), 1),
        ([["A long award name", "https://example.org", "05/15/2024"]], ("1", "2", "3"), 0),
        ([["Group", "", "", ""], ["title", "url", "amount", "deadline"], ["a", "b", "c", "d"]],
         ("title", "url", "amount", "deadline"), 2),
        ([["", "Beca", "Plazo"], [0, "a", "b"]], ("1", "Beca", "Plazo"), 1),
        ([["x", "x"], ["1", "2"]], ("1", "2"), 0),
        ([], (), 0),
    ],
)  # fmt: skip
def test_the_heading(first: list[list[object]], names: tuple[str, ...], rows: int) -> None:
    heading = find_heading(first)
    assert (heading.names, heading.rows) == (names, rows)


def workbook(path: Path, rows: Sequence[Sequence[object]]) -> None:
    """A minimal workbook, written by hand: texts inline, numbers bare, dates (as `date:N`) with a date format."""

    def cell(value: object) -> str:
        if isinstance(value, str) and value.startswith("date:"):
            return f'<c s="1"><v>{value[5:]}</v></c>'
        return (
            f"<c><v>{value}</v></c>"
            if isinstance(value, int)
            else f'<c t="inlineStr"><is><t>{value}</t></is></c>'
        )

    sheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    document = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    links = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    link = '<Relationship Id="{}" Type="' + document + '/{}" Target="{}"/>'
    body = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    parts = {
        "_rels/.rels": f"{links}{link.format('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>",
        "xl/_rels/workbook.xml.rels": links
        + link.format("b", "worksheet", "worksheets/sheet1.xml")
        + link.format("c", "styles", "styles.xml")
        + "</Relationships>",
        "xl/workbook.xml": f'<workbook {sheet} xmlns:r="{document}"><sheets>'
        '<sheet name="one" sheetId="1" r:id="b"/></sheets></workbook>',
        "xl/styles.xml": f'<styleSheet {sheet}><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
        "xl/worksheets/sheet1.xml": f"<worksheet {sheet}><sheetData>{body}</sheetData></worksheet>",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)


def test_a_workbook_with_groups_dates_and_serials(tmp_path: Path) -> None:
    path = tmp_path / "awards.bin"
    workbook(
        path,
        [["basic", "", ""], ["title", "opens", "deadline"], ["a", "date:45981", 46017], ["b", "", "soon"]],
    )
    assert detect_format(path) == "xlsx"
    assert got(path) == [
        {"title": "a", "opens": "2025-11-20", "deadline": 46017},
        {"title": "b", "deadline": "soon"},
    ]


def test_what_is_no_workbook_is_said(tmp_path: Path) -> None:
    path = tmp_path / "awards.xlsx"
    path.write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(UnreadableFile, match="no workbook"):
        list(read_rows(path))


class Endless(io.RawIOBase):
    """A stream of `count` copies of a line that is never held whole."""

    def __init__(self, line: bytes, count: int) -> None:
        self._lines = iter(lambda: line, None)
        self._left = len(line) * count
        self._held = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while len(self._held) < len(buffer):
            self._held += next(self._lines)
        size = min(len(buffer), self._left)
        buffer[:size] = self._held[:size]
        self._held = self._held[size:]
        self._left -= size
        return size


def _peak(rows: Iterator[object]) -> int:
    tracemalloc.start()
    try:
        for _ in rows:
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_file() -> None:
    line = json.dumps({"title": "t" * 400, "deadline": "2026-01-01"}).encode() + b"\n"
    small = _peak(read_lines(io.BufferedReader(Endless(line, 500))))
    large = _peak(read_lines(io.BufferedReader(Endless(line, 10_000))))
    assert large < small + 200_000
    row = b'some title,"a description, long",2026-01-01\n'
    small = _peak(read(io.BufferedReader(Endless(row, 2_000)), None))
    large = _peak(read(io.BufferedReader(Endless(row, 40_000)), None))
    assert large < small + 200_000


@given(st.binary(max_size=400))
def test_any_bytes_give_rows_or_a_reason(data: bytes) -> None:
    for reader in (read_lines, lambda stream: read(stream, None)):
        list(reader(io.BufferedReader(io.BytesIO(data))))  # type: ignore[operator]
    with suppress(UnreadableFile):
        list(read_document(io.BytesIO(data)))


@given(
    st.lists(
        st.lists(st.text(alphabet='abc 0"\n', max_size=6), min_size=3, max_size=3),
        min_size=2,
        max_size=5,
    )
)
def test_the_delimiter_of_a_plain_table(rows: list[list[str]]) -> None:
    for delimiter in ",;\t|":
        text = io.StringIO()
        csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows(rows)
        assert find_delimiter(text.getvalue()) == delimiter
