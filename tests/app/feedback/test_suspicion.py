"""What is not counted, and why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.feedback.allowance import Allowance
from app.feedback.suspicion import (
    FLAGS,
    LATE_S,
    QUICK_CLICKS,
    RATE_SEARCHES,
    SKEW_S,
    Page,
    Sent,
    flags_of,
    is_robot,
    too_many,
)

PAGE = Page(1000.0, {"a": 1, "b": 2}, None)


def sent(event_id: str, received_s: float = 1010.0, **facts: object) -> Sent:
    plain: dict[str, object] = {"type": "click", "doc_id": "a", "at_s": None, **facts}
    return Sent(event_id, received_s=received_s, **plain)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("page", "event", "flag"),
    [
        (PAGE, sent("e"), None),
        (None, sent("e"), "unknown"),
        (PAGE, sent("e", doc_id="z"), "unshown"),
        (PAGE, sent("e", type="refine", doc_id=None), None),
        (Page(1000.0, {"a": 1}, "bot"), sent("e"), "bot"),
        (Page(1000.0, {"a": 1}, "forced"), sent("e"), "forced"),
        (PAGE, sent("e", 1000.0 + LATE_S), None),
        (PAGE, sent("e", 1001.0 + LATE_S), "late"),
        (PAGE, sent("e", at_s=1000.0 - SKEW_S), None),
        (PAGE, sent("e", at_s=999.0 - SKEW_S), "skew"),
        (PAGE, sent("e", at_s=1011.0 + SKEW_S), "skew"),
    ],
)
def test_an_event_by_itself(page: Page | None, event: Sent, flag: str | None) -> None:
    assert flags_of(page, [event]) == {"e": flag}


def test_a_double_click_counts_once_and_a_second_look_twice() -> None:
    twice = [sent("e1", 1010.0), sent("e2", 1010.4), sent("e3", 1015.0), sent("e4", 1010.2, doc_id="b")]
    assert flags_of(PAGE, twice) == {"e1": None, "e2": "duplicate", "e3": None, "e4": None}
    stays = [sent("e1", type="dwell"), sent("e2", 1010.1, type="dwell")]
    assert set(flags_of(PAGE, stays).values()) == {None}


def test_many_clicks_at_once_are_no_persons() -> None:
    clicks = [sent(f"e{at}", 1010.0 + at / 10, doc_id="ab"[at % 2]) for at in range(QUICK_CLICKS + 1)]
    assert set(flags_of(PAGE, clicks).values()) == {"bot"}
    spread = [sent(f"e{at}", 1010.0, at_s=1010.0 + 3 * at) for at in range(QUICK_CLICKS + 1)]
    assert set(flags_of(PAGE, spread).values()) == {None}


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["click", "dwell", "save"]),
            st.sampled_from(["a", "b", "z"]),
            st.integers(0, 60).map(lambda tick: 1000.0 + tick / 4),
        ),
        max_size=12,
    ),
    st.randoms(),
)
def test_the_order_in_which_events_arrive_changes_no_flag(
    raw: list[tuple[str, str, float]], rng: object
) -> None:
    events = [sent(f"e{at:02}", when, type=kind, doc_id=doc) for at, (kind, doc, when) in enumerate(raw)]
    mixed = list(events)
    rng.shuffle(mixed)  # type: ignore[attr-defined]
    found = flags_of(PAGE, mixed)
    assert found == flags_of(PAGE, events)
    assert set(found.values()) <= {None, *FLAGS}


def test_more_searches_in_a_minute_than_a_person_makes() -> None:
    calm = [(float(at), f"q{at}") for at in range(RATE_SEARCHES)]
    assert too_many(calm) == set()
    assert too_many([*calm, (59.5, "one-more")]) == {key for _, key in calm} | {"one-more"}
    slow = [(3.0 * at, f"q{at}") for at in range(500)]
    assert too_many(slow) == set()


@pytest.mark.parametrize(
    ("agent", "robot"),
    [
        ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", True),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/120.0 Safari/537.36", True),
        ("Mozilla/5.0 (compatible; Baiduspider/2.0)", True),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15", False),
        ("Mozilla/5.0 (X11; CUBOT NOTE 20) AppleWebKit/537.36 Chrome/110.0 Mobile Safari/537.36", False),
        ("python-httpx/0.28", False),
        ("curl/8.5.0", False),
        ("", False),
    ],
)
def test_who_calls_itself_a_robot(agent: str, robot: bool) -> None:
    assert is_robot(agent) is robot


def test_an_allowance_fills_again_by_the_second_and_is_each_callers_own() -> None:
    now = [0.0]
    allowance = Allowance(60, lambda: now[0])
    assert allowance.take("a", 60) is None
    assert allowance.take("a", 5) == 5
    assert allowance.take("b", 60) is None
    now[0] = 4.9
    assert allowance.take("a", 5) == 1
    now[0] = 5.0
    assert allowance.take("a", 5) is None
    now[0] = 1e6
    assert allowance.take("a", 60) is None
    assert allowance.take("a", 1) == 1
