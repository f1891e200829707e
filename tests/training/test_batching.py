from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from training.batching import groups

LENGTHS = st.lists(st.lists(st.integers(1, 60), min_size=1, max_size=8), min_size=1, max_size=20)


@given(lengths=LENGTHS, budget=st.integers(1, 400))
def test_every_list_is_whole_in_one_group_within_the_budget(lengths: list[list[int]], budget: int) -> None:
    found = groups(lengths, budget)
    assert sorted(at for group in found for at in group) == list(range(len(lengths)))
    for group in found:
        assert group
        assert len(group) == 1 or sum(sum(lengths[at]) for at in group) <= budget
