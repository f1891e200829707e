"""The linter of test sets: each fault it names, and none where there is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from app.reachability import unreachable
from evaluation.likeness import NEAR, alike, levelled
from evaluation.lines import texts_of
from evaluation.lint import leaks, lint
from evaluation.testset import TestSet

Make = Callable[..., TestSet]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def made(
        queries: list[dict[str, Any]], corpus: list[dict[str, Any]], **splits: list[tuple[str, str, int]]
    ) -> TestSet:
        (tmp_path / "qrels").mkdir(exist_ok=True)
        for name, lines in (("queries", queries), ("corpus", corpus)):
            (tmp_path / f"{name}.jsonl").write_text("\n".join(json.dumps(line) for line in lines) + "\n")
        for split, rows in splits.items():
            text = "\n".join(["query-id\tcorpus-id\tscore", *("\t".join(map(str, row)) for row in rows)])
            (tmp_path / "qrels" / f"{split}.tsv").write_text(text + "\n")
        return TestSet(tmp_path)

    return made


def query(query_id: str, text: str, **more: Any) -> dict[str, Any]:
    return {"_id": query_id, "text": text, **more}


def document(doc_id: str, text: str = "", **more: Any) -> dict[str, Any]:
    return {"_id": doc_id, "title": f"Title of {doc_id}", "text": text or f"All about {doc_id}", **more}


def kinds(test_set: TestSet) -> list[tuple[str, str, str]]:
    return [(one.weight, one.code, one.where) for one in lint(test_set)]


def test_a_sound_set_has_no_finding(make: Make) -> None:
    queries = [
        query(f"q{n}", f"{word} grant", tags=["all"]) for n, word in enumerate("abcdefghijklmnopqrstuv")
    ]
    qrels = [(f"q{n}", "d", 3) for n in range(22)]
    assert kinds(make(queries, [document("d")], dev=qrels)) == []


def test_each_fault_is_named_once(make: Make) -> None:
    queries = [
        query("empty", " ?! "),
        query("a", "PhD funding in Norway", tags=["few"]),
        query("same", "phd  funding in Norway."),
        query("near", "PhD fundings in Norway"),
        query("later", "PhD funding in Norway", as_of="2026-05-01"),
        query("loose", "nobody judged this one"),
    ]
    corpus = [
        document("d"),
        {"_id": "blank"},
        document("e", "copy", title="C"),
        document("f", "copy", title="C"),
    ]
    dev = [
        ("empty", "d", 3),
        ("a", "gone", 2),
        ("same", "gone", 0),
        ("near", "d", 0),
        ("ghost", "d", 7),
        ("later", "d", 3),
    ]
    assert kinds(make(queries, corpus, dev=dev, test=[("later", "d", 3)])) == [
        ("error", "empty-query", "empty"),
        ("error", "missing-document", "a"),
        ("error", "missing-query", "ghost"),
        ("warning", "duplicate-query", "same"),
        ("warning", "empty-document", "blank"),
        ("warning", "grade-out-of-range", "ghost"),
        ("warning", "missing-document", "same"),
        ("warning", "nothing-relevant", "near"),
        ("warning", "nothing-relevant", "same"),
        ("warning", "two-splits", "later"),
        ("note", "copied-documents", ""),
        ("note", "near-duplicate-query", "near"),
        ("note", "small-tag", "few"),
        ("note", "unjudged", ""),
    ]


def test_what_its_own_filters_keep_out_is_unreachable(make: Make) -> None:
    queries = [
        query("ok", "grant", filters={"levels": ["phd"]}, as_of="2026-05-01"),
        query("out", "grant", filters={"levels": ["master"], "unknown": "exclude"}, as_of="2026-05-01"),
        query("closed", "grant", filters={"availability": ["open"]}, as_of="2026-08-01"),
    ]
    window = {"kind": "fixed", "opens_on": "2026-01-01", "deadline_on": "2026-06-01"}
    corpus = [document("d", metadata={"id": "d", "title": "D", "levels": ["phd"], "windows": [window]})]
    test_set = make(queries, corpus, dev=[("ok", "d", 3), ("out", "d", 3), ("closed", "d", 1)])
    documents = [line for _, line in test_set.corpus()]
    found = list(unreachable(test_set.queries(), test_set.qrels("dev"), documents))
    assert [one.where for one in found] == ["out", "closed"]


def test_leaks_are_found_whatever_the_dress(make: Make, tmp_path: Path) -> None:
    texts = ["ＰＨＤ funding, in Norway!", "masters in germany for engineers", "phd uk"]
    file = tmp_path / "train.jsonl"
    file.write_text(
        "\n".join([json.dumps({"query": texts[0]}), json.dumps({"text": texts[1]}), texts[2]]) + "\n"
    )
    assert texts_of(file) == texts
    queries = [
        query("a", "PhD funding in Norway"),
        query("b", "master in Germany for engineers"),
        query("c", "phd us"),
    ]
    found = leaks(make(queries, [document("d")], dev=[("a", "d", 3)]).queries(), texts_of(file), file.name)
    assert [(one.weight, one.where) for one in found] == [("error", "a"), ("error", "b")]


@given(st.lists(st.text("abc ", max_size=20), max_size=8), st.lists(st.text("abc ", max_size=20), max_size=8))
def test_likeness_pair_by_pair(ours: list[str], theirs: list[str]) -> None:
    found = {(i, j) for i, j, _ in alike(ours, theirs)}
    for i, one in enumerate(ours):
        for j, other in enumerate(theirs):
            left, right = levelled(one), levelled(other)
            near = Indel.normalized_similarity(left, right) >= NEAR
            assert ((i, j) in found) == (left == right or (near and len(left) >= 12))
