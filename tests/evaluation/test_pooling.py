"""Pools, sheets and judges: nothing leaks, nothing is lost, agreement as two libraries see it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from evaluation.errors import GradesError
from evaluation.pooling.agreement import agreement, settled
from evaluation.pooling.judgements import joined, write_qrels
from evaluation.pooling.pool import Pair, coverage, pool
from evaluation.pooling.sheet import Graded, read_sheet, write_sheet
from evaluation.testset import TestQuery, TestSet

RUNS = [
    {"q1": [("a", 3.0), ("b", 2.0), ("c", 1.0)], "q2": [("a", 1.0)]},
    {"q1": [("d", 3.0), ("a", 2.0), ("b", 1.0)]},
]
QRELS = {"q1": {"a": 3, "z": 0}}
QUERIES = {name: TestQuery(name, f"=text of {name}", None, "en", (), {}, None) for name in ("q1", "q2")}


def test_the_pool_is_what_is_ranked_high_and_not_judged() -> None:
    pairs = pool(RUNS, QRELS, ["q1", "q2"], 2, 0, np.random.default_rng(1))
    assert set(pairs) == {Pair("q1", "b"), Pair("q1", "d"), Pair("q2", "a")}
    again = pool(RUNS, QRELS, ["q1", "q2"], 2, 5, np.random.default_rng(1))
    assert set(again) - set(pairs) == {Pair("q1", "a"), Pair("q1", "z")}
    assert len(again) == len(set(again))
    assert pool(RUNS, QRELS, ["q1", "q2"], 2, 5, np.random.default_rng(1)) == again
    assert coverage({"one": RUNS[0], "two": RUNS[1]}, QRELS, 2) == {"one": 0.5, "two": 0.5}


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.jsonl"])
def test_a_sheet_says_what_a_judge_needs_and_not_who_found_it(tmp_path: Path, name: str) -> None:
    corpus = {"b": {"title": "@cmd", "text": "long", "metadata": {"provider": "P", "levels": []}}}
    file = tmp_path / name
    assert write_sheet(file, [Pair("q1", "b"), Pair("q1", "-d")], QUERIES, corpus) == 2
    text = file.read_text(encoding="utf-8")
    assert "bm25" not in text
    assert "rank" not in text
    assert read_sheet(file) == []  # nothing graded yet
    if file.suffix == ".csv":
        with file.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert (rows[0]["query"], rows[0]["title"], rows[1]["doc_id"]) == ("'=text of q1", "'@cmd", "'-d")
        for row in rows:
            row["grade"] = "2"
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    else:
        lines = [{**json.loads(line), "grade": 2} for line in text.splitlines()]
        file.write_text("\n".join(json.dumps(line) for line in lines))
    assert read_sheet(file) == [Graded("q1", "b", 2), Graded("q1", "-d", 2)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("query_id,doc_id,grade\nq,d,4\n", ":2: `grade` must be"),
        ("query_id,doc_id,grade\nq,d,x\n", ":2: `grade` must be"),
        ("query_id,doc_id,grade\nq,d,1\nq,d,2\n", ":3: 'd' of query 'q' has two grades"),
        ("query_id,grade\nq,1\n", ":2: no column `doc_id`"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "sheet.csv"
    file.write_text(content)
    with pytest.raises(GradesError, match=said):
        read_sheet(file)


def by_hand(table: np.ndarray) -> float:
    """Krippendorff's alpha for ordinal data, from coincidences, as chapter 11 of his book does it."""
    values = np.arange(4)
    coincidences = np.zeros((4, 4))
    for unit in table.T:
        given = unit[~np.isnan(unit)].astype(int)
        if len(given) < 2:
            continue
        for i, one in enumerate(given):
            for j, other in enumerate(given):
                if i != j:
                    coincidences[one, other] += 1 / (len(given) - 1)
    totals = coincidences.sum(axis=1)
    distance = np.array(
        [
            [(totals[min(c, k) : max(c, k) + 1].sum() - (totals[c] + totals[k]) / 2) ** 2 for k in values]
            for c in values
        ]
    )
    observed = (coincidences * distance).sum()
    expected = (np.outer(totals, totals) * distance).sum() / (totals.sum() - 1)
    return 1 - observed / expected


grades = st.lists(st.integers(0, 3), min_size=12, max_size=12)


@given(grades, grades, grades, st.integers(0, 8))
def test_agreement_as_the_book_and_another_library_have_it(
    one: list[int], two: list[int], three: list[int], gap: int
) -> None:
    judges = {
        "one": [Graded("q", f"d{n}", grade) for n, grade in enumerate(one)],
        "two": [Graded("q", f"d{n}", grade) for n, grade in enumerate(two)],
        "three": [Graded("q", f"d{n}", grade) for n, grade in enumerate(three) if n >= gap],
    }
    found = agreement(judges)
    table = np.array([one, two, [np.nan if n < gap else grade for n, grade in enumerate(three)]], float)
    if len(set(table[~np.isnan(table)])) > 1:
        assert found.alpha == pytest.approx(by_hand(table), abs=1e-9)
    else:
        assert found.alpha is None
    kappa = found.kappas["one", "two"]
    if kappa is not None:
        assert kappa == pytest.approx(
            cohen_kappa_score(one, two, weights="quadratic", labels=[0, 1, 2, 3]), abs=1e-9
        )
    assert found.pairs == 12
    assert {pair.doc_id for pair, _ in found.disputed} == {
        f"d{n}" for n in range(12) if np.nanmax(table[:, n]) - np.nanmin(table[:, n]) > 1
    }
    for n in range(12):
        given = sorted(table[~np.isnan(table[:, n]), n])
        assert settled(judges)[Pair("q", f"d{n}")] == given[(len(given) - 1) // 2]


def test_new_grades_join_and_old_ones_stay(tmp_path: Path) -> None:
    qrels, added = joined(QRELS, {Pair("q1", "a"): 0, Pair("q1", "b"): 2, Pair("q2", "a"): 1})
    assert (qrels, added) == ({"q1": {"a": 3, "z": 0, "b": 2}, "q2": {"a": 1}}, 2)
    write_qrels(tmp_path / "qrels" / "dev.tsv", qrels)
    assert TestSet(tmp_path).qrels("dev") == qrels


def test_judges_who_never_met_are_told_so() -> None:
    found = agreement({"one": [Graded("q", "a", 1)], "two": [Graded("q", "b", 2)]})
    assert (found.pairs, found.exact, found.alpha, found.kappas["one", "two"]) == (0, None, None, None)
