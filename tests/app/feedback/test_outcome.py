"""What came of searches, against a second way of counting it that knows no shortcuts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.feedback.figures import figures_of
from app.feedback.outcome import METRICS, REFINED_WITHIN_S, Deed, Outcome, Served, outcomes
from app.feedback.visits import PAUSE_S, visits


def served(query_id: str, at_s: float = 0.0, **facts: object) -> Served:
    plain: dict[str, object] = {
        **{"unit": "u", "session": None, "query_hash": query_id, "offset": 0, "shown": 10, "total_ms": 5.0},
        **facts,
    }
    return Served(query_id, at_s, **plain)  # type: ignore[arg-type]


def click(query_id: str, rank: int, at_s: float = 1.0, **facts: object) -> Deed:
    plain: dict[str, object] = {"type": "click", "doc_id": f"d{rank}", "dwell_ms": None, **facts}
    return Deed(query_id, rank=rank, at_s=at_s, **plain)  # type: ignore[arg-type]


def metrics(pages: Sequence[Served], deeds: Sequence[Deed]) -> dict[str, dict[str, float]]:
    return {one.served.query_id: dict(one.metrics) for one in outcomes(pages, deeds)}


def test_the_best_ranked_click_among_five_counts() -> None:
    found = metrics([served("a")], [click("a", 4), click("a", 2), click("a", 7)])["a"]
    assert (found["click_mrr@5"], found["ctr@1"], found["ctr@5"], found["zero_click"]) == (0.5, 0, 1, 0)
    found = metrics([served("a")], [click("a", 6)])["a"]
    assert (found["click_mrr@5"], found["ctr@5"], found["zero_click"]) == (0, 0, 0)


def test_a_search_without_a_click_counts_as_zero_and_one_without_hits_too() -> None:
    both = outcomes([served("a"), served("b", 500.0, shown=0)], [click("a", 1)])
    assert figures_of(both).means["click_mrr@5"] == 0.5
    assert [one.metrics["zero_result"] for one in both] == [0, 1]
    assert figures_of([]).searches == 0
    assert math.isnan(figures_of([]).means["ctr@1"])


def test_what_is_flagged_counts_for_nothing() -> None:
    assert metrics([served("a", flag="bot")], [click("a", 1)]) == {}
    assert metrics([served("a")], [click("a", 1, flag="duplicate")])["a"]["zero_click"] == 1


def test_a_stay_that_has_not_ended_is_not_one_of_no_length() -> None:
    stay = Deed("a", "dwell", "d1", 1, 4000.0, 9.0)
    [one] = outcomes([served("a")], [click("a", 1), click("a", 2)])
    assert math.isnan(one.metrics["dwell_ms"])
    assert (one.clicks, one.untold) == (2, 2)
    longer = replace(stay, dwell_ms=9000.0)
    [one] = outcomes([served("a")], [click("a", 1), click("a", 2), stay, longer])
    assert one.metrics["dwell_ms"] == 9000.0
    assert (one.clicks, one.untold) == (2, 1)


def test_further_pages_are_parts_of_their_search() -> None:
    pages = [served("a", query_hash="x"), served("b", 60.0, query_hash="x", offset=10)]
    found = metrics(pages, [click("b", 12, 61.0)])
    assert list(found) == ["a"]
    assert (found["a"]["zero_click"], found["a"]["click_mrr@5"]) == (0, 0)
    stranger = metrics([pages[0], replace(pages[1], unit="v")], [click("b", 12, 61.0)])
    assert stranger["a"]["zero_click"] == 1


@pytest.mark.parametrize(
    ("later", "deeds", "refined"),
    [
        (served("b", REFINED_WITHIN_S), [], 1.0),
        (served("b", REFINED_WITHIN_S + 0.1), [], 0.0),
        (served("b", 10.0), [click("a", 9)], 0.0),
        (served("b", 10.0, query_hash="a"), [], 0.0),
        (served("b", 10.0, unit="v"), [], 0.0),
        (served("b", 500.0), [Deed("a", "refine", None, None, None, 499.0)], 1.0),
    ],
)
def test_refined_is_who_asks_soon_again_in_other_words(
    later: Served, deeds: list[Deed], refined: float
) -> None:
    assert metrics([served("a"), later], deeds)["a"]["refined"] == refined


def test_nobody_knows_whether_a_stranger_asked_again() -> None:
    assert math.isnan(metrics([served("a", unit=None)], [])["a"]["refined"])


def test_a_visit_ends_with_a_long_pause_and_a_session_is_never_two_people() -> None:
    found = visits([("u", 0.0), ("u", PAUSE_S), ("u", 2 * PAUSE_S + 1), ("v", 1.0)])
    assert found["u", 0.0] == found["u", PAUSE_S]
    assert len({found["u", 0.0], found["u", 2 * PAUSE_S + 1], found["v", 1.0]}) == 3


# --- a second implementation -----------------------------------------------------------------------------

PAGES = st.lists(
    st.builds(
        lambda at, unit, words, offset, flag: (at, unit, words, offset, flag),
        st.integers(0, 400).map(lambda tick: tick * 20.0),
        st.sampled_from(["u", "v", None]),
        st.sampled_from(["x", "y"]),
        st.sampled_from([0, 0, 0, 10]),
        st.sampled_from([None, None, None, "bot"]),
    ),
    max_size=12,
)
DEEDS = st.lists(
    st.tuples(
        st.integers(0, 11),
        st.sampled_from(["click", "click", "dwell", "apply", "refine"]),
        st.integers(1, 8),
        st.integers(0, 30),
        st.sampled_from([None, None, "late"]),
    ),
    max_size=14,
)


def slow(pages: list[Served], deeds: list[Deed], one: Served) -> dict[str, float]:
    """The figures of one search, from their definitions, by looking at everything each time."""
    live = [page for page in pages if page.flag is None]
    good = [deed for deed in deeds if deed.flag is None]

    def same_visit(a: Served, b: Served) -> bool:
        if a.unit is None or a.unit != b.unit:
            return False
        own = [page.query_id for page in live if page.unit == a.unit]
        seen = {page.at_s for page in live if page.unit == a.unit}
        seen |= {deed.at_s for deed in good if deed.query_id in own}
        low, high = sorted((a.at_s, b.at_s))
        between = sorted(at for at in seen if low <= at <= high)
        return all(right - left <= PAUSE_S for left, right in pairwise(between))

    def order(page: Served) -> tuple[float, int, str]:
        return (page.at_s, page.offset, page.query_id)

    def belongs(page: Served) -> bool:
        if page.query_id == one.query_id:
            return True
        if page.offset == 0:
            return False
        firsts = [
            first
            for first in live
            if first.offset == 0
            and first.query_hash == page.query_hash
            and same_visit(first, page)
            and order(first) < order(page)
        ]
        return bool(firsts) and max(firsts, key=order).query_id == one.query_id

    ids = [page.query_id for page in live if belongs(page)]
    own = [deed for deed in good if deed.query_id in ids]
    ranks = [deed.rank for deed in own if deed.type == "click" and deed.rank is not None]
    acted = bool(ranks) or any(deed.type == "apply" for deed in own)
    stays = {deed.doc_id for deed in own if deed.type == "dwell"}
    longest = [max(d.dwell_ms or 0.0 for d in own if d.type == "dwell" and d.doc_id == doc) for doc in stays]
    later = sorted(
        (page for page in live if page.offset == 0 and same_visit(one, page) and order(page) > order(one)),
        key=order,
    )
    if any(deed.type == "refine" for deed in own):
        refined = 1.0
    elif one.unit is None:
        refined = math.nan
    else:
        again = bool(later) and later[0].query_hash != one.query_hash
        refined = float(not acted and again and later[0].at_s - one.at_s <= REFINED_WITHIN_S)
    return {
        "click_mrr@5": max([1 / rank for rank in ranks if rank <= 5], default=0.0),
        "ctr@1": float(1 in ranks),
        "ctr@5": float(any(rank <= 5 for rank in ranks)),
        "zero_click": float(not acted),
        "zero_result": float(one.shown == 0),
        "refined": refined,
        "dwell_ms": math.fsum(longest) if longest else math.nan,
        "applied": float(any(deed.type == "apply" for deed in own)),
        "degraded": 0.0,
        "latency_ms": one.total_ms,
    }


@given(PAGES, DEEDS)
def test_the_figures_are_those_of_their_definitions(
    raw_pages: list[tuple[float, str | None, str, int, str | None]],
    raw_deeds: list[tuple[int, str, int, int, str | None]],
) -> None:
    pages = [
        served(f"q{at:02}", at_s, unit=unit, query_hash=words, offset=offset, flag=flag)
        for at, (at_s, unit, words, offset, flag) in enumerate(raw_pages)
    ]
    deeds = [
        Deed(
            pages[of].query_id,
            kind,
            None if kind == "refine" else f"d{rank}",
            None if kind == "refine" else rank,
            1000.0 * minutes if kind == "dwell" else None,
            pages[of].at_s + 60.0 * minutes,
            flag,
        )
        for of, kind, rank, minutes, flag in raw_deeds
        if of < len(pages)
    ]
    found = {one.served.query_id: one for one in outcomes(pages, deeds)}
    assert set(found) == {page.query_id for page in pages if page.offset == 0 and page.flag is None}
    for one in found.values():
        expected = slow(pages, deeds, one.served)
        assert set(one.metrics) == set(METRICS) == set(expected)
        for name in METRICS:
            assert one.metrics[name] == pytest.approx(expected[name], nan_ok=True), name


@given(PAGES, st.randoms())
def test_the_order_of_rows_changes_nothing(
    raw_pages: list[tuple[float, str | None, str, int, str | None]], rng: object
) -> None:
    pages = [
        served(f"q{at:02}", at_s, unit=unit, query_hash=words, offset=offset, flag=flag)
        for at, (at_s, unit, words, offset, flag) in enumerate(raw_pages)
    ]
    mixed = list(pages)
    rng.shuffle(mixed)  # type: ignore[attr-defined]

    def plain(found: list[Outcome]) -> list[tuple[str, str]]:
        return [(one.served.query_id, repr(one.metrics)) for one in found]

    assert plain(outcomes(mixed, [])) == plain(outcomes(pages, []))
