"""Availability against a second implementation that reads wall clocks, and at the edges of zones."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from index.availability import AVAILABILITY, PRECEDENCE, Availability, availability
from index.document import Document, Window
from index.zone import LAST_PLACE, closes_at, instant_of_day, opens_at, zone

ZONES = (None, "AoE", "UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Asia/Shanghai")
ZONES += ("Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Kiritimati", "Pacific/Apia", "Mars/Olympus")

days = st.dates(date(2025, 1, 1), date(2027, 12, 31))
instants = st.datetimes(datetime(2025, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC))
times = st.none() | st.times().map(lambda at: f"{at:%H:%M}")


@st.composite
def window(draw: st.DrawFn) -> Window:
    first, last = sorted((draw(days), draw(days)))
    kind = draw(st.sampled_from(["fixed", "rolling", "recurring", "unknown"]))
    has_day = kind == "recurring" and draw(st.booleans())
    return Window(
        opens_on=draw(st.sampled_from([None, first])),
        deadline_on=None if has_day else draw(st.sampled_from([None, last])),
        month_day=f"--{draw(st.dates(date(2000, 1, 1), date(2000, 12, 31))):%m-%d}" if has_day else None,
        time=draw(times),
        zone=draw(st.sampled_from(ZONES)),
        kind=kind,
    )


# --- the second implementation: it never converts a closing to an instant, it reads the clock in the zone ---


def clock_in(name: str | None, as_of: datetime) -> datetime:
    """What a clock on the wall of the window's zone shows."""
    if name in (None, "AoE", "Mars/Olympus"):
        shown = as_of.astimezone(UTC) - timedelta(hours=12)
    else:
        shown = as_of.astimezone(ZoneInfo(name))
    return shown.replace(tzinfo=None, microsecond=0)


def last_minute(one: Window, day: date) -> datetime:
    return datetime.combine(day, time.fromisoformat(one.time) if one.time else time(23, 59, 59))


def naive_state(one: Window, as_of: datetime) -> str:
    shown = clock_in(one.zone, as_of)
    if one.deadline_on and shown > last_minute(one, one.deadline_on):
        return "unknown" if one.kind == "recurring" else "closed"
    if one.opens_on and shown.date() < one.opens_on:
        return "upcoming"
    if one.kind == "rolling":
        return "rolling"
    return "open" if one.deadline_on else "unknown"


def naive_expected(one: Window, as_of: datetime) -> date | None:
    """Walks day by day from today until one has the month and day."""
    if one.kind != "recurring" or not (one.month_day or one.deadline_on):
        return None
    wanted = one.month_day or f"--{one.deadline_on:%m-%d}"
    shown = clock_in(one.zone, as_of)
    day = shown.date()
    while True:
        tomorrow = day + timedelta(days=1)
        names = {f"--{day:%m-%d}"} | ({"--02-29"} if f"{day:%m%d}{tomorrow:%m%d}" == "02280301" else set())
        if wanted in names and last_minute(one, day) >= shown:
            return day
        day = tomorrow


def unambiguous(one: Window) -> bool:
    """Whether the closing is one instant: where the clock is set over it, walls say two things."""
    if one.deadline_on is None:
        return True
    local = last_minute(one, one.deadline_on).replace(tzinfo=zone(one.zone)[0])
    return local.utcoffset() == local.replace(fold=1).utcoffset()


@given(window(), instants)
@example(
    Window(deadline_on=date(2026, 3, 8), zone="America/New_York", kind="fixed"),
    datetime(2026, 3, 9, 4, tzinfo=UTC),
)
@example(
    Window(deadline_on=date(2026, 11, 1), zone="America/New_York"),
    datetime(2026, 11, 2, 4, 59, 59, tzinfo=UTC),
)
def test_one_window_is_what_a_clock_on_the_wall_says(one: Window, as_of: datetime) -> None:
    assume(unambiguous(one))
    found = availability((one,), as_of)
    assert found.state == naive_state(one, as_of)
    assert found.window == one
    assert found.expected_on == (naive_expected(one, as_of) if found.state == "unknown" else None)
    ahead = found.state in ("open", "upcoming", "rolling") and one.deadline_on is not None
    wait = one.deadline_on - clock_in(one.zone, as_of).date() if ahead and one.deadline_on else None
    assert found.days_left == (wait.days if wait is not None else None)
    dated = one.deadline_on or one.opens_on or one.month_day
    assert found.zone_assumed == bool(dated and one.zone in (None, "Mars/Olympus"))


