"""Places after an edit, against sorting everything anew."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.splice import Splice, Spliced, starts

NAMES = st.lists(st.text("abcé学", min_size=1, max_size=2), unique=True, max_size=10).map(sorted)


@given(NAMES, NAMES, NAMES, st.data())
def test_everything_lies_where_a_sort_would_put_it(
    built: list[str], added: list[str], gone: list[str], data: st.DataObject
) -> None:
    splice = Splice.of(built, gone, added)
    expected = sorted((set(built) - set(gone)) | set(added))
    assert splice.size == len(expected)
    assert [expected[place] for place in splice.placed] == added
    for name, place in zip(built, splice.forward.tolist(), strict=True):
        stays = name not in gone and name not in added
        assert (place >= 0) == stays
        assert not stays or expected[place] == name
    assert sorted([*splice.forward[splice.forward >= 0], *splice.placed]) == list(range(splice.size))
    assert splice.listed(built, added) == list(Spliced(splice, built, added)) == expected
    merged = splice.merged(np.array(built, "U2"), np.array(added, "U2"))
    assert merged.tolist() == expected

    lengths = data.draw(st.fixed_dictionaries({name: st.integers(0, 3) for name in {*built, *added}}))
    parts = splice.parts(
        *(starts(np.array([lengths[name] for name in side], int)) for side in (built, added))
    )
    ours, theirs = ([(name, at) for name in side for at in range(lengths[name])] for side in (built, added))
    assert parts.listed(ours, theirs) == [(name, at) for name in expected for at in range(lengths[name])]


def test_additions_out_of_order_are_refused() -> None:
    for added in (["b", "a"], ["a", "a"]):
        with pytest.raises(ValueError, match="ascend"):
            Splice.of(["c"], (), added)


def test_a_place_that_is_none_is_refused() -> None:
    spliced = Spliced(Splice.of(["a", "c"], (), ["b"]), ["A", "C"], ["B"])
    assert spliced[1:] == ["B", "C"]
    for at in (-1, 3):
        with pytest.raises(IndexError):
            spliced[at]
