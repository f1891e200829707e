from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest

from index.document import Document, Window
from index.timing import TIMING_FEATURES
from models.hashing import HashingEncoder
from training.award_lists import Asked, asked, lists
from training.days import ageing_days, draw_day
from training.first_stage import open_first_stage
from training.pool import is_validation, make_pool
from training.synthesis.facts import facts


def quiet(step: str, done: int, total: int) -> None:
    """Nothing."""


FIELDS = ("0521", "0613", "0421", "0913", "0311", "0732")
COUNTRIES = ("NO", "CA", "DE", "KR", "TW")


def invented() -> list[Document]:
    """Ninety awards: six fields, five countries, three yearly rounds each as records of their own."""
    made = []
    for at, (field, country) in enumerate((f, c) for f in FIELDS for c in COUNTRIES):
        for year in (2024, 2025, 2026):
            closes = date(year, 1 + at % 12, 15)
            made.append(
                Document(
                    doc_id=f"w{at:02d}-{year}",
                    title=f"Award number {at} of the founders {year}",
                    provider=f"University {at}",
                    language="en",
                    levels=("master",) if at % 2 else ("phd",),
                    fields=(field,),
                    host_countries=(country,),
                    eligible_nationalities=("any",),
                    coverage=("tuition",),
                    windows=(Window(opens_on=closes - timedelta(days=90), deadline_on=closes, kind="fixed"),),
                )
            )
    return made


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    home = tmp_path_factory.mktemp("pool")
    return make_pool("invented", open_first_stage(invented(), home, HashingEncoder(), progress=quiet))


@pytest.fixture(scope="module")
def written(pool):
    questions = list(asked(pool, 120, 3, validation=False))
    return questions, list(lists(pool, questions, 3, quiet))


def test_the_same_seed_writes_the_same_lists_and_another_seed_others(pool, written):
    questions, examples = written
    assert list(lists(pool, list(asked(pool, 120, 3, validation=False)), 3, quiet)) == examples
    assert [q.wording.text for q in asked(pool, 120, 4, validation=False)] != [
        q.wording.text for q in questions
    ]


def test_a_list_is_the_same_whatever_was_asked_beside_it(pool, written):
    questions, examples = written
    alone = list(lists(pool, questions[40:41], 3, quiet))
    group = f"invented-{questions[40].at}"
    assert alone == [example for example in examples if example.group == group]


def test_rounds_of_one_title_are_one_programme(pool):
    assert {len(rounds) for rounds in pool.rounds.values()} == {3}


def test_what_is_kept_for_validation_stands_in_no_training_list(pool, written):
    held = {one.doc_id for one in pool.facts if is_validation(one)}
    assert held
    _, examples = written
    assert not held & {candidate.doc_id for example in examples for candidate in example.candidates}
    kept = list(lists(pool, list(asked(pool, 20, 3, validation=True)), 3, quiet))
    assert all(held & {candidate.doc_id for candidate in example.candidates} for example in kept)


def test_every_list_can_teach_an_order(written):
    _, examples = written
    assert len(examples) > 100
    for example in examples:
        grades = [candidate.grade for candidate in example.candidates]
        assert max(grades) - min(grades) >= 0.8
        assert len({candidate.doc_id for candidate in example.candidates}) == len(grades)
        assert 5 <= len(grades) <= 12


def test_days_of_one_group_turn_the_order_of_the_same_candidates(written):
    groups = defaultdict(list)
    for example in written[1]:
        groups[example.group].append(example)
    turned = [group for group in groups.values() if len(group) > 1]
    assert len(turned) > 20
    for group in turned:
        assert {example.task for example in group} == {"ageing"}
        assert len({tuple(c.doc_id for c in example.candidates) for example in group}) == 1
        assert len({tuple(c.text for c in example.candidates) for example in group}) == 1
        orders = [
            sorted(range(len(e.candidates)), key=lambda at, e=e: -e.candidates[at].grade) for e in group
        ]
        assert len({tuple(order) for order in orders}) == len(group)


def test_what_is_closed_is_related_at_best_unless_the_past_is_asked_for(written):
    closed = TIMING_FEATURES.index("is_closed")
    past = TIMING_FEATURES.index("asks_past")
    seen = 0
    for example in written[1]:
        for candidate in example.candidates:
            if candidate.timing[closed] and not candidate.timing[past]:
                seen += 1
                assert candidate.grade < 2
    assert seen > 100


def test_what_answers_is_mostly_open_or_undated(written):
    closed = TIMING_FEATURES.index("is_closed")
    counted = [c.timing[closed] for e in written[1] for c in e.candidates]
    assert 0.2 < sum(counted) / len(counted) < 0.8


def test_a_question_without_rivals_makes_no_list(pool):
    question = next(asked(pool, 1, 3, validation=False))
    nothing = replace(question.wording, need=replace(question.wording.need, names=frozenset({"absent"})))
    lonely = Asked(question.at, question.row, date(2030, 1, 1), nothing)
    for example in lists(pool, [lonely], 3, quiet):
        assert max(c.grade for c in example.candidates) < 2


# --- days ---------------------------------------------------------------------------------------------


def test_about_half_of_the_questions_come_while_a_round_is_open():
    one = facts(invented()[0])
    window = one.document.windows[0]
    days = [draw_day(one, [], Random(at)) for at in range(400)]
    share = sum(window.opens_on <= day <= window.deadline_on for day in days) / len(days)
    assert 0.4 < share < 0.65
    assert any(day < window.opens_on for day in days)
    assert any(day > window.deadline_on for day in days)


def test_ageing_days_differ_and_need_two_last_days():
    some = [facts(document) for document in invented()[:6]]
    days = ageing_days(some, Random(1), 3)
    assert len(days) == len(set(days)) == 3
    assert ageing_days(some[:1], Random(1), 3) == []
