"""The store on SQLite and on a real PostgreSQL: what goes in comes out, and its history with it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import text

from app.settings import Settings
from app.store import Store, open_store
from app.store.errors import StoreNewer, StoreUnavailable
from index.document import Document, Window

AT = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)
LATER = AT + timedelta(days=1)


def moved(document: Document, deadline: date) -> Document:
    return replace(document, windows=(Window(deadline_on=deadline, kind="fixed"),))


def statuses(store: Store, *documents: Document, at: datetime = AT) -> list[str]:
    return [outcome.status for outcome in store.upsert(documents, "feed", at)]


def test_what_goes_in_comes_out(store: Store, twelve: tuple[Document, ...]) -> None:
    assert statuses(store, *reversed(twelve)) == ["created"] * 12
    assert tuple(store.documents()) == twelve
    entry = store.get("a02-silk-road")
    assert entry is not None
    assert (entry.document, entry.source, entry.from_catalogue) == (twelve[1], "feed", False)
    assert (entry.created_at, entry.updated_at, entry.deleted_at) == (AT, AT, None)
    assert store.get("nobody") is None


def test_ids_come_in_the_order_of_their_code_points(store: Store) -> None:
    ids = ["b", "B", "a-1", "a.1", "a_1", "a:1", "a1", "Z", "10", "9", "A"]
    store.upsert([Document(doc_id, "x") for doc_id in ids], None, AT)
    assert [document.doc_id for document in store.documents()] == sorted(ids)


def test_the_same_again_changes_nothing(store: Store, twelve: tuple[Document, ...]) -> None:
    store.upsert(twelve, "feed", AT)
    before = store.counts()
    stamped = [replace(document, updated_at=LATER) for document in twelve]
    assert set(statuses(store, *stamped, at=LATER)) == {"unchanged"}
    assert store.counts() == before
    assert list(store.changes_since(before.sequence)) == []


def test_a_moved_deadline_is_told(store: Store, twelve: tuple[Document, ...]) -> None:
    first, second = (moved(twelve[0], date(2026, month, 1)) for month in (10, 11))
    assert statuses(store, first) == ["created"]
    assert statuses(store, second, at=LATER) == ["updated"]
    [revision] = store.revisions(first.doc_id)
    assert (revision.at, revision.kind, revision.source) == (LATER, "updated", "feed")
    assert revision.sentence == "deadline moved from 2026-10-01 to 2026-11-01"
    [change] = revision.changes
    assert change.field == "windows"
    assert isinstance(change.before, list)
    assert change.before[0]["deadline_on"] == "2026-10-01"
    entry = store.get(first.doc_id)
    assert entry is not None
    assert (entry.created_at, entry.updated_at, entry.document) == (AT, LATER, second)


def test_one_id_twice_in_a_batch(store: Store, twelve: tuple[Document, ...]) -> None:
    first, second = (moved(twelve[0], date(2026, month, 1)) for month in (10, 11))
    assert statuses(store, first, second, second) == ["created", "updated", "unchanged"]
    assert list(store.documents()) == [second]
    [revision] = store.revisions(first.doc_id)
    [changed] = store.changes_since(0)
    assert changed.sequence == revision.sequence == store.sequence() == 2


def test_a_deleted_record_is_gone_but_not_forgotten(store: Store, twelve: tuple[Document, ...]) -> None:
    store.upsert(twelve, "feed", AT)
    assert store.delete("a01-ocean-phd", LATER)
    assert not store.delete("a01-ocean-phd", LATER)
    assert not store.delete("nobody", LATER)
    assert tuple(store.documents()) == twelve[1:]
    entry = store.get("a01-ocean-phd")
    assert entry is not None
    assert (entry.deleted_at, entry.document) == (LATER, twelve[0])
    assert [(one.doc_id, one.document) for one in store.changes_since(12)] == [("a01-ocean-phd", None)]
    counts = store.counts()
    assert (counts.records, counts.deleted, counts.revisions) == (11, 1, 1)
    assert statuses(store, twelve[0]) == ["created"]
    assert tuple(store.documents()) == twelve
    assert [one.kind for one in store.revisions("a01-ocean-phd")] == ["deleted", "restored"]


def test_changes_come_in_order_and_once_per_record(store: Store, twelve: tuple[Document, ...]) -> None:
    store.upsert(twelve, "feed", AT)
    seen = store.sequence()
    store.upsert([moved(twelve[5], date(2027, 1, 1))], "feed", AT)
    store.upsert([moved(twelve[2], date(2027, 1, 1))], "feed", AT)
    store.upsert([moved(twelve[5], date(2027, 2, 1))], "feed", AT)
    found = list(store.changes_since(seen))
    assert [one.doc_id for one in found] == [twelve[2].doc_id, twelve[5].doc_id]
    assert [one.sequence for one in found] == [seen + 2, seen + 3]
    assert found[-1].document == moved(twelve[5], date(2027, 2, 1))


def test_a_batch_that_breaks_writes_nothing(store: Store, twelve: tuple[Document, ...]) -> None:
    def breaking() -> Iterator[Document]:
        yield from twelve[:3]
        raise RuntimeError("the file ends here")

    with pytest.raises(RuntimeError, match="ends here"):
        store.upsert(breaking(), "feed", AT)
    with pytest.raises(ValueError, match="no zone"):
        store.upsert(twelve, "feed", AT.replace(tzinfo=None))
    assert store.counts().records == store.sequence() == 0


def test_instants_come_back_in_utc(store: Store, twelve: tuple[Document, ...]) -> None:
    store.upsert(twelve[:1], None, AT.astimezone(timezone(timedelta(hours=8))))
    entry = store.get(twelve[0].doc_id)
    assert entry is not None
    assert (entry.created_at, entry.created_at.utcoffset()) == (AT, timedelta(0))


def test_it_is_all_there_after_opening_again(
    place: Settings, store: Store, twelve: tuple[Document, ...]
) -> None:
    store.upsert(twelve, "feed", AT)
    store.close()
    again = open_store(place)
    assert tuple(again.documents()) == twelve
    again.close()


def test_a_reader_sees_one_state(place: Settings, store: Store, twelve: tuple[Document, ...]) -> None:
    many = [Document(f"r{number:05}", "before") for number in range(2500)]
    store.upsert(many, "feed", AT)
    reader = store.documents()
    first = next(reader)
    other = open_store(place)
    other.upsert([replace(document, title="after") for document in many], "feed", LATER)
    other.close()
    assert {document.title for document in (first, *reader)} == {"before"}
    assert {document.title for document in store.documents()} == {"after"}


def test_writers_at_once_lose_nothing_and_share_no_number(place: Settings, store: Store) -> None:
    def write(writer: int) -> None:
        mine = open_store(place)
        for step in range(8):
            mine.upsert(
                [Document(f"w{writer}-{step}", "x"), Document("shared", f"{writer}-{step}")], None, AT
            )
        mine.close()

    writers = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    counts = store.counts()
    assert (counts.records, counts.revisions, counts.sequence) == (33, 31, 64)
    assert len(list(store.changes_since(0))) == 33


def test_two_that_open_an_empty_store_at_once(place: Settings) -> None:
    opened: list[Store] = []
    openers = [threading.Thread(target=lambda: opened.append(open_store(place))) for _ in range(4)]
    for opener in openers:
        opener.start()
    for opener in openers:
        opener.join()
    assert [one.counts().records for one in opened] == [0] * 4
    for one in opened:
        one.close()


def test_a_store_of_a_newer_version_is_left_alone(place: Settings, store: Store) -> None:
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreNewer, match="9999"):
        open_store(place)


@pytest.mark.engine
def test_no_message_holds_the_password(postgres: str, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, store_url=f"{postgres}nowhere")
    assert "secret-word" not in repr(settings)
    with pytest.raises(StoreUnavailable) as caught:
        open_store(settings)
    assert "nowhere" in str(caught.value)
    assert "secret-word" not in str(caught.value)


@pytest.mark.parametrize("url", ["postgres:secret-word", "mysql://u:secret-word@host/x"])
def test_a_url_that_cannot_be_is_refused_without_telling_it(url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        open_store(Settings(home=tmp_path, store_url=url))
    assert "secret-word" not in str(caught.value)
