from __future__ import annotations

from datetime import date

import pytest
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from index.document import Window
from index.ingest.clean.days import decide_order, find_days, from_serial
from index.ingest.clean.rounds import read_rounds

DAYS = st.dates(date(2000, 1, 1), date(2039, 12, 30))


def fixed(day: str, opens: str | None = None) -> tuple[str, str | None]:
    return day, opens


def shown(windows: tuple[Window, ...]) -> list[object]:
    return [
        (str(window.deadline_on), str(window.opens_on) if window.opens_on else None)
        if window.deadline_on
        else window.month_day or window.kind
        for window in windows
    ]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("2026-09-24", [fixed("2026-09-24")]),
        ("2026-10-07 00:00:00", [fixed("2026-10-07")]),
        ("['17-02-2026 02:00:00']", [fixed("2026-02-17")]),
        ("['09-10-2025 03:00:00', '29-04-2026 03:00:00']", [fixed("2025-10-09"), fixed("2026-04-29")]),
        (["Sep 30, 2025 to Nov 30, 2025", "Jan 30, 2026 to Mar 15, 2026"],
         [fixed("2025-11-30", "2025-09-30"), fixed("2026-03-15", "2026-01-30")]),
        ("2025-09-01 ~ 2025-09-26", [fixed("2025-09-26", "2025-09-01")]),
        ("30-May-2025", [fixed("2025-05-30")]),
        ("September 30, 2019", [fixed("2019-09-30")]),
        ("05.01.2024", [fixed("2024-01-05")]),
        ("115年03月23日", [fixed("2026-03-23")]),
        ("15 มีนาคม 2568", [fixed("2025-03-15")]),
        ("1 February; 1 June; 1 October", ["--02-01", "--06-01", "--10-01"]),
        ("31 August (International); 31 October (Domestic)", ["--08-31", "--10-31"]),
        ("Es gibt 2 Bewerbungsfristen pro Jahr: 1. März und 1. September.", ["--03-01", "--09-01"]),
        ("der 15. Februar und der 15. August eines jeden Jahres", ["--02-15", "--08-15"]),
        ("15 juni–31 juli", ["--07-31"]),
        (45981, [fixed("2025-11-20")]),
        ("46017", [fixed("2025-12-26")]),
        ("2061-12-31", ["rolling"]),
        ("Stały nabór", ["rolling"]),
        ("상시", ["rolling"]),
        ("Bewerbungen sind jederzeit möglich.\nDas Gremium tagt jeden März.", ["rolling"]),
        ("14 Sep 2024\nThe deadline for scholarships is September 15.", [fixed("2024-09-14")]),
    ],
)  # fmt: skip
def test_what_is_certain_is_read(cell: object, expected: list[object]) -> None:
    assert shown(read_rounds(cell).windows) == expected


@pytest.mark.parametrize(
    "cell",
    ["End July", "Mid August", "December", "March and August", "11월", "2568", "2910-05-22", "Czekamy...",
     "VTAC dates apply",     "05/09/2024", "Ende Februar", "Whole May", "2569 (ปิดรับสมัครแล้ว)",
     "February; May; August; November", "No application required",
     "2026-02-30", "31 June", 123, 99999999, "soon",
     "within 3 months", "Das Gremium tagt am 3. März und am 9. Juli.", True, {"a": 1}],
)  # fmt: skip
def test_what_is_not_certain_stays_text(cell: object) -> None:
    for window in read_rounds(cell).windows:
        assert (window.deadline_on, window.opens_on, window.month_day) == (None, None, None)


def test_an_opening_after_the_deadline_is_dropped_and_said() -> None:
    read = read_rounds("2024-03-06", "2026-02-25")
    assert shown(read.windows) == [fixed("2024-03-06")]
    assert read.doubt


@pytest.mark.parametrize(
    ("column", "order"),
    [
        (["05/15/2024", "05/09/2024"], "mdy"),
        (["17-02-2026", "12-03-2025"], "dmy"),
        (["05/09/2024"], None),
        (["05/15/24", "15/05/24"], None),
    ],
)
def test_the_column_decides_the_order(column: list[str], order: str | None) -> None:
    assert decide_order(column) == order


def test_the_order_of_the_column_reads_what_one_cell_cannot_say() -> None:
    assert shown(read_rounds("05/09/2024", order="mdy").windows) == [fixed("2024-05-09")]
    assert shown(read_rounds("02-24-24", order="mdy").windows) == [fixed("2024-02-24")]


@given(
    DAYS,
    st.sampled_from(["en_US", "en_GB", "de", "es", "fr", "it", "sv", "pl", "nl", "id"]),
    st.sampled_from(["long", "medium"]),
)
def test_a_day_that_babel_writes_is_read(day: date, locale: str, style: str) -> None:
    written = format_date(day, style, locale)
    found = find_days(written, "mdy" if locale == "en_US" else "dmy")
    assert [item.on() for item in found] == [day], written


@given(DAYS)
def test_a_serial_is_the_day_that_a_spreadsheet_shows(day: date) -> None:
    assert from_serial((day - date(1899, 12, 30)).days) == (day if day >= date(2000, 1, 1) else None)


@given(
    st.one_of(st.text(), st.integers(), st.floats(), st.lists(st.text(max_size=20), max_size=3), st.none())
)
def test_nothing_raises(cell: object) -> None:
    read_rounds(cell, cell)


@given(
    st.text(alphabet="0123456789-/. ,;:~年月日abcMarchto", max_size=40), st.sampled_from([None, "dmy", "mdy"])
)
def test_no_day_without_its_digits(text: str, order: str | None) -> None:
    for window in read_rounds(text, order=order).windows:  # type: ignore[arg-type]
        day = window.deadline_on
        if day is None or from_serial(text) == day:
            continue
        assert str(day.day) in text
        assert str(day.year % 100) in text or str(day.year - 1911) in text or str(day.year + 543) in text
