"""What the bench of the ladder makes of searches and switches whose times are known."""

from __future__ import annotations

import pytest

from app.bench.ladder.crowd import Served
from app.bench.ladder.judgement import judged
from app.bench.ladder.tally import Work, _day


def served(due: float, done: float, status: int | None = 200) -> Served:
    return Served(due, done, status, "fp16", ())


def test_a_search_belongs_to_the_switch_that_fell_into_it() -> None:
    found = judged(
        [
            served(9.0, 9.5),  # before it
            served(9.5, 10.2),  # under way
            served(10.9, 11.4),  # in its second
            served(11.1, 11.3),  # after it
            served(30.0, 31.0),  # far away
            served(10.5, 10.6, 429),
            served(10.5, 10.6, 500),
            served(10.5, 10.6, None),
        ],
        [10.0],
        around_s=4.0,
    )
    assert (found["in_switch_second"]["searches"], found["around"]["searches"]) == (2, 2)
    assert found["in_switch_second"]["p99"] == pytest.approx(700.0)
    assert found["around"]["p99"] == pytest.approx(500.0)
    assert found["p99_ratio"] == pytest.approx(1.4)
    assert (found["failed"], found["refused"]) == (2, 1)


def test_without_a_switch_there_is_nothing_to_compare() -> None:
    assert judged([served(1.0, 2.0)], [], 4.0)["p99_ratio"] is None


def test_the_day_is_played_at_speed_and_keeps_its_shape() -> None:
    offsets = _day(Work(day_s=240.0, peak=5.0), qps=10.0)
    assert offsets == sorted(offsets)
    assert offsets[0] >= 0.0
    assert offsets[-1] <= 240.0
    night = sum(30.0 <= at < 50.0 for at in offsets)  # 3 to 5 o'clock
    evening = sum(210.0 <= at < 230.0 for at in offsets)  # 21 to 23 o'clock
    assert evening > 4 * night
    assert 40.0 < evening / 20.0 < 130.0  # the busiest hour, and a burst if one falls there
