from __future__ import annotations

import json
from itertools import islice

import pytest

from index.catalogue.shipped import programmes
from models.hashing import HashingEncoder
from training import dataset
from training.dataset import JUDGED, MANIFEST, TRAIN, VALIDATION, DataPlan, Sources, build_data
from training.example import digest, read_examples

PLAN = DataPlan(catalogue=60, corpus=0, validation=10, borrowed_share=1.0, seed=5)


def quiet(step: str, done: int, total: int) -> None:
    """Nothing."""


def sources(folder):
    """A judged set of two records and one query, and one question set."""
    judged = folder / "judged"
    (judged / "qrels").mkdir(parents=True)
    records = [
        {"_id": at, "title": f"Fjord Prize {at}", "text": "For biology students.", "metadata": {}}
        for at in "ab"
    ]
    (judged / "corpus.jsonl").write_text("\n".join(map(json.dumps, records)))
    (judged / "queries.jsonl").write_text(
        json.dumps({"_id": "q", "text": "fjord prize", "as_of": "2026-10-01"})
    )
    (judged / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta\t3\n")
    return Sources(judged_set=judged)


@pytest.mark.slow
def test_the_whole_folder_is_the_same_for_the_same_seed_and_says_what_is_in_it(tmp_path, monkeypatch):
    some = list(islice(programmes(), 400))
    monkeypatch.setattr(dataset, "programmes", lambda: some)
    given = sources(tmp_path)
    digests = []
    for name in ("first", "second"):
        out = tmp_path / name
        manifest = build_data(out, PLAN, given, tmp_path / "home", HashingEncoder(), (), quiet)
        assert json.loads((out / MANIFEST).read_text()) == json.loads(json.dumps(manifest))
        digests.append({file: digest(out / file) for file in (TRAIN, VALIDATION, JUDGED)})
        assert {file: entry["sha256"] for file, entry in manifest["files"].items()} == digests[-1]
    assert digests[0] == digests[1]
    train = list(read_examples(tmp_path / "first" / TRAIN))
    assert manifest["files"][TRAIN]["examples"] == len(train) > 50
    held = list(read_examples(tmp_path / "first" / VALIDATION))
    for name in ("group", "query"):
        assert {getattr(e, name) for e in train}.isdisjoint(getattr(e, name) for e in held)
    assert {e.query for e in read_examples(tmp_path / "first" / JUDGED)} == {"fjord prize"}
    assert "fjord prize" not in {e.query for e in train}


def test_sources_that_are_absent_are_left_out(tmp_path):
    assert Sources.under(None) == Sources.under(tmp_path) == Sources()
    (tmp_path / "data" / "awardbench").mkdir(parents=True)
    assert Sources.under(tmp_path) == Sources(judged_set=tmp_path / "data" / "awardbench")
