"""A live engine over a real store: what anybody writes is found, and nothing that fails stops a search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.call import SearchCall
from app.errors import CursorExpired, StoreDown
from app.live import encoding, follower, keeper
from app.live.opening import Live, open_live
from app.services import Answers
from app.settings import Settings
from app.store import Edit, Store, open_store
from app.store.archive import backup, restore
from index.build import build
from index.centring import Centring
from index.document import Document
from index.errors import SnapshotError
from index.storage import current
from index.types import Query, Vector
from models.hashing import HashingEncoder

AT = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)
PATIENCE_S = 30.0


def indexed(store: Store, home: Path) -> None:
    """A snapshot of the store, as another process would publish it."""
    folder = current(home / "snapshots")
    centring = Centring.load(folder / "dense") if folder else None
    sequence = store.sequence()
    build(store.documents(), home, HashingEncoder(), centring=centring, sequence=sequence)


@pytest.fixture
def filled(place: Settings, store: Store, twelve: tuple[Document, ...]) -> Settings:
    store.upsert(twelve, "feed", AT)
    indexed(store, place.home)
    return place


@pytest.fixture
def opened(filled: Settings) -> Iterator[Callable[[], Live]]:
    """Opens live engines over the home, which are closed at the end."""
    lives: list[Live] = []

    def make() -> Live:
        live = open_live(filled, HashingEncoder())
        live.start()
        lives.append(live)
        return live

    yield make
    for live in lives:
        live.close()


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)


def call(text: str, **rest: object) -> SearchCall:
    return SearchCall(Query("q", text, AT), "r", as_of_given=True, **rest)  # type: ignore[arg-type]


def ids(answers: Answers, text: str, **rest: object) -> list[str]:
    return [hit["id"] for hit in answers.search(call(text, **rest))["hits"]]


def title_of(live: Live, doc_id: str) -> str | None:
    corpus = live.keeper.current.library.snapshot.corpus
    row = corpus.row(doc_id)
    return None if row is None else corpus[row].title


def test_what_another_process_writes_is_found_and_what_it_deletes_is_not(
    opened: Callable[[], Live], store: Store, twelve: tuple[Document, ...]
) -> None:
    answers = Answers(live := opened())
    first, second = twelve[:2]
    store.upsert([Document("b-new", "Quuxification Award"), replace(first, title="Renamed Ocean")], "x", AT)
    store.delete(second.doc_id, AT)
    until(lambda: answers.vitals().sequence == store.sequence())
    assert ids(answers, "quuxification", system="bm25") == ["b-new"]
    assert title_of(live, first.doc_id) == "Renamed Ocean"
    assert answers.opportunity(second.doc_id) is None
    assert answers.suggest("quux", 5)[0]["id"] == "b-new"
    until(lambda: answers.vitals().pending_vectors == 0)
    assert ids(answers, "Quuxification Award", system="dense")[0] == "b-new"
    assert answers.vitals().delta == 3
    store.upsert([second], "x", AT)
    until(lambda: answers.opportunity(second.doc_id) is not None)


def test_an_edited_engine_answers_as_one_that_was_built_anew(
    opened: Callable[[], Live], filled: Settings, store: Store, twelve: tuple[Document, ...]
) -> None:
    live = Answers(opened())
    edits = [Edit.remove(twelve[2].doc_id), Edit.put(replace(twelve[4], title="Beca de los Andes"))]
    live.write([*edits, Edit.put(Document("c-1", "Ocean grant", description="sea " * 300))], AT)
    until(lambda: (now := live.vitals()).sequence == store.sequence() and not now.pending_vectors)
    indexed(store, filled.home)
    anew = open_live(filled, HashingEncoder())
    assert anew.keeper.current.recipe.delta == 0
    for text in ("ocean", "beca andes", "奖学金", "grant for doctoral research", ""):
        theirs = Answers(anew).search(call(text))
        ours = live.search(call(text))
        assert [(hit["id"], hit["scores"]) for hit in ours["hits"]] == [
            (hit["id"], hit["scores"]) for hit in theirs["hits"]
        ]
    anew.close()


def test_a_write_is_seen_by_whoever_waits_for_it(opened: Callable[[], Live], store: Store) -> None:
    answers, neighbour = Answers(opened()), Answers(opened())
    edited = answers.write([Edit.put(Document("b-new", "Quuxification Award"))], AT)
    assert [outcome.status for outcome in edited.outcomes] == ["created"]
    for one in (answers, neighbour):
        one.seen(edited.sequence).result(PATIENCE_S)
        assert ids(one, "quuxification", system="bm25") == ["b-new"]
    assert answers.seen(edited.sequence).done()
    assert not answers.seen(edited.sequence + 1).done()


def test_searches_see_all_of_a_transaction_or_nothing(
    opened: Callable[[], Live], store: Store, twelve: tuple[Document, ...]
) -> None:
    live = opened()
    mixed: list[set[str | None]] = []
    seen: set[str | None] = set()
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            corpus = live.keeper.current.library.snapshot.corpus
            titles = {document.title for document in corpus}
            seen.update(titles)
            if len(titles) > 1:
                mixed.append(titles)

    versions = [[replace(document, title=f"version {number}") for document in twelve] for number in range(12)]
    store.upsert(versions[0], "x", AT)
    until(lambda: title_of(live, twelve[0].doc_id) == "version 0")
    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for version in versions[1:]:
        store.upsert(version, "x", AT)
        live.follower.wake()
        time.sleep(0.03)
    until(lambda: title_of(live, twelve[0].doc_id) == "version 11")
    stop.set()
    for reader in readers:
        reader.join()
    assert mixed == []
    assert len(seen) > 1


def test_a_page_that_was_shown_can_be_turned_after_writes(opened: Callable[[], Live], store: Store) -> None:
    answers = Answers(opened())
    whole = ids(answers, "", page_size=50)
    page = answers.search(call("", page_size=4))
    shown = [hit["id"] for hit in page["hits"]]
    for number in range(5):
        edited = answers.write(
            [Edit.put(Document(f"a00-{number}", "Earlier than all")), Edit.remove(whole[5])], AT
        )
        answers.seen(edited.sequence).result(PATIENCE_S)
    assert whole[5] not in ids(answers, "", page_size=50)
    while page["next_cursor"]:
        page = answers.search(call("", page_size=4, cursor=page["next_cursor"]))
        shown += [hit["id"] for hit in page["hits"]]
    assert shown == whole


def test_a_page_of_long_ago_has_expired(opened: Callable[[], Live], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "EDITIONS", 4)
    answers = Answers(opened())
    cursor = answers.search(call("", page_size=2))["next_cursor"]
    for number in range(3):
        assert answers.search(call("", page_size=2, cursor=cursor))["hits"]
        edited = answers.write([Edit.put(Document("b-new", f"Award {number}"))], AT)
        answers.seen(edited.sequence).result(PATIENCE_S)
        # Its vectors make an edition too: wait for it, so that there are as many as are counted.
        until(lambda: answers.vitals().pending_vectors == 0)
    with pytest.raises(CursorExpired):
        answers.search(call("", page_size=2, cursor=cursor))


class Counting:
    """The hashing encoder: counts the passages it encodes, and may be broken."""

    def __init__(self, broken: bool = False) -> None:
        self._inner = HashingEncoder()
        self.name, self.dimension = self._inner.name, self._inner.dimension
        self.fingerprint = self._inner.fingerprint
        self.encode_queries = self._inner.encode_queries
        self.broken = broken
        self.encoded = 0

    def encode_passages(self, texts: Sequence[str]) -> Vector:
        if self.broken:
            raise RuntimeError("no vectors today")
        self.encoded += len(texts)
        return self._inner.encode_passages(texts)


def test_a_restart_encodes_nothing_again_and_neighbours_share(
    filled: Settings, store: Store, twelve: tuple[Document, ...]
) -> None:
    encoders = [Counting(), Counting(), Counting()]
    both = [open_live(filled, encoder) for encoder in encoders[:2]]
    for live in both:
        live.start()
    store.upsert([Document(f"n-{number}", f"Award number {number}") for number in range(40)], "x", AT)
    # The deadline is no part of a passage: such an edit needs no new vector, and is never without one.
    store.upsert([replace(twelve[3], windows=())], "x", AT)
    for live in both:
        until(lambda live=live: live.follower.vitals().sequence == store.sequence())  # type: ignore[misc]
        until(lambda live=live: live.follower.vitals().pending_vectors == 0)  # type: ignore[misc]
        live.close()
    assert encoders[0].encoded + encoders[1].encoded == 40
    again = open_live(filled, encoders[2])
    assert (again.follower.vitals().pending_vectors, again.follower.vitals().delta) == (0, 41)
    assert encoders[2].encoded == 0
    again.close()


def test_a_broken_encoder_leaves_documents_to_their_words(
    filled: Settings, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding, "_AFTER_FAILURE_S", 0.01)
    encoder = Counting(broken=True)
    live = open_live(filled, encoder)
    live.start()
    answers = Answers(live)
    edited = answers.write([Edit.put(Document("b-new", "Quuxification Award"))], AT)
    answers.seen(edited.sequence).result(PATIENCE_S)
    assert ids(answers, "quuxification", system="bm25") == ["b-new"]
    assert answers.vitals().pending_vectors == 1
    encoder.broken = False
    until(lambda: answers.vitals().pending_vectors == 0)
    live.close()


def test_a_new_base_takes_over_with_what_came_since(
    opened: Callable[[], Live], filled: Settings, store: Store
) -> None:
    live, neighbour = opened(), opened()
    store.upsert([Document("b-1", "Quuxification one"), Document("b-2", "Quuxification two")], "x", AT)
    indexed(store, filled.home)
    store.upsert([Document("b-3", "Quuxification three")], "x", AT)
    store.delete("b-1", AT)
    for one in (live, neighbour):
        answers = Answers(one)
        until(lambda one=one: one.keeper.current.recipe.base.sequence == 14)  # type: ignore[misc]
        until(lambda answers=answers: answers.vitals().sequence == store.sequence())  # type: ignore[misc]
        assert sorted(ids(answers, "quuxification", system="bm25")) == ["b-2", "b-3"]
        assert answers.vitals().delta == 2
    # The same content of a later state: nothing is read twice.
    store.upsert([Document("b-1", "Quuxification one")], "x", AT)
    store.delete("b-3", AT)
    indexed(store, filled.home)
    until(lambda: live.keeper.current.recipe.base.sequence == store.sequence())
    assert live.follower.vitals().delta == 0


def test_a_new_base_that_cannot_be_opened_is_left_alone(
    opened: Callable[[], Live], filled: Settings, store: Store
) -> None:
    live = opened()
    before = live.keeper.current.recipe.base
    store.upsert([Document("b-1", "Quuxification one")], "x", AT)
    build(store.documents(), filled.home, Other(), sequence=store.sequence())
    store.upsert([Document("b-2", "Quuxification two")], "x", AT)
    until(lambda: live.follower.vitals().sequence == store.sequence())
    assert live.keeper.current.recipe.base is before
    assert sorted(ids(Answers(live), "quuxification", system="bm25")) == ["b-1", "b-2"]


class Other(HashingEncoder):
    """An encoder of another fingerprint."""

    @property
    def fingerprint(self) -> str:
        return "other-1"


def test_a_store_that_cannot_be_reached_stops_news_and_nothing_else(
    tmp_path: Path, twelve: tuple[Document, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "_LONGEST_BACKOFF_S", 0.05)
    place = Settings(home=tmp_path)
    store = open_store(place)
    store.upsert(twelve, "feed", AT)
    indexed(store, tmp_path)
    store.close()
    live = open_live(place, HashingEncoder())
    live.start()
    answers = Answers(live)
    files = sorted(tmp_path.glob("store.sqlite3*"))
    away = tmp_path / "away"
    away.mkdir()
    for file in files:
        file.rename(away / file.name)
    until(lambda: answers.vitals().store == "unavailable")
    assert answers.vitals().since is not None
    assert answers.vitals().lag_s > 0
    assert answers.ready() == (True, [])
    assert ids(answers, "ocean")
    with pytest.raises(StoreDown) as told:
        answers.write([Edit.put(Document("b-new", "Lost?"))], AT)
    assert told.value.retry_after_s
    assert str(tmp_path) not in str(told.value)
    assert not list(tmp_path.glob("store.sqlite3*"))
    for file in files:
        (away / file.name).rename(file)
    until(lambda: answers.vitals().store == "ok")
    edited = answers.write([Edit.put(Document("b-new", "Quuxification"))], AT)
    answers.seen(edited.sequence).result(PATIENCE_S)
    assert (answers.vitals().since, answers.vitals().lag_s) == (None, 0.0)
    live.close()


def test_an_engine_opens_without_its_store(filled: Settings, tmp_path: Path) -> None:
    nowhere = Settings(home=filled.home, store_url="postgresql://nobody@127.0.0.1:1/none")
    live = open_live(nowhere, HashingEncoder())
    assert live.follower.vitals().store == "unavailable"
    assert ids(Answers(live), "ocean")
    live.close()


def test_an_older_store_is_not_mistaken_for_the_one_that_was_indexed(
    opened: Callable[[], Live], filled: Settings, store: Store, tmp_path: Path
) -> None:
    other = open_store(Settings(home=tmp_path / "other"))
    other.upsert([Document("x-1", "Another store")], "x", AT)
    indexed_at = tmp_path / "elsewhere"
    indexed(store, indexed_at)
    other.close()
    (tmp_path / "other" / "snapshots").symlink_to(indexed_at / "snapshots")
    live = open_live(Settings(home=tmp_path / "other"), HashingEncoder())
    answers = Answers(live)
    assert answers.vitals().store == "replaced"
    assert ids(answers, "ocean")
    with pytest.raises(StoreDown, match="not the one that was indexed"):
        answers.write([Edit.put(Document("b-new", "x"))], AT)
    live.close()


def test_a_restored_store_asks_for_a_new_base(
    opened: Callable[[], Live],
    filled: Settings,
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backup(store, tmp_path / "b.gz")
    store.upsert([Document("b-new", "Quuxification Award")], "x", AT)
    live = opened()
    answers = Answers(live)
    until(lambda: answers.vitals().sequence == store.sequence())
    monkeypatch.setattr(live.compactor, "start", lambda: indexed(store, filled.home))
    restore(store, tmp_path / "b.gz")
    until(lambda: answers.opportunity("b-new") is None)
    until(lambda: answers.vitals().delta == 0)
    assert answers.vitals().store == "ok"
    assert len(ids(answers, "", page_size=50)) == 12


def test_there_is_room_for_so_many_changes(
    opened: Callable[[], Live],
    filled: Settings,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(follower, "MOST", 5)
    live = opened()
    started = threading.Event()
    monkeypatch.setattr(live.compactor, "start", started.set)
    store.upsert([Document(f"b-{number}", "Quuxification") for number in range(8)], "x", AT)
    assert started.wait(PATIENCE_S)
    until(lambda: live.follower.vitals().delta == 5)
    assert live.follower.vitals().sequence < store.sequence()
    assert live.follower.vitals().lag_s > 0
    indexed(store, filled.home)
    until(lambda: live.follower.vitals().sequence == store.sequence())
    assert live.follower.vitals().delta == 0


def test_a_home_without_a_snapshot_is_not_opened(place: Settings) -> None:
    with pytest.raises(SnapshotError):
        open_live(place, HashingEncoder())