@given(window(), instants)
def test_a_closing_is_the_last_second_and_is_given_only_where_it_is_a_fact(
    one: Window, as_of: datetime
) -> None:
    found = availability((one,), as_of)
    if one.deadline_on is None or found.state == "unknown":
        assert found.closes_at is None
        return
    assert found.closes_at is not None
    assert found.closes_at.tzinfo is UTC
    assume(one.opens_on is None or opens_at(one.opens_on, zone(one.zone)[0]) <= found.closes_at)
    at_last = availability((one,), found.closes_at + timedelta(microseconds=999_999))
    after = availability((one,), found.closes_at + timedelta(seconds=1))
    assert at_last.state in ("open", "rolling")
    assert after.state == ("unknown" if one.kind == "recurring" else "closed")


def rank(one: Window, as_of: datetime) -> tuple[object, ...]:
    """The order in which windows speak for a programme, spelled out."""
    state = naive_state(one, as_of)
    info = zone(one.zone)[0]
    closing = one.deadline_on and closes_at(one.deadline_on, last_minute(one, one.deadline_on).time(), info)
    far = datetime(3000, 1, 1, tzinfo=UTC)
    match state:
        case "open":
            return (0, closing)
        case "rolling":
            return (1, closing or far)
        case "upcoming":
            assert one.opens_on is not None
            return (2, opens_at(one.opens_on, info), closing or far)
        case "unknown":
            return (3, naive_expected(one, as_of) or date(3000, 1, 1))
        case _:
            assert closing
            return (4, far - closing)


@given(st.lists(window(), max_size=5), instants)
def test_the_best_window_speaks_for_the_programme(windows: list[Window], as_of: datetime) -> None:
    assume(all(map(unambiguous, windows)))
    found = availability(tuple(windows), as_of)
    if not windows:
        assert found == Availability("unknown")
        return
    best = min(windows, key=lambda one: rank(one, as_of))
    assert found == availability((best,), as_of)


@pytest.mark.parametrize(
    ("name", "last_second"),
    [
        ("UTC", "2026-10-31T23:59:59"),
        ("Asia/Shanghai", "2026-10-31T15:59:59"),
        ("Asia/Kolkata", "2026-10-31T18:29:59"),
        ("Pacific/Kiritimati", "2026-10-31T09:59:59"),
        ("America/New_York", "2026-11-01T03:59:59"),
        ("AoE", "2026-11-01T11:59:59"),
        (None, "2026-11-01T11:59:59"),
        ("Nowhere/Land", "2026-11-01T11:59:59"),
        ("../../etc/passwd", "2026-11-01T11:59:59"),
        ("America", "2026-11-01T11:59:59"),
        ("localtime", "2026-11-01T11:59:59"),
    ],
)
def test_the_deadline_day_is_open_to_its_end_in_the_windows_zone(name: str | None, last_second: str) -> None:
    windows = (Window(deadline_on=date(2026, 10, 31), zone=name, kind="fixed"),)
    closing = datetime.fromisoformat(last_second).replace(tzinfo=UTC)
    found = availability(windows, closing)
    assert (found.state, found.closes_at, found.days_left) == ("open", closing, 0)
    assert availability(windows, closing + timedelta(seconds=1)).state == "closed"
    assert found.zone_assumed == (
        name not in ("UTC", "Asia/Shanghai", "Asia/Kolkata", "Pacific/Kiritimati", "America/New_York", "AoE")
    )


