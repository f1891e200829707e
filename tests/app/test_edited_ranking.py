"""Any run of edits ends in what a build of the same documents gives: the facts, the places, every score bit.

The machine keeps the documents as a plain dictionary; what it compares with is built from that dictionary alone.
"""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

import index.centring
from app.pipeline import search
from app.systems import system
from index.addition import Addition
from index.build import build
from index.catalogue.shipped import VECTORS, programmes
from index.columns import Columns
from index.document import Amount, Document, Translation, Window
from index.editing import edited
from index.facets import FACETS, counts
from index.settings import AWARDS
from index.snapshot import Snapshot
from index.storage import current, open_snapshot, read_manifest
from index.types import Encoder, Filters, Query, RankedList
from index.vectorbook import VectorBook
from models.hashing import HashingEncoder
from models.registry import DEFAULT_ENCODER, load_encoder

AS_OF = datetime(2026, 10, 1, 12, tzinfo=UTC)
ENCODER = HashingEncoder(dimension=16)
# Those without a judge, who reads only what a ranking already holds.
PLANS = tuple(system(name) for name in ("bm25", "bm25-okapi", "dense", "hybrid", "hybrid-open"))
QUERIES = ("", "ocean fellowship", "nsp", "奖学金 海洋", "fellowshup for engineers", "Stipendium", "zzz")
FILTERS = (
    Filters(),
    Filters(host_countries=("NO", "CN"), unknown="exclude"),
    Filters(availability=("open", "rolling"), languages=("en",)),
)

IDS = st.sampled_from([f"d{at:02}" for at in range(14)])
TITLES = st.lists(
    st.sampled_from(
        [
            "Ocean",
            "Fellowship",
            "Northsea Science Programme (NSP)",
            "Engineering",
            "海洋奖学金",
            "硕士",
            "Stipendium",
        ]
    ),
    min_size=1,
    max_size=3,
).map(" ".join)
WINDOWS = st.lists(
    st.sampled_from(
        [
            Window(deadline_on=date(2026, 12, 1), zone="Asia/Shanghai", kind="fixed"),
            Window(opens_on=date(2026, 11, 1), deadline_on=date(2026, 12, 1), kind="fixed"),
            Window(deadline_on=date(2026, 1, 1), zone="Europe/Oslo", kind="fixed"),
            Window(kind="rolling"),
            Window(month_day="--02-29", kind="recurring"),
        ]
    ),
    max_size=3,
).map(tuple)
# Long enough for several passages now and then.
BODIES = st.sampled_from(
    [None, "For doctoral research.", "Study at sea.\n" * 59 + "Study.", "资助国际学生。" * 40]
)
FACTS = {
    "title": TITLES,
    "provider": st.sampled_from([None, "Northsea Institute", "江海大学"]),
    "description": BODIES,
    "host_countries": st.sampled_from([None, ("NO",), ("CN", "NO"), ("DE",)]),
    "levels": st.sampled_from([None, ("phd",), ("master", "phd")]),
    "amount": st.sampled_from([None, Amount(min=900.0, currency="EUR", period="month"), Amount(max=5.0)]),
    "windows": WINDOWS,
    "programme_id": st.sampled_from([None, None, "p", "q"]),
    "language": st.sampled_from([None, "en", "zh"]),
    "translations": st.sampled_from([{}, {"de": Translation("Meeresstipendium")}]),
}
DOCUMENTS = st.builds(Document, doc_id=IDS, **FACTS)


def addition(document: Document, encoder: Encoder = ENCODER) -> Addition:
    made = Addition.of(document, AWARDS)
    return made.encoded(encoder.encode_passages([text for text, _ in made.passages]))


