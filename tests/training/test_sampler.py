"""What a step draws is a function of seed and step, follows the mix, and wastes nothing."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.errors import ExampleError
from training.example import Candidate, Example
from training.sampler import Sampler


def example(query: str, task: str, group: str, grades: tuple[float, ...] = (3, 0)) -> Example:
    candidates = tuple(Candidate(f"{query} {at}", (), grade, f"d{at}") for at, grade in enumerate(grades))
    return Example(query, candidates, task, "en", "", group)


def many(counts: dict[str, int]) -> list[Example]:
    return [example(f"{task} {at}", task, f"{task}/{at}") for task, n in counts.items() for at in range(n)]


@given(
    counts=st.dictionaries(st.sampled_from("abc"), st.integers(1, 12), min_size=1),
    lists=st.integers(1, 9),
    seed=st.integers(0, 50),
)
def test_a_round_has_every_example_once(counts: dict[str, int], lists: int, seed: int) -> None:
    examples = many(counts)
    sampler = Sampler(examples, {}, 1.0, lists, 4, seed)
    seen: dict[str, list[int]] = {task: [] for task in counts}
    for step in range(40):
        drawn = sampler.draw(step)
        assert len(drawn) == lists
        for draw in drawn:
            seen[examples[draw.row].task].append(draw.row)
    for task, rows in seen.items():
        size = counts[task]
        for start in range(0, len(rows) - size + 1, size):
            assert len(set(rows[start : start + size])) == size


def test_any_step_can_be_drawn_without_those_before() -> None:
    examples = many({"a": 17, "b": 5})
    through = Sampler(examples, {"a": 2.0}, 1.0, 6, 2, 3)
    every = [through.draw(step) for step in range(30)]
    assert [Sampler(examples, {"a": 2.0}, 1.0, 6, 2, 3).draw(step) for step in (29, 4)] == [
        every[29],
        every[4],
    ]
    assert Sampler(examples, {"a": 2.0}, 1.0, 6, 2, 4).draw(4) != every[4]


def test_the_mix_is_that_of_the_weights_and_even_over_short_stretches() -> None:
    examples = many({"a": 50, "b": 50, "c": 50})
    sampler = Sampler(examples, {"a": 6.0, "b": 3.0, "c": 0.0}, 1.0, 9, 2, 1)
    assert {task: share for task, (_, share) in sampler.tasks.items()} == pytest.approx(
        {"a": 2 / 3, "b": 1 / 3}
    )
    for step in range(20):
        tasks = Counter(examples[draw.row].task for draw in sampler.draw(step))
        assert 5 <= tasks["a"] <= 7
        assert tasks["c"] == 0


def test_questions_of_one_group_meet_in_a_step() -> None:
    examples = [example(f"q{at} on day {day}", "ageing", f"g{at}") for at in range(12) for day in range(3)]
    sampler = Sampler(examples, {}, 1.0, 6, 2, 9)
    for step in range(6):
        groups = Counter(examples[draw.row].group for draw in sampler.draw(step))
        assert sorted(groups.values()) == [3, 3]


@given(
    grades=st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0]), min_size=1, max_size=15), size=st.integers(2, 8)
)
def test_a_long_list_keeps_each_grade_as_far_as_it_can(grades: list[float], size: int) -> None:
    examples = [example("q", "a", "g", tuple(grades))]
    for step in range(5):
        (draw,) = Sampler(examples, {}, 1.0, 1, size, 2).draw(step)
        assert len(set(draw.kept)) == len(draw.kept) == min(size, len(grades))
        kept = {grades[at] for at in draw.kept}
        assert kept >= set(sorted(set(grades), reverse=True)[:size])


def test_the_candidates_of_a_long_list_change_from_round_to_round() -> None:
    sampler = Sampler([example("q", "a", "g", (3.0, *[0.0] * 30))], {}, 1.0, 1, 4, 2)
    assert len({tuple(sorted(sampler.draw(step)[0].kept)) for step in range(10)}) > 5


def test_nothing_to_train_on_is_an_error() -> None:
    with pytest.raises(ExampleError, match="every task has weight 0"):
        Sampler(many({"a": 2}), {"a": 0.0}, 1.0, 1, 2, 1)
