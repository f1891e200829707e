from __future__ import annotations

import gzip
import json

import pytest

from models.hashing import HashingEncoder
from training.borrowed import SETS, question_sets, record_questions, translations
from training.devset import judged_examples
from training.first_stage import open_first_stage


def quiet(step: str, done: int, total: int) -> None:
    """Nothing."""


@pytest.fixture(scope="module")
def stage(twelve, tmp_path_factory):
    return open_first_stage(list(twelve), tmp_path_factory.mktemp("stage"), HashingEncoder(), progress=quiet)


def question_set(folder, name, count):
    lines = [
        {
            "qid": f"q{at}",
            "query": f"question {at}",
            "pos": [f"answer {at}"],
            "neg": ["no", "never"],
            "lang": "en",
        }
        for at in range(count)
    ]
    with gzip.open(folder / f"{name}.jsonl.gz", "wt") as file:
        file.write("\n".join(map(json.dumps, lines)))


def test_question_sets_are_capped_and_what_leaks_is_not_opened(tmp_path):
    question_set(tmp_path, "scholarship_qa", SETS["scholarship_qa"] + 5)
    question_set(tmp_path, "scifact", 5)
    (tmp_path / "contaminates_scifact").mkdir()
    question_set(tmp_path / "contaminates_scifact", "scifact", 5)
    found = list(question_sets(tmp_path, 1))
    assert {example.task for example in found} == {"scholarship_qa"}
    assert len(found) == SETS["scholarship_qa"]
    assert list(question_sets(tmp_path, 1)) == found


def test_of_a_question_set_the_answer_is_relevant_and_nothing_speaks_of_time(tmp_path):
    question_set(tmp_path, "timeqa_human", 3)
    for example in question_sets(tmp_path, 1):
        right = [c for c in example.candidates if c.grade == 3]
        assert [c.text for c in right] == [f"answer {example.query.split()[1]}"]
        assert len({c.timing for c in example.candidates}) == 1


def test_questions_about_a_record_need_to_name_it(stage, tmp_path):
    lines = [
        {"query": "What does the Ocean Futures fellowship pay?", "record_id": "a01-ocean-phd", "kind": "faq"},
        {"query": "Is it renewable?", "record_id": "a01-ocean-phd", "kind": "faq"},
        {"query": "ocean fellowship", "record_id": "a01-ocean-phd", "clicks": 90},  # logged: left alone
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    found = list(record_questions(stage, path, 1))
    assert [example.query for example in found] == [lines[0]["query"]]
    best = max(found[0].candidates, key=lambda c: c.grade)
    assert best.doc_id == "a01-ocean-phd"


def test_a_translation_finds_its_record(stage, tmp_path):
    path = tmp_path / "parallel.jsonl"
    path.write_text(
        json.dumps({"id": "a08-bjork", "en": "Travel grants for students of music.", "sv": "Resebidrag"})
    )
    (example,) = translations(stage, path, 1)
    assert [c.doc_id for c in example.candidates if c.grade == 3] == ["a08-bjork"]


def test_judged_queries_keep_the_order_and_the_grades(stage, tmp_path):
    (tmp_path / "qrels").mkdir()
    (tmp_path / "queries.jsonl").write_text(
        json.dumps({"_id": "q1", "text": "ocean fellowship", "as_of": "2026-10-01", "lang": "en"})
    )
    (tmp_path / "qrels" / "dev.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\ta01-ocean-phd\t3\nq1\tabsent\t3\n"
    )
    (example,) = judged_examples(tmp_path, "dev", stage, 5, quiet)
    scores = [c.fused for c in example.candidates]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) <= 5
    assert {c.doc_id: c.grade for c in example.candidates}["a01-ocean-phd"] == 3
    assert sum(c.grade for c in example.candidates) == 3
    assert (example.group, example.as_of) == ("q1", "2026-10-01")
