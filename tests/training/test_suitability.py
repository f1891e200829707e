from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.document import Document, Window
from index.timeintent import TimeIntent
from training.synthesis.facts import Facts, facts
from training.synthesis.kinship import is_same_programme, is_sibling
from training.synthesis.need import Need
from training.synthesis.oracle import grade, together
from training.synthesis.standing import standing
from training.synthesis.suitability import suitability

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)


def award(**changes: object) -> Facts:
    document = Document(
        doc_id=str(changes.pop("doc_id", "a")),
        title=str(changes.pop("title", "Fjord Prize")),
        provider=changes.pop("provider", "Fjord University"),  # type: ignore[arg-type]
        windows=changes.pop("windows", ()),  # type: ignore[arg-type]
        source=changes.pop("source", None),  # type: ignore[arg-type]
    )
    blank = Facts(
        document, document.title.lower(), "fjord university", None, None, None, None, any_field=False,
        traits=frozenset(), coverage=frozenset(), places=frozenset(), categories=frozenset(),
        is_call=False, is_flagship=False,
    )  # fmt: skip
    return replace(blank, **changes)  # type: ignore[arg-type]


def one(*values: str) -> frozenset[str]:
    return frozenset(values)


MASTER_IN_NORWAY = Need(level="master", country="NO", field="0521")
FITTING = award(levels=one("master"), hosts=one("NO"), fields=one("0521"))


def test_all_that_was_asked_is_exact():
    assert suitability(MASTER_IN_NORWAY, FITTING) == 3


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"levels": one("phd")}, 1.0),  # the right thing for somebody else
        ({"hosts": one("SE")}, 1.0),
        ({"levels": one("phd"), "hosts": one("SE")}, 0.0),  # two constraints fail
        ({"fields": one("0421")}, 0.0),  # another topic
        ({"fields": one("05")}, 3.0),  # a broader field takes it in
        ({"is_call": True}, 0.0),
    ],
)
def test_what_a_mismatch_leaves(change, expected):
    assert suitability(MASTER_IN_NORWAY, replace(FITTING, **change)) == expected


@pytest.mark.parametrize("facet", ["levels", "hosts", "fields"])
def test_silence_costs_less_than_a_mismatch_and_more_than_a_fit(facet):
    silent = suitability(MASTER_IN_NORWAY, replace(FITTING, **{facet: None}))
    other = {"levels": one("phd"), "hosts": one("SE"), "fields": one("0421")}[facet]
    assert suitability(MASTER_IN_NORWAY, replace(FITTING, **{facet: other})) < silent < 3


def test_a_record_that_says_nothing_of_what_was_asked_is_of_no_use():
    assert suitability(MASTER_IN_NORWAY, award()) == 0


def test_an_award_for_a_group_is_not_for_who_did_not_say_to_belong():
    for_women = replace(FITTING, traits=one("women"))
    assert suitability(MASTER_IN_NORWAY, for_women) < suitability(MASTER_IN_NORWAY, FITTING)
    assert suitability(replace(MASTER_IN_NORWAY, group="women"), for_women) == 3
    assert suitability(replace(MASTER_IN_NORWAY, group="women"), replace(FITTING, traits=one("refugee"))) == 0


@pytest.mark.parametrize(
    ("stated", "hosts", "expected"),
    [
        (one("any"), one("NO"), 3.0),
        (one("KE", "GH"), one("NO"), 3.0),
        (one("NO"), one("NO"), 1.0),
        (None, one("NO"), 2.1),  # a country's own award that does not speak of foreigners
        (None, one("KE"), 1.0),  # at home, for somebody who wants to leave
    ],
)
def test_nationality(stated, hosts, expected):
    need = Need(level="master", nationality="KE", is_abroad=True)
    found = award(levels=one("master"), hosts=hosts, nationalities=stated)
    assert suitability(need, found) == pytest.approx(expected)


def test_who_writes_korean_and_says_no_more_is_not_from_spain():
    need = Need(level="master", homes=one("KR"))
    spanish = award(levels=one("master"), hosts=one("ES"), nationalities=one("ES"))
    korean = award(levels=one("master"), hosts=one("KR"), nationalities=one("KR"))
    assert suitability(need, spanish) < 2 <= suitability(need, korean)


def test_a_named_programme_is_all_that_counts():
    need = Need(names=one("a"), level="phd")
    assert suitability(need, award(doc_id="a")) == 3
    assert suitability(need, replace(FITTING, document=award(doc_id="b").document)) == 0


# --- time ---------------------------------------------------------------------------------------------


def round_of(
    doc_id: str, opens: date | None, closes: date | None, kind: str = "fixed", **more: object
) -> Facts:
    return award(doc_id=doc_id, windows=(Window(opens_on=opens, deadline_on=closes, kind=kind, **more),))  # type: ignore[arg-type]


