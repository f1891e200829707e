"""Time features: bounded, finite, monotone in days, exact about the last day, and blind to nothing they name."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.availability import AVAILABILITY, availability
from index.document import Document, Window
from index.timing import TIMING_FEATURES, log_days, timing, timing_fingerprint

ZONES = (None, "AoE", "UTC", "America/New_York", "Asia/Shanghai", "Pacific/Kiritimati", "Mars/Olympus")
days = st.dates(date(1950, 1, 1), date(2150, 12, 31))
instants = st.datetimes(datetime(1950, 1, 1), datetime(2150, 1, 1), timezones=st.just(UTC))
windows = st.builds(
    Window,
    opens_on=st.none() | days,
    deadline_on=st.none() | days,
    month_day=st.none() | st.dates(date(2000, 1, 1), date(2000, 12, 31)).map(lambda day: f"--{day:%m-%d}"),
    time=st.none() | st.times().map(lambda at: f"{at:%H:%M}"),
    zone=st.sampled_from(ZONES),
    kind=st.sampled_from(["fixed", "rolling", "recurring", "unknown"]),
    cycle=st.none() | st.sampled_from(["2019", "2026/27", "spring"]),
)


@dataclass(frozen=True)
class Wish:
    kind: str
    start: date | None = None
    end: date | None = None


wishes = st.none() | st.builds(
    Wish,
    kind=st.sampled_from(["none", "open_now", "deadline_question", "period", "past"]),
    start=st.none() | days,
    end=st.none() | days,
)


def award(*rounds: Window, **facts: object) -> Document:
    return Document(doc_id="a", title=str(facts.pop("title", "An award")), windows=rounds, **facts)


def read(document: Document, as_of: datetime, wish: Wish | None = None) -> dict[str, float]:
    return dict(zip(TIMING_FEATURES, timing(document, as_of, wish).tolist(), strict=True))


def noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


@given(rounds=st.lists(windows, max_size=4), as_of=instants, wish=wishes, updated=st.none() | instants)
def test_every_feature_is_finite_and_bounded_and_the_state_is_that_of_availability(
    rounds, as_of, wish, updated
):
    document = award(*rounds, updated_at=updated, title="Award 2031")
    found = timing(document, as_of, wish)
    assert found.dtype == np.float32
    assert found.shape == (len(TIMING_FEATURES),)
    assert np.isfinite(found).all()
    assert (np.abs(found) <= 1.0).all()
    states = found[: len(AVAILABILITY)]
    assert states.sum() == 1.0
    assert AVAILABILITY[int(states.argmax())] == availability(tuple(rounds), as_of).state
    assert np.array_equal(found, timing(document, as_of, wish))


@given(distances=st.lists(st.floats(-1e6, 1e6), min_size=2))
def test_log_days_never_fall_and_are_odd(distances):
    distances.sort()
    for near, far in pairwise(distances):
        assert log_days(near) <= log_days(far)
        assert log_days(-near) == -log_days(near)


@given(deadline=days, zone=st.sampled_from(ZONES), moments=st.lists(instants, min_size=2))
def test_time_runs_one_way_towards_a_deadline(deadline, zone, moments):
    one = award(Window(deadline_on=deadline, zone=zone, kind="fixed"))
    left = [read(one, moment)["to_deadline"] for moment in sorted(moments)]
    assert left == sorted(left, reverse=True)


@given(deadline=days, zone=st.sampled_from(["UTC", "America/New_York", "Asia/Shanghai"]))
def test_the_last_day_is_still_open_to_its_last_second(deadline, zone):
    one = award(Window(deadline_on=deadline, zone=zone, kind="fixed"))
    last = datetime(deadline.year, deadline.month, deadline.day, 23, 59, 59, 999_999, tzinfo=ZoneInfo(zone))
    before = read(one, last.astimezone(UTC))
    after = read(one, last.astimezone(UTC) + timedelta(seconds=1))
    assert before["is_open"] == 1.0
    assert before["to_deadline"] >= 0.0
    assert after["is_closed"] == 1.0
    assert after["to_deadline"] < 0.0


def test_one_day_and_one_week_left_read_as_documented():
    closing = datetime(2026, 5, 31, 23, 59, 59, tzinfo=UTC)
    one = award(Window(deadline_on=date(2026, 5, 31), zone="UTC", kind="fixed"))
    assert read(one, closing - timedelta(days=1))["to_deadline"] == pytest.approx(0.0845, abs=1e-4)
    assert read(one, closing - timedelta(days=7))["to_deadline"] == pytest.approx(0.2535, abs=1e-4)
    assert read(one, closing + timedelta(days=365))["to_deadline"] == pytest.approx(-0.7196, abs=1e-4)


def test_the_yearly_phase_is_the_same_each_year_and_closes_the_circle():
    one = award(Window(month_day="--03-01", kind="recurring", zone="UTC"))
    quarter = [read(one, noon(date(year, 11, 30)))["yearly_sine"] for year in (2025, 2026, 2027)]
    assert quarter == pytest.approx([1.0, 1.0, 1.0], abs=1e-3)  # a quarter of a year ahead
    on_the_day = read(one, noon(date(2026, 3, 1)))
    assert (on_the_day["to_yearly"], on_the_day["yearly_cosine"]) == (0.0, 1.0)
    assert on_the_day["has_deadline"] == 0.0  # the year is nobody's word


def test_a_leap_day_returns_on_the_28th():
    one = award(Window(month_day="--02-29", kind="recurring", zone="UTC"))
    assert read(one, noon(date(2026, 2, 28)))["to_yearly"] == 0.0


def test_a_record_without_windows_says_only_that():
    found = read(award(), noon(date(2026, 10, 1)))
    assert {name for name, value in found.items() if value} == {"is_unknown", "has_no_window"}


def test_years_are_read_from_titles_in_both_calendars():
    asked = noon(date(2026, 10, 1))
    assert read(award(title="Award 2024/25"), asked)["year_gap"] == pytest.approx(-0.3608, abs=1e-4)
    assert read(award(title="113學年度獎學金"), asked)["year_gap"] == pytest.approx(-0.3608, abs=1e-4)
    assert read(award(title="Award 2026"), asked) == {
        **read(award(), asked), "names_year": 1.0, "year_gap": 0.0,
    }  # fmt: skip
    assert read(award(title="Award 120241"), asked)["names_year"] == 0.0


def test_age_counts_from_the_later_of_update_and_check():
    one = award(updated_at=noon(date(2026, 1, 1)), verified_on=date(2026, 9, 30))
    assert read(one, noon(date(2026, 10, 1)))["age"] == pytest.approx(log_days(1))
    assert read(replace(one, verified_on=None), noon(date(2025, 1, 1)))["age"] == 0.0  # never from the future


def test_an_old_round_beside_an_open_one_is_told():
    old = Window(deadline_on=date(2025, 5, 1), kind="fixed")
    new = Window(deadline_on=date(2027, 5, 1), kind="fixed")
    found = read(award(old, new), noon(date(2026, 10, 1)))
    assert (found["is_open"], found["had_round"], found["rounds"]) == (1.0, 1.0, 0.25)


@pytest.mark.parametrize(
    ("start", "end", "met", "sign"),
    [
        (date(2027, 1, 1), date(2027, 3, 31), 1.0, 0),  # closes inside
        (date(2026, 11, 1), None, 1.0, 0),
        (date(2027, 4, 1), date(2027, 6, 30), 0.0, -1),  # closes before
        (date(2026, 8, 1), date(2026, 8, 31), 0.0, 1),  # opens after
        (None, date(2026, 9, 1), 1.0, 0),
    ],
)
def test_a_window_meets_the_stretch_asked_for_or_lies_beside_it(start, end, met, sign):
    one = award(Window(opens_on=date(2026, 9, 1), deadline_on=date(2027, 1, 31), kind="fixed"))
    found = read(one, noon(date(2026, 10, 1)), Wish("period", start, end))
    assert found["asks_period"] == 1.0
    assert found["in_period"] == met
    assert np.sign(found["from_period"]) == sign


def test_a_rolling_window_meets_every_stretch():
    found = read(
        award(Window(kind="rolling")), noon(date(2026, 10, 1)), Wish("period", date(2030, 1, 1), None)
    )
    assert found["in_period"] == 1.0


def test_a_naive_instant_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        timing(award(), datetime(2026, 1, 1))


def test_the_fingerprint_names_the_features(monkeypatch):
    before = timing_fingerprint()
    assert before == timing_fingerprint()
    monkeypatch.setattr("index.timing.TIMING_FEATURES", TIMING_FEATURES[:-1])
    assert timing_fingerprint() != before
