"""Files that once went in wrongly: bytes that are no text, and tables under the contract's own column names."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from index.ingest.problem import UnreadableFile
from index.ingest.reading import Reading, read_file


@pytest.mark.parametrize("name", ["bin.csv", "bin.json", "bin.xlsx", "bin.unknown", "bin.jsonl"])
def test_bytes_that_are_no_text_are_refused_by_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(random.Random(7).randbytes(5000))
    with pytest.raises(UnreadableFile, match=name):
        list(read_file(path))


@pytest.mark.parametrize(
    "text",
    [
        "id,title,amount_min,amount_max,currency,deadline\nzz-1,Amount Award,500,1000,EUR,2026-12-31\n",
        'id,title,host_countries,levels,deadline\nzz-1,Amount Award,"DE, FR","master, phd",2026-12-31\n',
    ],
)
def test_a_table_of_texts_is_read_cell_by_cell(text: str, tmp_path: Path) -> None:
    path = tmp_path / "awards.csv"
    path.write_text(text, encoding="utf-8")
    (only,) = read_file(path)
    assert isinstance(only, Reading), only
    document = only.document
    assert (document.doc_id, document.title) == ("zz-1", "Amount Award")
    assert document.windows[0].deadline_on is not None
    if "host_countries" in text:
        assert document.host_countries == ("DE", "FR")
        assert document.levels == ("master", "phd")
    else:
        assert document.amount is not None
        assert (document.amount.min, document.amount.max, document.amount.currency) == (500, 1000, "EUR")
