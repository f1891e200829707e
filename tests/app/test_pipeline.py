"""The straight line, and the line with a part missing, over the twelve and the shipped fake encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.arrangement import arrange
from app.errors import UnknownSystem
from app.pipeline import Ranking, search
from app.plan import Plan
from app.suggestions import Suggestions
from app.systems import SYSTEMS, system
from index.availability import availability
from index.build import build
from index.document import Document
from index.snapshot import Snapshot
from index.storage import open_snapshot
from index.types import Filters, Query, Vector
from models.hashing import HashingEncoder


class BrokenEncoder(HashingEncoder):
    """An encoder whose process died."""

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        raise RuntimeError("gone")


class Ticks:
    """A clock that moves one second each time it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.fixture(scope="module")
def snapshot(twelve: tuple[Document, ...], tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return open_snapshot(build(twelve, tmp_path_factory.mktemp("home"), HashingEncoder()).folder)


@pytest.fixture
def ask(snapshot: Snapshot, frozen_now: datetime):
    def asked(
        text: str, plan: str | Plan = "hybrid-open", encoder: HashingEncoder | None = None, **query: object
    ) -> Ranking:
        chosen = system(plan) if isinstance(plan, str) else plan
        return search(
            Query("q", text, frozen_now, **query),
            chosen,
            snapshot,
            encoder or HashingEncoder(),
            Ticks(),  # type: ignore[arg-type]
        )

    return asked


def ids(ranking: Ranking, snapshot: Snapshot) -> list[str]:
    return [snapshot.corpus.ids[row] for row in ranking.ranked.rows]


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_finds_a_programme_by_its_name(name: str, ask, snapshot: Snapshot) -> None:
    assert ids(ask("Ocean Futures Doctoral Fellowship", name), snapshot)[0] == "a01-ocean-phd"


def test_the_stages_are_measured_in_the_order_they_run(ask) -> None:
    trace = ask("ocean", "hybrid").trace
    names = [name for name, _ in trace.stages]
    assert names == ["parse", "mask", "lexical", "alias", "dense", "fuse", "order"]
    assert all(
        duration == 1000.0 for _, duration in trace.stages
    )  # two readings of a clock that ticks seconds
    assert trace.degraded == ()


def test_a_leg_that_fails_is_left_out_and_named(ask, snapshot: Snapshot) -> None:
    whole, less = ask("ocean fellowship"), ask("ocean fellowship", encoder=BrokenEncoder())
    assert less.trace.degraded == (("dense", "error"),)
    assert ids(less, snapshot)[0] == ids(whole, snapshot)[0] == "a01-ocean-phd"


def test_all_legs_failing_still_answers(ask) -> None:
    ranking = ask("ocean", "dense", encoder=BrokenEncoder())
    assert len(ranking.ranked) == 0
    assert ranking.trace.degraded == (("dense", "error"),)


def test_a_spent_budget_leaves_out_what_has_not_begun(ask) -> None:
    ranking = ask("ocean", replace(system("hybrid"), budget_ms=1.0))
    assert set(ranking.found) == {"lexical"}  # something always runs
    assert ranking.trace.degraded == (("alias", "budget"), ("dense", "budget"))


def test_closed_programmes_go_last_and_stay(ask, snapshot: Snapshot, frozen_now: datetime) -> None:
    blind, ruled = ask("scholarship", "hybrid"), ask("scholarship", "hybrid-open")
    assert sorted(ids(blind, snapshot)) == sorted(ids(ruled, snapshot))
    closed = [
        availability(snapshot.corpus[row].windows, frozen_now).state == "closed" for row in ruled.ranked.rows
    ]
    assert closed == sorted(closed)
    assert any(closed)


def test_a_blank_question_browses_what_is_open_first(ask, snapshot: Snapshot, frozen_now: datetime) -> None:
    for text in ("", "  \u3000 "):
        ranking = ask(text)
        assert len(ranking.ranked) == 12
        states = [availability(snapshot.corpus[row].windows, frozen_now).state for row in ranking.ranked.rows]
        order = ["open", "rolling", "upcoming", "unknown", "closed"]
        assert states == sorted(states, key=order.index)


@given(
    text=st.text(max_size=40),
    country=st.sampled_from(["NO", "CN", "DE"]),
    name=st.sampled_from(sorted(SYSTEMS)),
)
def test_no_leg_gets_around_a_filter(text: str, country: str, name: str, snapshot: Snapshot) -> None:
    filters = Filters(host_countries=(country,), unknown="exclude")
    query = Query("q", text, datetime.fromisoformat("2026-10-01T12:00:00+00:00"), filters=filters)
    ranking = search(query, system(name), snapshot, HashingEncoder(), Ticks())
    for row in ranking.ranked.rows:
        assert country in (snapshot.corpus[row].host_countries or ())


@given(text=st.text(max_size=60))
def test_any_text_is_answered_without_repeats(text: str, snapshot: Snapshot) -> None:
    query = Query("q", text, datetime.fromisoformat("2026-10-01T12:00:00+00:00"))
    ranking = search(query, system("hybrid-open"), snapshot, HashingEncoder(), Ticks())
    assert len(set(ranking.ranked.rows.tolist())) == len(ranking.ranked)
    assert ranking.trace.degraded == ()


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_documents_no_hits(name: str, tmp_path: Path, frozen_now: datetime) -> None:
    """B01: an empty corpus answers, with nothing."""
    empty = open_snapshot(build([], tmp_path, HashingEncoder()).folder)
    for text in ("nsf", ""):
        ranking = search(Query("q", text, frozen_now), system(name), empty, HashingEncoder(), Ticks())
        assert len(ranking.ranked) == 0
        assert ranking.trace.degraded == ()


def test_words_nobody_uses_leave_the_lexical_leg_empty(ask) -> None:
    """B06: an unknown word is no failure, and meaning still answers."""
    ranking = ask("zzqx")
    assert len(ranking.found["lexical"].ranked) == 0
    assert len(ranking.found["dense"].ranked) > 0
    assert ranking.trace.degraded == ()


def test_an_unknown_system_lists_the_known_ones() -> None:
    with pytest.raises(UnknownSystem) as refused:
        system("magic")
    assert set(refused.value.known) == set(SYSTEMS)


def test_sorting_puts_what_is_not_stated_last_either_way(
    ask, snapshot: Snapshot, frozen_now: datetime
) -> None:
    ranked = ask("").ranked
    deadlines = snapshot.columns.closes_on(frozen_now)
    for keys, sign in ((("deadline",), 1), (("-deadline",), -1)):
        rows = arrange(ranked, keys, snapshot, frozen_now)  # type: ignore[arg-type]
        assert sorted(rows.tolist()) == sorted(ranked.rows.tolist())
        days = deadlines[rows]
        unstated = np.isnat(days)
        assert unstated.tolist() == sorted(unstated.tolist())
        stated = days[~unstated].astype(np.int64) * sign
        assert stated.tolist() == sorted(stated.tolist())


def test_completions_begin_with_what_was_typed(snapshot: Snapshot) -> None:
    suggestions = Suggestions.of(snapshot)
    assert suggestions.complete("ocean fut", 5)[0]["id"] == "a01-ocean-phd"
    assert suggestions.complete("ofd", 5)[0] == {"text": "OFDF", "kind": "alias", "id": "a01-ocean-phd"}
    assert [one["text"] for one in suggestions.complete("丝路", 5)] == ["丝路青年硕士奖学金"]
    assert suggestions.complete("doctoral", 5)[0]["id"] == "a01-ocean-phd"  # a later word of a name
    assert suggestions.complete("   ", 5) == []
    assert len(suggestions.complete("s", 1)) == 1


def test_a_query_that_is_a_name_finds_its_programme_before_look_alikes(
    tmp_path: Path, frozen_now: datetime
) -> None:
    """The fake encoder likes shared letters; a known name is worth more than any likeness."""
    documents = [
        Document(doc_id="real", title="Erasmus Mundus Joint Masters", language="en"),
        *(
            Document(doc_id=f"alike-{at}", title=f"EMJM EMJA EMJU notes {at}", language="en")
            for at in range(8)
        ),
    ]
    snapshot = open_snapshot(build(documents, tmp_path, HashingEncoder()).folder)
    ranking = search(Query("q", "EMJMD", frozen_now), system("hybrid"), snapshot, HashingEncoder(), Ticks())
    assert ranking.found["alias"].certain
    assert snapshot.corpus.ids[ranking.found["dense"].ranked.rows[0]] != "real"
    assert ids(ranking, snapshot)[0] == "real"
