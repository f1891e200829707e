"""One row per programme: at the best place, showing the best window."""

from datetime import UTC, date, datetime

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from index.availability import PRECEDENCE, availability
from index.collapse import collapse
from index.columns import Columns
from index.document import Document, Window
from index.types import EMPTY, RankedList, ordered

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
CLOSED_LONG_AGO = (Window(deadline_on=date(2024, 1, 1)),)
CLOSED = (Window(deadline_on=date(2026, 1, 1)),)
UNDATED = ()
ROLLING = (Window(kind="rolling"),)
OPEN = (Window(deadline_on=date(2026, 11, 1)),)
OPEN_LONGER = (Window(deadline_on=date(2026, 12, 1)),)
UPCOMING = (Window(opens_on=date(2026, 11, 1), deadline_on=date(2027, 1, 1)),)
UPCOMING_LATER = (Window(opens_on=date(2027, 11, 1), deadline_on=date(2028, 1, 1)),)
# From best to worst.
WINDOWS = (OPEN, OPEN_LONGER, ROLLING, UPCOMING, UPCOMING_LATER, UNDATED, CLOSED, CLOSED_LONG_AGO)


def columns(*told: tuple[str | None, tuple[Window, ...]]) -> Columns:
    return Columns.of(
        [
            Document(doc_id=f"{at:03d}", title="T", programme_id=programme, windows=windows)
            for at, (programme, windows) in enumerate(told)
        ]
    )


def ranking(*rows: int) -> RankedList:
    """`rows` in this order, with scores that fall."""
    return RankedList(np.array(rows, np.int64), np.arange(len(rows), 0, -1).astype(np.float32))


def test_a_programme_keeps_its_best_place_and_shows_its_next_window() -> None:
    told = columns(("p", CLOSED), (None, CLOSED), ("p", UPCOMING), ("p", OPEN), (None, OPEN))
    found = collapse(ranking(1, 0, 4, 2, 3), told, NOW)
    assert found.rows.tolist() == [1, 3, 4]
    assert found.scores.tolist() == [5.0, 4.0, 3.0]


def test_only_ranked_members_are_shown() -> None:
    told = columns(("p", CLOSED), ("p", OPEN), ("p", ROLLING))
    assert collapse(ranking(0, 2), told, NOW).rows.tolist() == [2]


def test_among_equal_windows_the_best_ranked_member_is_shown() -> None:
    told = columns(("p", OPEN), ("p", OPEN), ("p", OPEN))
    assert collapse(ranking(1, 2, 0), told, NOW).rows.tolist() == [1]


def test_every_better_window_is_preferred_to_every_worse_one() -> None:
    told = columns(*(("p", windows) for windows in WINDOWS))
    for better in range(len(WINDOWS)):
        for worse in range(better + 1, len(WINDOWS)):
            assert collapse(ranking(worse, better), told, NOW).rows.tolist() == [better]


def test_nothing_to_collapse_is_left_as_it_is() -> None:
    told = columns((None, OPEN), ("p", OPEN))
    ranked = ranking(1, 0)
    assert collapse(ranked, told, NOW) is ranked
    assert len(collapse(EMPTY, told, NOW)) == 0


members = st.tuples(st.sampled_from([None, "p", "q"]), st.sampled_from(WINDOWS))


@given(st.lists(members, min_size=1, max_size=10), st.data())
def test_collapsing_keeps_one_row_a_programme_in_the_order(
    told: list[tuple[str | None, tuple[Window, ...]]], data: st.DataObject
) -> None:
    rows = data.draw(st.lists(st.integers(0, len(told) - 1), unique=True, min_size=1))
    scores = data.draw(st.lists(st.sampled_from([1.0, 2.0, 3.0]), min_size=len(rows), max_size=len(rows)))
    ranked = ordered(np.array(rows, np.int64), np.array(scores, np.float32))
    found = collapse(ranked, columns(*told), NOW)
    groups = {row: told[row][0] or f"alone {row}" for row in rows}
    assert sorted(groups[row] for row in found.rows.tolist()) == sorted(set(groups.values()))
    again = ordered(found.rows, found.scores)
    assert again.rows.tolist() == found.rows.tolist()
    for row, score in zip(found.rows.tolist(), found.scores.tolist(), strict=True):
        own = [other for other in ranked.rows.tolist() if groups[other] == groups[row]]
        assert score == max(ranked.scores[ranked.rows.tolist().index(other)] for other in own)
        best = min(PRECEDENCE.index(availability(told[other][1], NOW).state) for other in own)
        assert PRECEDENCE.index(availability(told[row][1], NOW).state) == best
    assert collapse(found, columns(*told), NOW).rows.tolist() == found.rows.tolist()