def test_a_zone_that_skipped_a_day_still_has_an_end_of_it() -> None:
    # Samoa had no 30 December 2011.
    found = availability(
        (Window(deadline_on=date(2011, 12, 30), zone="Pacific/Apia"),), datetime(2011, 12, 29, tzinfo=UTC)
    )
    assert found.closes_at is not None
    assert (
        datetime(2011, 12, 30, 9, 59, 59, tzinfo=UTC)
        <= found.closes_at
        <= datetime(2011, 12, 31, 9, 59, 59, tzinfo=UTC)
    )


def test_summer_time_moves_the_closing_by_an_hour() -> None:
    new_york = ZoneInfo("America/New_York")
    before = closes_at(date(2026, 3, 7), time(23, 59, 59), new_york)
    after = closes_at(date(2026, 3, 8), time(23, 59, 59), new_york)
    assert after - before == timedelta(hours=23)
    assert closes_at(date(2026, 11, 1), time(23, 59, 59), new_york) - closes_at(
        date(2026, 10, 31), time(23, 59, 59), new_york
    ) == timedelta(hours=25)


def test_a_closing_time_that_comes_twice_is_the_later_and_one_that_never_comes_is_not_earlier() -> None:
    new_york = ZoneInfo("America/New_York")
    # 01:30 came at 05:30 and at 06:30 UTC; 02:30 never came, the hour after 06:59 UTC was 03:00.
    assert closes_at(date(2026, 11, 1), time(1, 30), new_york) == datetime(2026, 11, 1, 6, 30, tzinfo=UTC)
    assert closes_at(date(2026, 3, 8), time(2, 30), new_york) == datetime(2026, 3, 8, 7, 30, tzinfo=UTC)


def test_a_day_whose_midnight_is_skipped_begins_when_the_clock_is_set() -> None:
    # Cuba sets its clocks forward at midnight.
    assert opens_at(date(2026, 3, 8), ZoneInfo("America/Havana")) == datetime(2026, 3, 8, 5, tzinfo=UTC)
    assert opens_at(date(2026, 10, 31), LAST_PLACE) == datetime(2026, 10, 31, 12, tzinfo=UTC)


def test_a_closing_time_cuts_the_day() -> None:
    windows = (Window(deadline_on=date(2026, 10, 31), time="17:00", zone="Europe/Berlin", kind="fixed"),)
    assert availability(windows, datetime(2026, 10, 31, 16, 0, tzinfo=UTC)).state == "open"
    closed = availability(windows, datetime(2026, 10, 31, 16, 0, 1, tzinfo=UTC))
    assert (closed.state, closed.days_left) == ("closed", None)


def test_a_window_is_open_from_the_first_second_of_its_opening_day() -> None:
    windows = (Window(opens_on=date(2026, 10, 1), deadline_on=date(2026, 10, 31), zone="Asia/Shanghai"),)
    first = datetime(2026, 9, 30, 16, tzinfo=UTC)
    before = availability(windows, first - timedelta(seconds=1))
    assert (before.state, before.days_left) == ("upcoming", 31)
    assert availability(windows, first).state == "open"


def test_a_yearly_closing_is_expected_today_to_its_last_second() -> None:
    windows = (Window(month_day="--10-31", time="17:00", zone="UTC", kind="recurring"),)
    last = datetime(2026, 10, 31, 17, tzinfo=UTC)
    assert availability(windows, last).expected_on == date(2026, 10, 31)
    assert availability(windows, last + timedelta(seconds=1)).expected_on == date(2027, 10, 31)


def test_of_closed_rounds_the_last_is_shown() -> None:
    rounds = tuple(Window(deadline_on=date(year, 3, 1), kind="fixed") for year in (2024, 2025, 2023))
    assert availability(rounds, datetime(2026, 1, 1, tzinfo=UTC)).window == rounds[1]


def test_of_coming_rounds_the_next_to_open_is_shown_and_of_those_the_next_to_close() -> None:
    rounds = tuple(
        Window(opens_on=date(2026, opens, 1), deadline_on=date(2026, closes, 1))
        for opens, closes in ((7, 8), (6, 9), (6, 8))
    )
    assert availability(rounds, datetime(2026, 1, 1, tzinfo=UTC)).window == rounds[2]


