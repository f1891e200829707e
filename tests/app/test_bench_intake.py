from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.bench.intake import bench_intake


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("normalised", "raw_samples"):
        (tmp_path / name).mkdir()
    (tmp_path / "normalised/a.jsonl").write_text(
        '{"id": "a-1", "title": "A", "deadline": "2026-11-01"}\n{"id": "a-2"\n'
    )
    (tmp_path / "raw_samples/b.csv").write_text(
        "code,title,deadline\n1,Award one,2026-11-01\n2,,2026-11-02\n"
    )
    facts = [
        {
            "file": "b.csv",
            "row": 1,
            "field": "windows[0].deadline_on",
            "expected": "2026-11-01",
            "kind": "must_equal",
        },
        {"file": "b.csv", "row": 1, "field": "title", "expected": "Award two", "kind": "must_equal"},
        {"file": "b.csv", "row": 1, "field": "amount", "expected": None, "kind": "must_be_null"},
    ]
    (tmp_path / "expected_facts.jsonl").write_text("".join(json.dumps(fact) + "\n" for fact in facts))
    return tmp_path


def test_the_tally_counts_rows_rejects_and_facts(data: Path) -> None:
    told = bench_intake(data)
    assert (told["read"], told["rejected"]) == (4, 2)
    assert {name: (row["created"], row["explained"]) for name, row in told["files"].items()} == {
        "normalised/a.jsonl": (1, 1),
        "raw_samples/b.csv": (1, 1),
    }
    assert told["facts"]["kinds"] == {"must_be_null": [1, 1], "must_equal": [1, 2]}
    (wrong,) = told["facts"]["wrong"]
    assert "Award two" in wrong
    assert told["peak_bytes"] > 10_000_000


@pytest.mark.slow
def test_the_development_data_is_read_as_promised(shared: Path) -> None:
    told = bench_intake(shared / "data/scholarships")
    kinds = told["facts"]["kinds"]
    assert kinds["must_equal"][0] >= 0.97 * kinds["must_equal"][1]
    assert kinds["must_be_null"][0] == kinds["must_be_null"][1]
    assert all(row["explained"] == row["rejected"] for row in told["files"].values())
