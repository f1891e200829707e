"""The flat form: what its columns say for certain becomes a fact, the rest stays text."""

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.deadline import Reading, is_sentinel, read_deadline
from index.document import Amount, Document, Window
from index.errors import RecordError
from index.record import parse_record


def flat(**columns: object) -> Document:
    return parse_record({"id": "x", "title": "X", "deadline": None, **columns})


def test_a_flat_row_with_stray_columns_is_read() -> None:
    document = flat(
        provider="DAAD",
        opens="2026-08-01",
        deadline="2026-10-31",
        deadline_text="until 31 October 2026",
        cycle_year=2026,
        amount_min=934,
        amount_max=1200,
        currency="EUR",
        amount_text="934 to 1200 Euro",
        source_licence="MIT",
        fetched_commit="abc",
    )
    assert document.windows == (
        Window(
            opens_on=date(2026, 8, 1), deadline_on=date(2026, 10, 31), kind="fixed", cycle="2026",
            text="until 31 October 2026",
        ),
    )  # fmt: skip
    assert document.amount == Amount(934.0, 1200.0, "EUR", None, "934 to 1200 Euro")
    assert document.licence == "MIT"


def test_nothing_stated_is_no_window_and_no_amount() -> None:
    document = flat(opens=None, deadline_text=None, cycle_year=None, amount_text=" ", amount_min=None)
    assert document.windows == ()
    assert document.amount is None


def test_a_text_that_only_repeats_the_date_is_dropped() -> None:
    assert flat(deadline="2026-10-31", deadline_text="2026-10-31").windows[0].text is None


def test_an_opening_after_the_deadline_is_dropped_and_the_deadline_kept() -> None:
    window = flat(deadline="2024-03-06", opens="2026-02-25").windows[0]
    assert (window.opens_on, window.deadline_on) == (None, date(2024, 3, 6))


def test_an_opening_or_a_cycle_alone_is_kept_as_a_window_of_unknown_kind() -> None:
    assert flat(opens="2026-02-25").windows == (Window(opens_on=date(2026, 2, 25), kind="unknown"),)
    assert flat(cycle_year=2018).windows == (Window(kind="unknown", cycle="2018"),)


@pytest.mark.parametrize("day", ["2061-12-31", "2041-12-31", "2099-01-01", "9999-12-31"])
def test_a_far_last_or_first_day_of_a_year_means_always(day: str) -> None:
    for document in (flat(deadline=day), flat(deadline_text=day)):
        window = document.windows[0]
        assert (window.kind, window.deadline_on, window.text) == ("rolling", None, day)


@pytest.mark.parametrize("day", ["2039-12-31", "2043-05-10", "2910-05-22", "2061-12-30", "12-31"])
def test_other_far_days_are_not_taken_for_always(day: str) -> None:
    assert not is_sentinel(day)
    assert flat(deadline_text=day).windows[0].kind == "unknown"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("31 October", ["--10-31"]),
        ("October 31", ["--10-31"]),
        ("OCT. 31st", ["--10-31"]),
        ("1st of July", ["--07-01"]),
        ("Sept 6", ["--09-06"]),
        ("May 31st.", ["--05-31"]),
        ("February 29", ["--02-29"]),
        ("--10-31", ["--10-31"]),
        ("10月31日", ["--10-31"]),
        ("３月１日", ["--03-01"]),
        ("10월 31일", ["--10-31"]),
        ("15. Dezember eines Jahres", ["--12-15"]),
        ("July 1, yearly", ["--07-01"]),
        ("Annually July 28th", ["--07-28"]),
        ("October 7 (Annual)", ["--10-07"]),
        ("February 1 (February 1)", ["--02-01"]),
        ("15 June; 30 November", ["--06-15", "--11-30"]),
        ("June 1 (Fall); November 1 (Spring)", ["--06-01", "--11-01"]),
        ("1. März und 1. September eines Jahres", ["--03-01", "--09-01"]),
        ("April 15, April 15", ["--04-15"]),
    ],
)
def test_a_plain_day_of_the_year_is_read(text: str, days: list[str]) -> None:
    assert read_deadline(text) == Reading(month_days=tuple(days))


