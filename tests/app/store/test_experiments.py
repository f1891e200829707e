"""Experiments in the store, on every database: versions, what other processes see, and what a failure leaves."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from app.call import SearchCall
from app.errors import InvalidRequest, NotFound, PreconditionFailed
from app.experiments.registry import Registry
from app.experiments.shelf import MemoryShelf, Shelf, StoreShelf
from app.experiments.spec import Arm, Experiment
from app.experiments.version import Version
from app.store import Store
from app.store.engine import writing
from app.store.errors import StoreUnavailable
from app.store.tables import EXPERIMENTS
from index.types import Query

AT = datetime(2026, 5, 1, tzinfo=UTC)
ONE = Experiment("one", (Arm("control", 50.0), Arm("deep", 50.0, None, {"depth": 500})), "one", "one")


def always(_: Version | None) -> bool:
    return True


@pytest.fixture
def shelf(store: Store) -> Shelf:
    return StoreShelf(lambda: store)


def test_a_new_split_is_a_new_version_and_the_old_one_stays(shelf: Shelf) -> None:
    first = shelf.put(ONE, always, AT)
    assert (first.number, first.state, first.created_at) == (1, "running", AT)
    later = AT + timedelta(days=1)
    assert shelf.put(replace(ONE, coverage=20.0), always, later).number == 1
    second = shelf.put(replace(ONE, salt="other"), always, later)
    old, new = shelf.versions()
    assert (old.number, old.state, old.stopped_at, old.experiment.coverage) == (1, "stopped", later, 20.0)
    assert new == second
    assert (new.number, new.created_at) == (2, later)
    assert shelf.stop("one", "enough", later).stop_reason == "enough"
    assert shelf.put(replace(ONE, salt="other"), always, later).number == 3
    with pytest.raises(NotFound):
        shelf.stop("two", "enough", later)


def test_the_mark_changes_with_every_change_alone(shelf: Shelf) -> None:
    marks = [shelf.mark()]
    for put in (ONE, ONE, replace(ONE, coverage=1.0), replace(ONE, salt="x")):
        shelf.put(put, always, AT)
        marks.append(shelf.mark())
    shelf.stop("one", "enough", AT)
    marks.append(shelf.mark())
    assert [later > before for before, later in pairwise(marks)] == [
        True,
        False,
        True,
        True,
        True,
    ]


def test_a_refused_change_changes_nothing(shelf: Shelf) -> None:
    shelf.put(ONE, always, AT)
    before = shelf.versions()
    with pytest.raises(PreconditionFailed):
        shelf.put(replace(ONE, salt="x"), lambda version: version is None, AT)
    with pytest.raises(InvalidRequest):
        shelf.put(replace(ONE, key="two"), always, AT)
    assert shelf.versions() == before


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("ab"), st.sampled_from(["x", "y"]), st.sampled_from([10.0, 20.0]), st.booleans()
        ),
        max_size=8,
    )
)
def test_the_store_does_as_the_memory_does(store: Store, changes: list[tuple[str, str, float, bool]]) -> None:
    with writing(store.engine) as connection:
        connection.execute(delete(EXPERIMENTS))
    shelves: list[Shelf] = [StoreShelf(lambda: store), MemoryShelf()]
    for key, salt, coverage, stop in changes:
        arms = (Arm("c", 50.0), Arm("t", 50.0, None, {"depth": 9} if key == "a" else {"window": 9}))
        for shelf in shelves:
            if stop:
                try:
                    shelf.stop(key, "enough", AT)
                except NotFound:
                    continue
            else:
                shelf.put(Experiment(key, arms, key, key + salt, coverage=coverage), always, AT)
    assert shelves[0].versions() == shelves[1].versions()


def test_another_process_sees_a_change_and_outlives_the_store(store: Store) -> None:
    down = False

    def opened() -> Store:
        if down:
            raise StoreUnavailable("gone")
        return store

    here, there = Registry(StoreShelf(lambda: store)), Registry(StoreShelf(opened))
    there.refresh()
    call = SearchCall(Query(query_id="q", text="x", as_of=AT), "r", unit_id="42")
    assert there.treatment(call, AT).assignments == ()
    here.put(ONE, always, AT)
    there.refresh()
    assert there.treatment(call, AT) == here.treatment(call, AT)
    assert len(there.treatment(call, AT).assignments) == 1
    down = True
    with pytest.raises(StoreUnavailable):
        there.refresh()
    assert len(there.treatment(call, AT).assignments) == 1