def test_days_left_are_days_of_the_windows_calendar() -> None:
    windows = (Window(deadline_on=date(2026, 11, 1), zone="Pacific/Kiritimati", kind="fixed"),)
    # 10:00 UTC is midnight in Kiritimati: one second apart, one day apart.
    assert availability(windows, datetime(2026, 10, 30, 9, 59, 59, tzinfo=UTC)).days_left == 2
    assert availability(windows, datetime(2026, 10, 30, 10, 0, 0, tzinfo=UTC)).days_left == 1


@pytest.mark.parametrize(
    ("as_of", "expected_on"),
    [
        ("2026-01-15", date(2026, 2, 28)),
        ("2026-02-28", date(2026, 2, 28)),
        ("2026-03-01", date(2027, 2, 28)),
        ("2027-03-01", date(2028, 2, 29)),
        ("2028-02-29", date(2028, 2, 29)),
        ("2099-03-01", date(2100, 2, 28)),
    ],
)
def test_29_february_recurs_on_the_last_of_february(as_of: str, expected_on: date) -> None:
    windows = (Window(month_day="--02-29", kind="recurring", zone="UTC"),)
    found = availability(windows, datetime.fromisoformat(as_of).replace(tzinfo=UTC))
    assert found == Availability("unknown", windows[0], None, None, False, expected_on)


def test_a_recurring_round_with_a_date_is_open_and_then_expected_again() -> None:
    windows = (Window(deadline_on=date(2026, 3, 1), kind="recurring", zone="UTC"),)
    assert availability(windows, datetime(2026, 2, 1, tzinfo=UTC)).state == "open"
    found = availability(windows, datetime(2026, 3, 2, tzinfo=UTC))
    assert (found.state, found.closes_at, found.expected_on) == ("unknown", None, date(2027, 3, 1))


def test_a_plain_day_stands_for_an_instant_that_parts_yesterday_from_today_everywhere() -> None:
    as_of = instant_of_day(date(2026, 10, 31))
    for name in (None, "AoE", "America/Anchorage", "UTC", "Asia/Shanghai", "Australia/Sydney"):
        states = [
            availability((Window(deadline_on=day, zone=name),), as_of).state
            for day in (date(2026, 10, 30), date(2026, 10, 31))
        ]
        assert states == ["closed", "open"], name
    assert instant_of_day(date(2026, 10, 31), "Asia/Shanghai") == datetime(2026, 10, 31, 4, tzinfo=UTC)
    assert instant_of_day(date(2026, 10, 31), "AoE") == datetime(2026, 11, 1, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "as_of",
    [datetime(2026, 1, 1), datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=LAST_PLACE)],
)
def test_an_instant_without_a_zone_or_out_of_range_is_refused(as_of: datetime) -> None:
    with pytest.raises(ValueError, match="as_of must"):
        availability((Window(deadline_on=date(2026, 1, 1)),), as_of)


@pytest.mark.parametrize("day", [date(1900, 1, 1), date(2199, 12, 31)])
@pytest.mark.parametrize(
    "as_of", [datetime(1900, 1, 1, tzinfo=UTC), datetime(2199, 12, 31, 23, 59, tzinfo=UTC)]
)
@pytest.mark.parametrize("name", ["Pacific/Kiritimati", None])
def test_the_ends_of_the_range_are_computed(day: date, as_of: datetime, name: str | None) -> None:
    windows = (
        Window(opens_on=day, deadline_on=day, zone=name),
        Window(month_day="--02-29", kind="recurring"),
    )
    assert availability(windows, as_of).state in AVAILABILITY


def test_the_two_orders_hold_the_same_states() -> None:
    assert sorted(AVAILABILITY) == sorted(PRECEDENCE) == ["closed", "open", "rolling", "unknown", "upcoming"]


def test_twelve_scholarships_show_every_state(twelve: tuple[Document, ...], frozen_now: datetime) -> None:
    states = [availability(document.windows, frozen_now).state for document in twelve]
    assert states == ["open"] * 3 + ["upcoming"] * 2 + ["rolling"] + ["unknown"] * 2 + ["closed"] * 2 + [
        "open",
        "upcoming",
    ]