OPEN = round_of("open", date(2026, 9, 1), date(2026, 10, 20))
CLOSED = round_of("closed", date(2025, 9, 1), date(2025, 10, 20))
COMING = round_of("coming", date(2027, 3, 1), date(2027, 4, 20))
FAR = round_of("far", date(2028, 3, 1), date(2028, 4, 20))
ROLLING = round_of("rolling", None, None, "rolling")
YEARLY = round_of("yearly", None, None, "recurring", month_day="--11-15")
UNDATED = award(doc_id="undated")
NOTHING = TimeIntent()


def stands(facts: Facts, *others: Facts, intent: TimeIntent = NOTHING, named: bool = False) -> float:
    return standing(facts, (facts, *others), NOW, intent, named=named)


def test_what_can_be_applied_for_stands_above_what_does_not_say_and_that_above_what_is_over():
    order = [OPEN, ROLLING, UNDATED, YEARLY, COMING, CLOSED]
    values = [stands(facts) for facts in order]
    assert values == sorted(values, reverse=True)
    assert values[0] == 3
    assert values[-1] == 1


def test_the_last_day_is_still_open_and_the_day_after_is_not():
    last = round_of("last", None, NOW.date())
    gone = round_of("gone", None, date(2026, 9, 29))
    assert (stands(last), stands(gone)) == (3, 1)


def test_beside_an_open_round_the_next_is_good_and_a_further_one_related():
    assert stands(COMING, OPEN) == 2
    assert stands(FAR, OPEN) == 1
    assert stands(FAR, COMING) == 1


def test_the_past_round_of_a_named_programme_tells_that_it_comes_back_unless_a_later_one_is_there():
    older = round_of("older", date(2024, 9, 1), date(2024, 10, 20))
    assert stands(CLOSED, older, named=True) > stands(older, CLOSED, named=True) == 1
    assert stands(CLOSED, older, OPEN, named=True) == 1


@pytest.mark.parametrize(
    ("intent", "best", "worse"),
    [
        (TimeIntent("open_now"), OPEN, UNDATED),
        (TimeIntent("open_now"), UNDATED, COMING),
        (TimeIntent("deadline_question"), OPEN, UNDATED),
        (TimeIntent("deadline_question"), YEARLY, UNDATED),
        (TimeIntent("period", date(2026, 11, 1), date(2026, 11, 30)), YEARLY, OPEN),
        (TimeIntent("period", date(2026, 10, 1), date(2026, 10, 31)), OPEN, YEARLY),
        (TimeIntent("period", date(2027, 1, 1), date(2027, 12, 31)), COMING, OPEN),
        (TimeIntent("past"), CLOSED, OPEN),
    ],
)
def test_what_the_question_asks_of_time_decides(intent, best, worse):
    assert stands(best, intent=intent) > stands(worse, intent=intent)


def test_an_undated_record_of_a_year_long_gone_is_over():
    stale = round_of("stale", None, None, "unknown", cycle="2021")
    assert stands(stale) < 1.5 < stands(UNDATED)


# --- both ---------------------------------------------------------------------------------------------


@given(suits=st.floats(0, 3), stands=st.floats(1, 3))
def test_a_grade_never_exceeds_what_it_is_made_of(suits, stands):
    found = together(suits, stands)
    assert 0 <= found <= round(min(suits, stands), 1) + 1e-9
    if stands <= 1:
        assert found <= 1


@given(a=st.floats(0, 3), b=st.floats(0, 3), c=st.floats(1, 3), d=st.floats(1, 3))
def test_a_better_award_that_stands_better_is_not_graded_lower(a, b, c, d):
    low, high = sorted((a, b))
    worse, better = sorted((c, d))
    assert together(low, worse) <= together(high, better)


def test_the_grade_of_an_open_a_closed_and_a_wrong_award():
    dated = replace(FITTING, document=OPEN.document)
    over = replace(FITTING, document=CLOSED.document)
    wrong = replace(dated, fields=one("0421"))
    assert [grade(MASTER_IN_NORWAY, found, (found,), NOW) for found in (dated, over, wrong)] == [3, 1, 0]


# --- names --------------------------------------------------------------------------------------------


def test_rounds_and_copies_are_one_programme_and_namesakes_are_not():
    def named(title: str, provider: str | None) -> Facts:
        return facts(Document(doc_id=title, title=title, provider=provider))

    first = named("Fjord Prize 2025", "University of Fjords")
    assert is_same_programme(first, named("Fjord Prize (2026/27)", "The University of Fjords"))
    assert is_same_programme(first, named("fjord prize", None))
    other = named("Fjord Prize", "Lake College")
    assert not is_same_programme(first, other)
    assert is_sibling(first, other)
    assert is_sibling(named("Fjord Prize for Masters", "X"), named("Fjord Prize for Master", "X"))
    assert not is_sibling(named("Fjord Prize", "X"), named("Mountain Bursary", "X"))
