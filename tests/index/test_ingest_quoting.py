from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.ingest.problem import Reject
from index.ingest.quoting import quoted_rows
from index.ingest.source import read_rows

CELLS = st.text(alphabet="ab\"', ;\n\r", max_size=8)
TABLES = st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=6)


def written(table: list[list[str]]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows(table)
    return out.getvalue()


@given(TABLES)
def test_a_sound_table_is_read_as_the_standard_reader_reads_it(table: list[list[str]]) -> None:
    lines = io.StringIO(written(table), newline="")
    assert [list(row) for row in quoted_rows(lines, ",")] == table


PLAIN = st.lists(
    st.sampled_from(["1", "Award two", "2026-11-01", '"Award, three"', '"a ""b"""']), min_size=3, max_size=3
)


@given(st.lists(PLAIN, min_size=2, max_size=8), st.data())
def test_an_unclosed_quote_costs_one_row_and_names_its_line(
    rows: list[list[str]], data: st.DataObject
) -> None:
    at = data.draw(st.integers(1, len(rows) - 1))
    broken = [*rows]
    broken[at] = ["5", '"Award five', "2026-11-05"]
    lines = [",".join(row) + "\n" for row in broken]
    found = list(quoted_rows(lines, ","))
    wanted = [next(csv.reader([",".join(row)])) for row in rows]
    assert len(found) == len(rows)
    for position, row in enumerate(found):
        if position != at:
            assert list(row) == wanted[position]
    (error,) = found[at]
    assert isinstance(error, csv.Error)
    assert f"line {at + 1} " in str(error)


def test_a_quote_inside_a_cell_is_left_alone() -> None:
    assert [list(row) for row in quoted_rows(['a,"b" c,d\n', '1,2"3,4\n'], ",")] == [
        ["a", "b c", "d"],
        ["1", '2"3', "4"],
    ]


def test_a_cell_of_many_lines_is_one_cell() -> None:
    text = 'id,title,note\n1,Award,"one\ntwo\nthree"\n2,Other,"x"\n'
    assert [list(row) for row in quoted_rows(io.StringIO(text, newline=""), ",")][1] == [
        "1",
        "Award",
        "one\ntwo\nthree",
    ]


@pytest.mark.parametrize("rows", [3, 3000])
def test_the_rest_of_the_file_is_kept(tmp_path: Path, rows: int) -> None:
    path = tmp_path / "awards.csv"
    body = [f"{at},Award {at},2026-11-01" for at in range(rows)]
    body[1] = '1,"Award one,2026-11-01'
    path.write_text("\n".join(["code,title,deadline", *body]) + "\n")
    items = list(read_rows(path))
    (reject,) = [item for item in items if isinstance(item, Reject)]
    assert "line 3 is not closed" in reject.reason
    assert len(items) == rows
