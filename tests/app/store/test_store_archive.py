"""Backup and restore: the original destroyed, the copy damaged, the copy of another database."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select

from app.experiments.shelf import StoreShelf
from app.experiments.spec import Arm, Experiment
from app.settings import Settings
from app.store import Store, open_store
from app.store.archive import backup, restore
from app.store.engine import reading, writing
from app.store.errors import ArchiveDamaged, ArchiveError, ArchiveNewer
from app.store.tables import ERASURES, EVENTS, EXPOSURES
from index.document import Document

AT = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)


def filled(store: Store, documents: Iterable[Document]) -> None:
    documents = list(documents)
    store.upsert(documents, "feed", AT)
    store.upsert([replace(documents[0], title="Renamed")], "desk", AT)
    store.delete(documents[1].doc_id, AT)


def everything(store: Store, documents: Iterable[Document]) -> list[object]:
    ids = [document.doc_id for document in documents]
    return [*map(store.get, ids), *map(store.revisions, ids), store.counts()]


def test_a_destroyed_store_comes_back_whole(
    store: Store, twelve: tuple[Document, ...], tmp_path: Path
) -> None:
    filled(store, twelve)
    before = everything(store, twelve)
    rows = backup(store, tmp_path / "b.gz")
    assert rows == 12 + 2 + 1
    store.close()
    home = tmp_path / "new"
    for file in tmp_path.glob("store.sqlite3*"):
        file.unlink()
    fresh = open_store(Settings(home=home))  # always SQLite: a backup moves between databases
    assert restore(fresh, tmp_path / "b.gz") == 11
    assert everything(fresh, twelve) == before
    fresh.close()


def test_a_backup_of_sqlite_is_restored_here(
    store: Store, twelve: tuple[Document, ...], tmp_path: Path
) -> None:
    other = open_store(Settings(home=tmp_path / "other"))
    filled(other, twelve)
    backup(other, tmp_path / "b.gz")
    restore(store, tmp_path / "b.gz")
    assert everything(store, twelve) == everything(other, twelve)
    other.close()


def test_a_restore_replaces_and_change_numbers_go_on(
    store: Store, twelve: tuple[Document, ...], tmp_path: Path
) -> None:
    store.upsert(twelve[:3], "feed", AT)
    backup(store, tmp_path / "b.gz")
    store.upsert(twelve, "feed", AT)
    seen = store.sequence()
    assert restore(store, tmp_path / "b.gz") == 3
    assert tuple(store.documents()) == twelve[:3]
    assert [one.document for one in store.changes_since(seen)] == list(twelve[:3])
    assert store.sequence() > seen
    assert [one.status for one in store.upsert(twelve[:4], "feed", AT)] == ["unchanged"] * 3 + ["created"]


def test_the_same_store_gives_the_same_bytes(
    store: Store, twelve: tuple[Document, ...], tmp_path: Path
) -> None:
    filled(store, twelve)
    for name in ("a", "b"):
        backup(store, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def refused(store: Store, file: Path, kind: type[ArchiveError]) -> None:
    before = list(store.documents()), store.counts()
    with pytest.raises(kind) as caught:
        restore(store, file)
    assert type(caught.value) is kind
    assert (list(store.documents()), store.counts()) == before


def test_a_damaged_backup_changes_nothing(store: Store, twelve: tuple[Document, ...], tmp_path: Path) -> None:
    filled(store, twelve)
    file = tmp_path / "b.gz"
    backup(store, file)
    whole = file.read_bytes()
    store.upsert([replace(twelve[5], title="Since then")], "desk", AT)
    for length in (0, 5, 40, len(whole) // 2, len(whole) - 9, len(whole) - 1):
        file.write_bytes(whole[:length])
        refused(store, file, ArchiveDamaged)
    for at in range(10, len(whole), max(1, len(whole) // 25)):
        flipped = whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :]
        with suppress(EOFError, gzip.BadGzipFile, zlib.error):
            if gzip.decompress(flipped) == gzip.decompress(whole):
                continue  # a bit that says nothing, such as the length of a code that is never used
        file.write_bytes(flipped)
        refused(store, file, ArchiveDamaged)
    lines = gzip.decompress(whole).splitlines(keepends=True)
    altered = {
        "a row gone": lines[:3] + lines[4:],
        "rows swapped": [lines[0], lines[2], lines[1], *lines[3:]],
        "no last line": lines[:-1],
        "text changed": [line.replace(b"Renamed", b"Altered") for line in lines],
        "something after": [*lines, lines[1]],
        "a strange row": [*lines[:-1], b'["users",{}]\n', lines[-1]],
        "no rows": [b"{}\n"],
        "a list first": [b"[1]\n"],
    }
    for content in altered.values():
        file.write_bytes(gzip.compress(b"".join(content)))
        refused(store, file, ArchiveDamaged)
    refused(store, tmp_path / "absent", ArchiveError)


@pytest.mark.parametrize("news", [{"backup": 2}, {"tables": "0999"}])
def test_a_newer_backup_is_refused(
    store: Store, twelve: tuple[Document, ...], tmp_path: Path, news: dict[str, object]
) -> None:
    filled(store, twelve)
    file = tmp_path / "b.gz"
    backup(store, file)
    first, *rest = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    header = json.dumps({**json.loads(first), **news}).encode() + b"\n"
    file.write_bytes(gzip.compress(header + b"".join(rest)))
    refused(store, file, ArchiveNewer)


def test_a_backup_that_cannot_be_written_leaves_nothing(store: Store, tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="cannot be written"):
        backup(store, tmp_path / "no" / "folder")
    (tmp_path / "taken").mkdir()
    with pytest.raises(ArchiveError, match="cannot be written"):
        backup(store, tmp_path / "taken")
    assert list(tmp_path.glob("*.part")) == []


def test_experiments_and_feedback_come_back_and_the_erased_do_not(store: Store, tmp_path: Path) -> None:
    shelf = StoreShelf(lambda: store)
    arms = (Arm("control", 50.0), Arm("deep", 50.0, None, {"depth": 500}))
    shelf.put(Experiment("one", arms, "one", "one"), lambda _: True, AT)
    exposure = {
        "at": AT,
        "session": None,
        "consent": False,
        "query_hash": "h",
        "system": "s",
        "fingerprint": "f",
    }
    exposure |= {"offset": 0, "shown": 1, "hits": "[]", "total": 1, "total_ms": 1.5, "degraded": "[]"}
    event = {"digest": "d", "type": "click", "received_at": AT, "session": None}
    with writing(store.engine) as connection:
        for unit in ("kept", "gone"):
            connection.execute(insert(EXPOSURES).values(query_id=unit, unit=unit, **exposure))
            connection.execute(insert(EVENTS).values(event_id=unit, query_id=unit, unit=unit, **event))
    backup(store, tmp_path / "b.gz")
    before = shelf.versions()
    shelf.stop("one", "later", AT)
    with writing(store.engine) as connection:
        connection.execute(delete(EXPOSURES))
        connection.execute(insert(ERASURES).values(unit="gone", at=AT))  # somebody asked for it since
    restore(store, tmp_path / "b.gz")
    assert [replace(one, sequence=0) for one in shelf.versions()] == [
        replace(one, sequence=0) for one in before
    ]
    with reading(store.engine) as connection:
        assert connection.execute(select(EXPOSURES.c.query_id)).scalars().all() == ["kept"]
        assert connection.execute(select(EVENTS.c.event_id)).scalars().all() == ["kept"]
        assert connection.execute(select(ERASURES.c.unit)).scalars().all() == ["gone"]