@pytest.mark.parametrize(
    "text",
    [
        "Rolling",
        "rolling admission",
        "Ongoing",
        "Always open",
        "Anytime",
        "No closing date",
        "Open Year-Round",
        "Applications are accepted year-round",
        "Anytime\nNo application required.",
        "Stały nabór",
        "jederzeit",
        "Bewerbungen sind jederzeit möglich.",
        "löpande",
        "常年",
        "隨時",
        "상시",
        "2061-12-31",
    ],
)
def test_a_text_that_plainly_says_always_is_read(text: str) -> None:
    assert read_deadline(text) == Reading(rolling=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "October",
        "End October",
        "early January",
        "Mid-April",
        "10/31",
        "10/11",
        "31 June",
        "February 30",
        "October 15 (Varies by program)",
        "April 15 (April 15 / December 15)",
        "November 12; January 20, 28",
        "March 1, 2026",
        "2026 December 1",
        "1 March 2026",
        "July, 12",
        "30th of every month",
        "31-03-2016",
        "Between January- March",
        "June 2, 11:00 pm (PST)",
        "11월",
        "Open",
        "Variable",
        "none",
        "Czekamy...",
        "Rolling: Start in January or June",
        "Not specified\nAnytime",
        "jederzeit, allerdings nicht im Mai",
        "Applications are closed",
        "not rolling",
        "2568",
        "15 of",
        "may",
        "1",
        "Deadline 31 October",
        "13月1日",
    ],
)
def test_a_text_that_is_not_certain_stays_text(text: str) -> None:
    assert read_deadline(text) == Reading()


@given(st.text(max_size=40))
def test_any_text_is_read_without_an_error_and_yields_days_of_the_calendar(text: str) -> None:
    for found in read_deadline(text).month_days:
        date.fromisoformat(f"2000-{found[2:]}")


@given(st.dates(date(2000, 1, 1), date(2000, 12, 31)), st.sampled_from(["%B %d", "%d %B", "%b %d", "%d. %B"]))
def test_every_day_written_plainly_comes_back(day: date, pattern: str) -> None:
    assert read_deadline(day.strftime(pattern)).month_days == (f"--{day:%m-%d}",)


def test_several_days_are_several_windows_with_the_text_of_all() -> None:
    text = "15 June; 30 November"
    assert flat(deadline_text=text, cycle_year=2026).windows == (
        Window(month_day="--06-15", kind="recurring", cycle="2026", text=text),
        Window(month_day="--11-30", kind="recurring", cycle="2026", text=text),
    )


def test_a_sum_of_nothing_and_contradicting_sums_are_unknown() -> None:
    assert flat(amount_min=0, amount_max=5, currency="USD").amount == Amount(max=5.0, currency="USD")
    assert flat(amount_min=9, amount_max=5, amount_text="9-5").amount == Amount(text="9-5")


def test_lists_inside_the_list_of_fields_are_opened() -> None:
    assert flat(fields=[["Nursing", "Law"], "Law", "44181033"]).fields == ("Nursing", "Law", "44181033")


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("Https://a.example/x", "Https://a.example/x"),
        ("www.a.example/x", "https://www.a.example/x"),
        ("Apply through your school", None),
        ("javascript:alert(1)", None),
        ("N/A", None),
    ],
)
def test_an_address_that_is_none_is_dropped(told: str, kept: str | None) -> None:
    assert flat(url=told).url == kept


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("deadline", "31.10.2026"),
        ("deadline", "2026-10-32"),
        ("deadline", 46017),
        ("opens", "soon"),
        ("cycle_year", 20),
        ("cycle_year", True),
        ("amount_min", "900"),
        ("amount_max", -1),
        ("currency", "Euro"),
        ("deadline_text", 5),
        ("levels", ["Masters"]),
    ],
)
def test_a_column_of_the_wrong_kind_is_refused_by_its_own_name(column: str, value: object) -> None:
    with pytest.raises(RecordError) as caught:
        flat(**{column: value})
    assert caught.value.field.partition("[")[0] == column


def test_a_record_of_both_forms_is_of_the_contract_form_and_its_flat_column_is_named() -> None:
    with pytest.raises(RecordError) as caught:
        flat(windows=[{"deadline_on": "2026-01-01"}], deadline="2026-01-01")
    assert caught.value.field == "deadline"


@pytest.mark.slow
def test_the_real_flat_files_are_read_but_for_ids_that_are_addresses(shared: Path) -> None:
    kinds: dict[str, int] = {}
    refused = []
    for path in sorted((shared / "data/scholarships/normalised").glob("*.jsonl")):
        for text in path.read_text(encoding="utf-8").rstrip("\n").split("\n"):
            try:
                document = parse_record(json.loads(text))
            except RecordError as error:
                refused.append(error.field)
                continue
            for window in document.windows:
                kinds[window.kind] = kinds.get(window.kind, 0) + 1
    assert set(refused) == {"id"}
    assert len(refused) == 13
    assert kinds["fixed"] == 7481
    assert kinds["rolling"] > 500
    assert kinds["recurring"] > 1200
