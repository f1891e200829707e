"""Estimates of the next round: exact where the past is regular, silent where it is thin, never about the past."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.availability import availability
from index.document import Document, Window
from index.estimate import TOLERANCE_DAYS, Estimate, estimate

NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)
ALIVE = {"open", "rolling", "upcoming"}


def closed(*days: str, opens: str | None = None, **facts: object) -> tuple[Window, ...]:
    return tuple(
        Window(
            opens_on=date.fromisoformat(opens) if opens else None,
            deadline_on=date.fromisoformat(day),
            kind="fixed",
            **facts,  # type: ignore[arg-type]
        )
        for day in days
    )


def award(*windows: Window, title: str = "Harbour Grant") -> Document:
    return Document("harbour", title, windows=windows)


def of(*days: str, at: datetime = NOW, **facts: object) -> Estimate | None:
    return estimate([award(*closed(*days, **facts))], at)


def test_three_rounds_on_one_day_give_the_day_its_years_and_its_basis() -> None:
    assert of("2023-12-02", "2024-12-02", "2025-12-02") == Estimate(
        date(2026, 12, 2), None, (2023, 2024, 2025), "closed on 2 Dec in 2023, 2024 and 2025"
    )


def test_rounds_that_move_a_little_give_the_middle_day_and_say_between_which_days_they_lay() -> None:
    found = of("2023-11-28", "2024-12-06", "2025-12-01")
    assert found is not None
    assert found.deadline_on == date(2026, 12, 1)
    assert found.basis == "closed between 28 Nov and 6 Dec in 2023, 2024 and 2025"


def test_days_about_new_year_are_neighbours() -> None:
    found = of("2022-12-30", "2024-01-02", "2024-12-31")
    assert found is not None
    assert found.deadline_on == date(2026, 12, 31)
    assert found.basis == "closed between 30 Dec and 2 Jan in 2022 and 2024"


@pytest.mark.parametrize(
    "days",
    [
        (),
        ("2025-12-02",),  # once
        ("2025-10-02", "2025-12-02"),  # twice within one year
        ("2023-12-02", "2025-12-02"),  # every second year, or a round that nobody recorded
        ("2021-12-02", "2022-12-02", "2023-09-01"),  # long silent
        ("2024-03-01", "2025-09-01"),  # two rounds, but at other times of the year
        ("2022-06-01", "2023-06-01", "2024-10-01", "2025-10-20", "2025-12-01", "2025-12-10", "2025-12-20"),
    ],
)  # fmt: skip
def test_thin_or_contradictory_pasts_give_nothing(days: tuple[str, ...]) -> None:
    assert of(*days) is None


def test_a_missed_record_or_a_longer_period_is_seen_with_three_rounds() -> None:
    gap = of("2022-06-01", "2023-06-01", "2025-06-01")
    second = of("2021-06-01", "2023-06-01", "2025-06-01")
    assert gap is not None
    assert gap.deadline_on == date(2026, 6, 1)
    assert second is not None
    assert second.deadline_on == date(2027, 6, 1)


def test_the_sooner_of_two_series_is_given_and_one_that_moved_is_not() -> None:
    twice_a_year = of("2024-03-01", "2024-10-01", "2025-03-01", "2025-10-01")
    moved = of("2022-05-01", "2023-05-01", "2024-10-01", "2025-10-01")
    assert twice_a_year is not None
    assert twice_a_year.deadline_on == date(2026, 3, 1)
    assert moved is not None
    assert moved.deadline_on == date(2026, 10, 1)


def test_openings_are_estimated_from_two_known_ones() -> None:
    one, two = closed("2024-06-30", opens="2024-05-30"), closed("2025-06-30", opens="2025-05-31")
    both = estimate([award(*one, *two)], NOW)
    half = estimate([award(*one, replace(two[0], opens_on=None))], NOW)
    assert both is not None
    assert (both.opens_on, both.deadline_on) == (date(2026, 5, 31), date(2026, 6, 30))
    assert half is not None
    assert half.opens_on is None


@pytest.mark.parametrize(
    ("title", "text", "speaks"),
    [
        ("Annual Harbour Bursary", None, True),
        ("Harbour Grant", "Applications close every year on 1 December", True),
        ("港湾奖学金", "每年12月1日截止", True),
        ("Grant for families with an annual household income under 30,000", None, False),
        ("Annual Meeting Travel Award", None, False),
        ("Harbour Grant", "1 December", False),
    ],
)
def test_one_round_is_a_pattern_only_of_a_record_that_calls_itself_annual(
    title: str, text: str | None, speaks: bool
) -> None:
    found = estimate([award(*closed("2025-12-01", text=text), title=title)], NOW)
    assert (found is not None) == speaks
    if found is not None:
        assert (found.deadline_on, found.basis) == (date(2026, 12, 1), "closed on 1 Dec in 2025")


def test_rounds_named_year_by_year_make_one_date_among_them_a_pattern() -> None:
    named = [Window(cycle=cycle) for cycle in ("2023/24", "2024/25")]
    dated = closed("2025-12-01", cycle="2025/26")
    assert estimate([award(*named, *dated)], NOW) is not None
    assert estimate([award(*named[1:], *dated)], NOW) is None


def test_a_stated_day_of_every_year_comes_before_what_the_past_suggests() -> None:
    stated = Window(month_day="--03-01", kind="recurring")
    found = estimate([award(stated, *closed("2024-10-20", "2025-10-20"))], NOW)
    assert found == Estimate(date(2026, 3, 1), None, (), "stated to close on 1 Mar each year")


def test_rounds_about_the_stated_day_bear_it_out() -> None:
    stated = Window(month_day="--03-01", kind="recurring")
    found = estimate([award(stated), award(*closed("2024-02-25", "2025-03-02"))], NOW)
    assert found == Estimate(
        date(2026, 3, 1),
        None,
        (2024, 2025),
        "stated to close on 1 Mar each year; closed between 25 Feb and 2 Mar in 2024 and 2025",
    )


def test_an_annual_award_that_missed_a_year_is_silent() -> None:
    once = award(*closed("2024-06-01"), title="Annual Harbour Bursary")
    assert estimate([once], datetime(2025, 6, 20, tzinfo=UTC)) is not None
    assert estimate([once], NOW) is None


def test_29_february_falls_on_the_28th() -> None:
    found = of("2020-02-29", "2024-02-29", "2025-02-28")
    assert found is not None
    assert found.deadline_on == date(2026, 2, 28)


DAY = st.dates(date(2015, 1, 1), date(2028, 12, 31))
WINDOW = st.builds(
    lambda day, lead, kind: Window(
        opens_on=day - timedelta(days=lead) if lead else None, deadline_on=day, kind=kind
    ),
    DAY,
    st.sampled_from([0, 0, 20, 60]),
    st.sampled_from(["fixed", "unknown", "recurring"]),
) | st.sampled_from([Window(kind="rolling"), Window(month_day="--05-01", kind="recurring"), Window()])
WINDOWS = st.lists(WINDOW, max_size=8)
ASKED = st.datetimes(datetime(2016, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))


@given(WINDOWS, ASKED)
def test_it_speaks_only_where_no_round_lies_ahead_and_only_of_days_to_come(
    windows: list[Window], as_of: datetime
) -> None:
    found = estimate([award(*windows)], as_of)
    if found is None:
        return
    assert availability(tuple(windows), as_of).state not in ALIVE
    assert found.deadline_on >= (as_of - timedelta(hours=12)).date()  # today in the last place on earth
    assert found.opens_on is None or found.opens_on <= found.deadline_on
    assert list(found.years) == sorted(set(found.years))
    assert set(found.years) <= {window.deadline_on.year for window in windows if window.deadline_on}


@given(WINDOWS, ASKED, st.randoms(use_true_random=False))
def test_neither_order_nor_copies_nor_the_records_they_stand_in_matter(
    windows: list[Window], as_of: datetime, random: object
) -> None:
    alone = estimate([award(*windows)], as_of)
    shuffled = [*windows, *windows[:2]]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    apart = [award(window) for window in shuffled]
    found = estimate(apart, as_of)
    if alone is None or found is None:
        assert alone is found
        return
    # Of two windows of one day either may lend its opening.
    assert (found.deadline_on, found.years, found.basis) == (alone.deadline_on, alone.years, alone.basis)


@given(
    st.dates(date(2019, 1, 1), date(2022, 12, 31)),
    st.integers(2, 5),
    st.lists(st.integers(-7, 7), min_size=5, max_size=5),
    st.integers(1, 300),
)
def test_a_yearly_award_is_expected_within_the_sway_of_its_past(
    first: date, rounds: int, sway: list[int], later: int
) -> None:
    def turn(years: int) -> date:
        day = 28 if (first.month, first.day) == (2, 29) else first.day
        return date(first.year + years, first.month, day)

    days = [turn(years) + timedelta(days=sway[years]) for years in range(rounds)]
    as_of = datetime.combine(days[-1] + timedelta(days=later + 1), datetime.min.time(), UTC)
    found = estimate([award(*closed(*(day.isoformat() for day in days)))], as_of)
    assert found is not None
    assert abs((found.deadline_on - turn(rounds)).days) <= 8  # one more across a leap day
    assert set(found.years) == {day.year for day in days}


@given(st.lists(DAY, min_size=1, max_size=10, unique=True), ASKED)
def test_its_rounds_lie_about_the_day_it_names(days: list[date], as_of: datetime) -> None:
    found = of(*(day.isoformat() for day in days), at=as_of)
    if found is None:
        return
    for year in found.years:
        turns = [
            found.deadline_on.replace(year=one, day=min(found.deadline_on.day, 28))
            for one in (year - 1, year, year + 1)
        ]
        near = min(abs((day - turn).days) for day in days if day.year == year for turn in turns)
        # Each round may drift from the one before; the middle one is never further than all of them together.
        assert near <= TOLERANCE_DAYS * len(found.years) + 3
