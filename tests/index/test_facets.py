"""Facet counts against a loop, their order, and what is not stated."""

from collections import Counter
from datetime import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.availability import availability
from index.columns import Columns
from index.document import Document
from index.facets import FACETS, counts


def test_facets_of_the_twelve(twelve: tuple[Document, ...], frozen_now: datetime) -> None:
    rows = np.arange(12)
    told = dict(counts(Columns.of(twelve), rows, FACETS, frozen_now))
    assert list(told) == list(FACETS)
    assert told["levels"] == [("master", 6), ("bachelor", 5), ("phd", 3), ("postdoc", 1), (None, 1)]
    assert told["availability"] == [
        ("open", 4),
        ("upcoming", 3),
        ("unknown", 2),
        ("closed", 2),
        ("rolling", 1),
    ]
    assert told["host_countries"][0] == ("NO", 2)
    assert told["provider"][0] == ("Northsea Institute", 2)
    assert ("en", 4) in told["languages"]
    assert told["currency"][-1] == (None, 6)
    assert dict(told["availability"]) == Counter(
        availability(one.windows, frozen_now).state for one in twelve
    )


def test_only_the_rows_asked_for_count_and_the_limit_spares_what_is_not_stated(
    twelve: tuple[Document, ...], frozen_now: datetime
) -> None:
    rows = np.array([11, 0, 7])
    ((_, told),) = counts(Columns.of(twelve), rows, ["levels"], frozen_now, limit=1)
    assert told == [("bachelor", 1), (None, 1)]
    assert counts(Columns.of(twelve), rows[:0], ["levels"], frozen_now) == [("levels", [])]


@pytest.mark.parametrize("field", ["nationalities", "title", ""])
def test_an_unknown_facet_is_refused(twelve: tuple[Document, ...], frozen_now: datetime, field: str) -> None:
    with pytest.raises(ValueError, match="is not a facet"):
        counts(Columns.of(twelve), np.arange(12), [field], frozen_now)


def test_equal_counts_of_many_values_stand_in_the_order_of_the_values() -> None:
    # Numbers of equals that no unstable sort keeps in order by chance.
    names = [f"provider {at:03d}" for at in range(300)]
    frequency = {name: 1 + at * 7 % 3 for at, name in enumerate(names)}
    documents = [
        Document(doc_id=f"{name} {copy}", title="T", provider=name)
        for name in reversed(names)
        for copy in range(frequency[name])
    ]
    rows = np.arange(len(documents))
    ((_, told),) = counts(Columns.of(documents), rows, ["provider"], datetime(2026, 1, 1))
    assert told == sorted(frequency.items(), key=lambda pair: (-pair[1], pair[0]))


own = st.none() | st.lists(
    st.sampled_from(["music", "law", "art", "0715"]), min_size=1, max_size=3, unique=True
)


@given(st.lists(own, min_size=1, max_size=8), st.data())
def test_counts_are_those_of_a_loop(fields: list[list[str] | None], data: st.DataObject) -> None:
    documents = [
        Document(doc_id=str(at), title="T", fields=tuple(told) if told else None)
        for at, told in enumerate(fields)
    ]
    rows = data.draw(st.lists(st.integers(0, len(fields) - 1), unique=True))
    ((_, told),) = counts(Columns.of(documents), np.array(rows, np.int64), ["fields"], datetime(2026, 1, 1))
    expected = Counter(value for row in rows for value in fields[row] or [None])
    assert dict(told) == expected
    stated = [pair for pair in told if pair[0] is not None]
    assert stated == sorted(stated, key=lambda pair: (-pair[1], pair[0]))
    assert told[: len(stated)] == stated
    assert all(type(count) is int for _, count in told)