class Edits(RuleBasedStateMachine):
    """Upserts, deletions, late vectors and compactions over a built snapshot."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp(prefix="edits-"))
        self.folders = itertools.count()
        self.documents: dict[str, Document] = {}
        self.removed: dict[str, Document] = {}
        self.additions: dict[str, Addition] = {}
        self.gone: set[str] = set()
        self.base: Snapshot | None = None

    def teardown(self) -> None:
        shutil.rmtree(self.home)

    @initialize(documents=st.lists(DOCUMENTS, max_size=10))
    def start(self, documents: list[Document]) -> None:
        self.documents = {document.doc_id: document for document in documents}
        self.base = self.rebuilt(pinned=False)

    def rebuilt(self, pinned: bool = True) -> Snapshot:
        """What a build from scratch gives, in a home of its own."""
        leg = None if self.base is None else self.base.dense
        centring = leg.centring if pinned and leg is not None else None
        home = self.home / str(next(self.folders))
        return open_snapshot(build(self.documents.values(), home, ENCODER, centring=centring).folder)

    def live(self) -> Snapshot:
        assert self.base is not None
        return edited(self.base, [self.additions[key] for key in sorted(self.additions)], self.gone)

    @rule(document=DOCUMENTS, encoded=st.sampled_from([True, True, True, False]))
    def upsert(self, document: Document, encoded: bool) -> None:
        self.documents[document.doc_id] = document
        self.additions[document.doc_id] = addition(document) if encoded else Addition.of(document, AWARDS)

    @precondition(lambda self: self.documents)
    @rule(data=st.data())
    def upsert_the_same(self, data: st.DataObject) -> None:
        document = self.documents[data.draw(st.sampled_from(sorted(self.documents)))]
        self.additions[document.doc_id] = addition(document)

    @precondition(lambda self: self.documents)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        doc_id = data.draw(st.sampled_from(sorted(self.documents)))
        self.removed[doc_id] = self.documents.pop(doc_id)
        self.additions.pop(doc_id, None)
        self.gone.add(doc_id)

    @precondition(lambda self: self.removed)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        document = self.removed.pop(data.draw(st.sampled_from(sorted(self.removed))))
        self.documents[document.doc_id] = document
        self.additions[document.doc_id] = addition(document)
        self.gone.discard(document.doc_id)

    @precondition(lambda self: any(one.vectors is None for one in self.additions.values()))
    @rule()
    def encode(self) -> None:
        self.additions = {key: addition(one.document) for key, one in self.additions.items()}

    @rule(text=st.sampled_from(QUERIES))
    def compact(self, text: str) -> None:
        before, self.base = self.live(), self.rebuilt()
        if all(one.vectors is not None for one in self.additions.values()):
            same_rankings(before, self.base, ENCODER, [text])
        self.additions, self.gone = {}, set()

    @rule(texts=st.lists(st.sampled_from(QUERIES), min_size=2, max_size=2, unique=True))
    def compare(self, texts: list[str]) -> None:
        live, rebuilt = self.live(), self.rebuilt()
        same_facts(live, rebuilt)
        pending = {key for key, one in self.additions.items() if one.vectors is None}
        same_legs(live, rebuilt, ENCODER, {live.corpus.ids.index(doc_id) for doc_id in pending})
        if not pending:
            same_rankings(live, rebuilt, ENCODER, texts)
        assert (live.fingerprint == rebuilt.fingerprint) == (live is self.base)


def same_facts(live: Snapshot, rebuilt: Snapshot) -> None:
    assert live.corpus.ids == rebuilt.corpus.ids
    assert list(live.corpus) == list(rebuilt.corpus)
    assert [live.corpus.row(doc_id) for doc_id in live.corpus.ids] == list(range(len(live)))
    same_columns(live.columns, rebuilt.columns)
    assert list(live.passages.texts) == list(rebuilt.passages.texts)
    assert live.passages.owners.tolist() == rebuilt.passages.owners.tolist()
    rows = np.arange(len(live))
    assert counts(live.columns, rows, FACETS, AS_OF) == counts(rebuilt.columns, rows, FACETS, AS_OF)


def same_columns(live: Columns, rebuilt: Columns) -> None:
    for (name, mine), (_, theirs) in zip(live._named(), rebuilt._named(), strict=True):
        assert mine.dtype == theirs.dtype, name
        np.testing.assert_array_equal(mine, theirs, name)
        assert not mine.flags.writeable
    assert live.timetable.zone_names == rebuilt.timetable.zone_names
    np.testing.assert_array_equal(live.programmes, rebuilt.programmes)
    for name, attribute in live.attributes.items():
        assert attribute.values == rebuilt.attributes[name].values
        assert attribute.folded == rebuilt.attributes[name].folded


def same_legs(live: Snapshot, rebuilt: Snapshot, encoder: Encoder, unencoded: set[int]) -> None:
    """The dense leg alone, which finds all but the documents whose vectors are still to come."""
    assert live.dense is not None
    assert rebuilt.dense is not None
    some = np.arange(len(live)) % 3 != 0
    for text, mask in itertools.product(QUERIES[1:], (None, some)):
        vector = encoder.encode_queries([text])[0]
        mine = live.dense.search(vector, "en", 50, mask)
        theirs = rebuilt.dense.search(vector, "en", 50, mask)
        found = ~np.isin(theirs.ranked.rows, list(unencoded))
        assert mine.ranked.rows.tolist() == theirs.ranked.rows[found].tolist()
        assert mine.ranked.scores.tobytes() == theirs.ranked.scores[found].tobytes()
        assert mine.passages.tolist() == theirs.passages[found].tolist()


def same_rankings(
    live: Snapshot, rebuilt: Snapshot, encoder: Encoder, queries: Sequence[str] = QUERIES, depth: int = 6
) -> None:
    """Every system, with legs cut short and whole, by rows and score bits, and the passages that were found."""
    for text, filters, plan in itertools.product(queries, FILTERS, PLANS):
        query = Query("q", text, AS_OF, filters=filters)
        for chosen in (plan, replace(plan, depth=depth)):
            mine = search(query, chosen, live, encoder, lambda: 0.0)
            theirs = search(query, chosen, rebuilt, encoder, lambda: 0.0)
            assert mine.trace.degraded == theirs.trace.degraded == ()
            for name in ("ranked", "fused", "candidates"):
                same_list(getattr(mine, name), getattr(theirs, name))
            assert mine.understood == theirs.understood
            for leg, found in mine.found.items():
                same_list(found.ranked, theirs.found[leg].ranked)
                assert found.passages == theirs.found[leg].passages
                assert found.bridges == theirs.found[leg].bridges


def same_list(mine: RankedList, theirs: RankedList) -> None:
    assert mine.rows.tolist() == theirs.rows.tolist()
    assert mine.scores.tobytes() == theirs.scores.tobytes()


@pytest.mark.parametrize("runs", [8, pytest.param(80, marks=[pytest.mark.slow, pytest.mark.timeout(900)])])
def test_any_run_of_edits_equals_a_rebuild(monkeypatch: pytest.MonkeyPatch, runs: int) -> None:
    monkeypatch.setattr(index.centring, "_MIN_PASSAGES", 2)  # so that languages are taken out of few passages
    run_state_machine_as_test(
        Edits,
        settings=settings(
            max_examples=runs,
            stateful_step_count=12,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )


def test_two_ways_to_one_state_have_one_name(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    base = open_snapshot(build(twelve, tmp_path, ENCODER).folder)
    changed = addition(replace(twelve[3], title="Another title"))
    one = edited(base, [changed], {twelve[0].doc_id, "never there"})
    two = edited(base, [addition(changed.document)], [twelve[3].doc_id, twelve[0].doc_id])
    assert one.fingerprint == two.fingerprint
    without_vectors = edited(base, [Addition.of(changed.document, AWARDS)], {twelve[0].doc_id})
    other = edited(base, [addition(replace(twelve[3], title="A third"))], {twelve[0].doc_id})
    fewer = edited(base, [changed], ())
    assert len({made.fingerprint for made in (base, one, without_vectors, other, fewer)}) == 5
    assert edited(base, [], {"never there"}) is base
    with pytest.raises(ValueError, match="built one"):
        edited(one, [changed], ())


def test_additions_need_a_vector_a_passage(twelve: tuple[Document, ...]) -> None:
    with pytest.raises(ValueError, match="0 vectors for 1"):
        Addition.of(twelve[0], AWARDS).encoded(np.empty((0, 16), np.float32))


def test_a_snapshot_outlives_its_folder(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    """A search that began before a compaction ends after it: removed files stay until nobody maps them."""
    base = open_snapshot(build(twelve, tmp_path, ENCODER).folder)
    live = edited(base, [addition(replace(twelve[3], title="Another title"))], ())
    for kept in (11, 10):
        build(twelve[:kept], tmp_path, ENCODER)
    assert not (tmp_path / "snapshots" / base.parts["snapshot"]).exists()
    rebuilt_home = tmp_path / "again"
    documents = [*twelve[:3], replace(twelve[3], title="Another title"), *twelve[4:]]
    rebuilt = open_snapshot(build(documents, rebuilt_home, ENCODER).folder)
    same_facts(live, rebuilt)
    same_rankings(live, rebuilt, ENCODER)


def test_a_build_says_which_state_of_the_store_it_holds(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    first = build(twelve, tmp_path, ENCODER, sequence=7)
    assert read_manifest(first.folder).sequence == first.manifest.sequence == 7
    again = build(twelve, tmp_path, ENCODER, sequence=9)  # a change and its undoing: the same snapshot, later
    assert again.folder == first.folder == current(tmp_path / "snapshots")
    assert read_manifest(first.folder).sequence == 9
    assert build(twelve, tmp_path / "other", ENCODER).manifest.snapshot == first.manifest.snapshot
    assert open_snapshot(first.folder).fingerprint == open_snapshot(again.folder).fingerprint


@pytest.mark.slow
def test_edits_equal_a_rebuild_with_the_real_encoder(tmp_path: Path) -> None:
    encoder = load_encoder(DEFAULT_ENCODER)
    every = list(itertools.islice(programmes(), 400))
    base = open_snapshot(build(every[:360], tmp_path, encoder, books=(VECTORS,)).folder)
    book = VectorBook(encoder, (tmp_path / "vectors", VECTORS))
    changed = [replace(document, title=f"{document.title} (new round)") for document in every[:60:3]]
    additions = []
    for document in sorted([*changed, *every[360:]], key=lambda document: document.doc_id):
        made = Addition.of(document, AWARDS)
        vectors = book.vectors([text for text, _ in made.passages])
        additions.append(made.encoded(vectors.astype(np.float32)))
    gone = {document.doc_id for document in every[1:60:3]}
    live = edited(base, additions, gone)
    documents = {document.doc_id: document for document in [*every, *changed] if document.doc_id not in gone}
    assert base.dense is not None
    home = tmp_path / "rebuilt"
    rebuilt = open_snapshot(
        build(
            documents.values(),
            home,
            encoder,
            books=(VECTORS, tmp_path / "vectors"),
            centring=base.dense.centring,
        ).folder
    )
    same_facts(live, rebuilt)
    queries = ("phd scholarship in germany", "Stipendium für Ingenieure", "奖学金 硕士", every[380].title)
    same_rankings(live, rebuilt, encoder, queries, depth=50)
