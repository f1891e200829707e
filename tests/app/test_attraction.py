"""How programmes were taken: the file, the arithmetic, and that nothing moves under a plan that does not heed it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.answer import fingerprint
from app.attraction import FILE_NAME, Attraction, heed, read_attraction, write_attraction
from app.pipeline import search
from app.plan import Plan
from app.systems import system
from index.build import build
from index.document import Document
from index.snapshot import Snapshot
from index.storage import open_snapshot
from index.types import Query, RankedList
from models.hashing import HashingEncoder

LEARNED = Attraction({"a12-ocean-summer": -3.0, "a01-ocean-phd": 0.8}, (1.0, 0.6), 5.0, 40, "2026-10-01")


@pytest.fixture(scope="module")
def snapshot(twelve: tuple[Document, ...], tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return open_snapshot(build(twelve, tmp_path_factory.mktemp("home"), HashingEncoder()).folder)


def ask(snapshot: Snapshot, plan: Plan, attraction: Attraction | None, text: str = "ocean futures"):
    query = Query("q", text, datetime(2026, 10, 1, 12, tzinfo=UTC))
    return search(query, plan, snapshot, HashingEncoder(), time.perf_counter, None, attraction)


def ids(ranking, snapshot: Snapshot) -> Sequence[str]:
    return [snapshot.corpus.ids[row] for row in ranking.ranked.rows.tolist()]


def test_a_plan_that_heeds_it_ranks_what_was_taken_higher(snapshot: Snapshot):
    plain = system("bm25")
    before = ids(ask(snapshot, plain, LEARNED), snapshot)
    assert before[:2] == ["a12-ocean-summer", "a01-ocean-phd"]
    assert before == ids(ask(snapshot, plain, None), snapshot)
    after = ids(ask(snapshot, replace(plain, attraction=0.5), LEARNED), snapshot)
    assert after[:2] == ["a01-ocean-phd", "a12-ocean-summer"]
    assert sorted(after) == sorted(before)


def test_scores_move_by_the_share_and_no_more(snapshot: Snapshot):
    before, after = (
        ask(snapshot, system("bm25"), None),
        ask(snapshot, replace(system("bm25"), attraction=0.5), LEARNED),
    )
    old = dict(zip(before.fused.rows.tolist(), before.fused.scores.tolist(), strict=True))
    new = dict(zip(after.fused.rows.tolist(), after.fused.scores.tolist(), strict=True))
    factors = {snapshot.corpus.ids[row]: new[row] / old[row] for row in old}
    assert factors.pop("a12-ocean-summer") == pytest.approx(0.5)
    assert factors.pop("a01-ocean-phd") == pytest.approx(1.4)
    assert set(factors.values()) <= {1.0}


def test_nothing_learned_is_said_and_browsing_is_left_alone(snapshot: Snapshot):
    heeding = replace(system("bm25"), attraction=0.5)
    assert ask(snapshot, heeding, None).trace.degraded == (("attraction", "no-model"),)
    assert ids(ask(snapshot, heeding, LEARNED, ""), snapshot) == ids(
        ask(snapshot, heeding, None, ""), snapshot
    )


def test_the_fingerprint_changes_with_what_was_learned_only_where_it_is_heeded(snapshot: Snapshot):
    other = replace(LEARNED, values={"a01-ocean-phd": 1.0})
    plain, heeding = system("bm25"), replace(system("bm25"), attraction=0.2)
    assert fingerprint(snapshot, plain, None, LEARNED) == fingerprint(snapshot, plain, None, other)
    assert fingerprint(snapshot, heeding, None, LEARNED) != fingerprint(snapshot, heeding, None, other)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=8), st.floats(0, 1))
def test_equals_stay_in_the_order_of_their_attraction(values: list[float], weight: float):
    count = len(values)
    ranked = RankedList(np.arange(count), np.full(count, 2.0, np.float32))
    names = [f"d{at}" for at in range(count)]
    heeded = heed(
        ranked, names, Attraction(dict(zip(names, values, strict=True)), (1.0,), 5.0, 1, ""), weight
    )
    expected = [np.float32(2 + 2 * weight * min(max(one, -1), 1)) for one in values]
    order = sorted(range(count), key=lambda at: (-expected[at], at))
    assert heeded.rows.tolist() == order


def test_what_is_written_is_read(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    path = tmp_path / FILE_NAME
    assert read_attraction(path) is None
    write_attraction(LEARNED, path)
    assert read_attraction(path) == LEARNED
    assert not caplog.records
    for broken in ("", "{}", '{"values": {"a": NaN}}', "[1]", '{"values": [1]}'):
        path.write_text(broken)
        assert read_attraction(path) is None
    assert len(caplog.records) == 5


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_out_of_range_is_refused(share: float):
    with pytest.raises(ValueError, match="attraction"):
        Plan("x", ("lexical",), attraction=share)
