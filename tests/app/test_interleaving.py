"""Team draft against a plain retelling of it, and its fairness by counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.interleaving import draft

rankings = st.lists(st.integers(0, 12), unique=True, max_size=9)


@given(rankings, rankings, st.integers(0, 2**32))
def test_everything_is_shown_once_in_an_order_both_teams_agree_with(a: list[int], b: list[int], seed: int):
    picks = draft(a, b, np.random.default_rng(seed))
    lists = {"a": a, "b": b}
    shown = [lists[pick.team][pick.place] for pick in picks]
    assert sorted(shown) == sorted(set(a) | set(b))
    for team, ranking in lists.items():
        own = [pick.place for pick in picks if pick.team == team]
        assert own == sorted(own)
        for at, pick in enumerate(picks):
            if pick.team == team:
                # The best of its own that was not taken: all before it were shown already.
                assert set(ranking[: pick.place]) <= set(shown[:at])


@given(rankings, rankings, st.integers(0, 2**32))
def test_what_counts_comes_first_and_in_rounds_of_one_pick_each(a: list[int], b: list[int], seed: int):
    picks = draft(a, b, np.random.default_rng(seed))
    counted = [pick.team for pick in picks if pick.counts]
    assert [pick.counts for pick in picks] == sorted((pick.counts for pick in picks), reverse=True)
    assert len(counted) % 2 == 0
    assert all(set(counted[at : at + 2]) == {"a", "b"} for at in range(0, len(counted), 2))


def test_equal_rankings_share_every_place_evenly():
    """4,000 drafts of the same ranking: each team has each place half of the time (5 standard errors)."""
    held: Counter[tuple[int, str]] = Counter()
    for seed in range(4000):
        for place, pick in enumerate(draft("wxyz", "wxyz", np.random.default_rng(seed))):
            held[place, pick.team] += 1
    assert all(abs(held[place, "a"] - 2000) < 5 * np.sqrt(1000) for place in range(4))


def test_clicks_by_chance_prefer_nobody_and_clicks_on_the_better_ranking_its_team():
    rng = np.random.default_rng(3)
    good, bad = list(range(10)), list(range(9, -1, -1))
    blind = seeing = 0
    for _ in range(3000):
        picks = draft(good, bad, rng)
        shown = [(good if pick.team == "a" else bad)[pick.place] for pick in picks]
        sign = [0 if not pick.counts else 1 if pick.team == "a" else -1 for pick in picks]
        blind += sign[int(rng.integers(10))]
        seeing += sign[shown.index(0)]
    assert abs(blind) < 5 * np.sqrt(3000)
    assert seeing > 1000
