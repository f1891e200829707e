from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.timeintent import NO_INTENT, TimeIntent, time_intent

TODAY = date(2026, 10, 25)


def day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


@pytest.mark.parametrize(
    "text",
    [
        "phd scholarships ireland",
        "may i apply with a gpa of 2.5",
        "march of dimes scholarship",
        "summer school grant norway",
        "fall prevention research grant",
        "up scholarship",
        "scholarship of 2000 dollars",
        "$2026 award",
        "open university scholarship",
        "3个月交换项目奖学金",
        "6개월 연수 장학금",
        "电机所硕士班奖学金",
        "Stipendium für Promotion",
        "becas para mayores de 25",
        "장학금",
        "",
    ],
)
def test_words_that_only_look_like_time_ask_nothing(text):
    assert time_intent(text, TODAY) == NO_INTENT


@pytest.mark.parametrize(
    "text",
    [
        "masters scholarship uk open now",
        "is the gates cambridge scholarship still open",
        "which phd grants are currently accepting applications",
        "现在可以申请的硕士奖学金",
        "獎學金 還可以申請",
        "隨時可以申請的急難救助金",
        "derzeit ausgeschriebene Stipendien",
        "becas abiertas para maestría",
        "지금 신청 가능한 장학금",
        "모집 중인 장학금",
    ],
)
def test_what_can_be_applied_for_now(text):
    assert time_intent(text, TODAY) == TimeIntent("open_now")


@pytest.mark.parametrize(
    "text",
    [
        "chevening deadline",
        "last date of up scholarship",
        "when does the fulbright application close",
        "洪堡奖学金什么时候截止",
        "獎學金 申請期限",
        "DAAD Bewerbungsfrist",
        "fecha límite beca pronabec",
        "국가장학금 신청 기간",
    ],
)
def test_which_day_it_is(text):
    assert time_intent(text, TODAY) == TimeIntent("deadline_question")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("vanier deadline in november", "2026-11-01", "2026-11-30"),
        ("scholarship closing in march", "2027-03-01", "2027-03-31"),
        ("phd grants before december", "2026-10-25", "2026-11-30"),
        ("apply by 31 January 2027", "2026-10-25", "2027-01-31"),
        ("grants due March 3", "2027-03-03", "2027-03-03"),
        ("master fall 2027", "2026-09-01", "2027-09-30"),
        ("MBA funding 2027 intake", "2026-07-01", "2027-09-30"),
        ("bursary this autumn", "2026-09-01", "2026-11-30"),
        ("funding 2026-27", "2026-01-01", "2027-06-30"),
        ("lic scholarship 2026 27", "2026-01-01", "2027-06-30"),
        ("scholarship 2026", "2026-01-01", "2026-12-31"),
        ("erc grant 2027", "2026-10-25", "2027-12-31"),
        ("grants closing soon", "2026-10-25", "2026-11-24"),
        ("apply before the end of the year", "2026-10-25", "2026-12-31"),
        ("2027年秋季 硕士 奖学金", "2026-09-01", "2027-09-30"),
        ("12月截止的奖学金", "2026-10-25", "2026-12-31"),
        ("12月前可以申请", "2026-10-25", "2026-11-30"),
        ("116學年度 獎學金", "2027-01-01", "2028-06-30"),
        ("Stipendium bis Ende Januar", "2026-10-25", "2027-01-31"),
        ("Stipendium Frist im Dezember", "2026-12-01", "2026-12-31"),
        ("becas que cierran en enero", "2027-01-01", "2027-01-31"),
        ("hasta el 30 de noviembre", "2026-10-25", "2026-11-30"),
        ("11월 30일까지 신청 가능한 장학금", "2026-10-25", "2026-11-30"),
        ("4월에 신청 가능한 장학금", "2027-04-01", "2027-04-30"),
        ("stipendium med sista ansökningsdag 31 oktober", "2026-10-31", "2026-10-31"),
    ],
)
def test_a_stretch_of_time_is_resolved_against_the_day(text, start, end):
    assert time_intent(text, TODAY) == TimeIntent("period", day(start), day(end))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("scholarship 2024", "2024-01-01", "2024-12-31"),
        ("has the rhodes round already closed", None, None),
        ("去年的获奖名单", None, None),
        ("schon abgelaufene Ausschreibungen", None, None),
        ("이미 마감된 장학금", None, None),
    ],
)
def test_what_is_over(text, start, end):
    assert time_intent(text, TODAY) == TimeIntent("past", day(start), day(end))


def test_a_question_for_a_day_keeps_the_year_it_names():
    asked = time_intent("tata scholarship last date 2026", TODAY)
    assert asked == TimeIntent("deadline_question", date(2026, 1, 1), date(2026, 12, 31))


@given(as_of=st.dates(date(2004, 1, 1), date(2044, 12, 31)), month=st.integers(1, 12))
def test_a_month_without_a_year_is_the_running_or_the_next_one(as_of, month):
    name = date(2000, month, 1).strftime("%B")
    asked = time_intent(f"scholarships closing in {name}", as_of)
    assert asked.kind == "period"
    assert asked.start.month == asked.end.month == month
    assert as_of <= asked.end
    assert (asked.end - as_of).days < 366 + 31


@given(text=st.text(max_size=60), as_of=st.dates(date(2004, 1, 1), date(2044, 12, 31)))
def test_any_text_is_read_and_a_stretch_has_its_ends_in_order(text, as_of):
    asked = time_intent(text, as_of)
    if asked.start and asked.end:
        assert asked.start <= asked.end
