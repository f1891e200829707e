"""The shipped catalogue in the store: complete, renewed by a newer one, and never over an operator's head."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from app.indexing import index_store, seed_catalogue
from app.settings import Settings
from app.store import Store
from app.store.seed import Seeded, seed
from index.build import build
from index.catalogue.shipped import programmes
from index.document import Document

AT = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)


def edition(documents: tuple[Document, ...], day: int, title: str = "") -> tuple[Document, ...]:
    return tuple(
        replace(one, updated_at=AT + timedelta(days=day), title=title or one.title) for one in documents
    )


def titles(store: Store) -> dict[str, str]:
    return {document.doc_id: document.title for document in store.documents()}


def test_a_fresh_store_holds_the_shipped_catalogue(store: Store) -> None:
    told = seed_catalogue(store)
    assert told is not None
    assert list(store.documents()) == sorted(programmes(), key=lambda document: document.doc_id)
    assert (told.created, store.counts().records) == (store.counts().records, told.created)
    assert seed_catalogue(store) is None


def test_a_newer_catalogue_renews_what_nobody_touched(store: Store, twelve: tuple[Document, ...]) -> None:
    seed(store, "one", lambda: edition(twelve, 0), AT)
    mine = replace(twelve[0], verified_on=date(2026, 9, 1), title="Mine")
    store.upsert([mine], "desk", AT)
    store.delete(twelve[1].doc_id, AT)
    own = Document(twelve[2].doc_id, "Mine too")
    store.upsert([own, Document("own", "Own")], None, AT)
    told = seed(store, "two", lambda: edition(twelve[:-1], 1, "New"), AT)
    assert told == Seeded(created=0, updated=8, removed=1, kept=3)
    assert titles(store) == {
        **{one.doc_id: "New" for one in twelve[3:-1]},
        twelve[0].doc_id: "Mine",
        twelve[2].doc_id: "Mine too",
        "own": "Own",
    }
    assert store.revisions(twelve[3].doc_id)[-1].source == "catalogue"


def test_an_older_catalogue_changes_nothing(store: Store, twelve: tuple[Document, ...]) -> None:
    seed(store, "two", lambda: edition(twelve, 5, "New"), AT)
    assert seed(store, "one", lambda: edition(twelve, 0, "Old"), AT) is None
    assert set(titles(store).values()) == {"New"}


def test_what_left_the_catalogue_can_come_back_unless_an_operator_took_it(
    store: Store, twelve: tuple[Document, ...]
) -> None:
    seed(store, "one", lambda: edition(twelve, 0), AT)
    seed(store, "two", lambda: edition(twelve[2:], 1), AT)
    assert len(titles(store)) == 10
    store.upsert([twelve[0]], "desk", AT)  # an operator brings it back: theirs now
    seed(store, "three", lambda: edition(twelve[1:], 2), AT)
    assert set(titles(store)) == {one.doc_id for one in twelve}


@pytest.mark.slow
def test_the_snapshot_of_a_fresh_store_is_that_of_the_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.indexing.load_encoder", lambda _name: None)
    stored = index_store(Settings(home=tmp_path / "stored"), "none")
    direct = build(programmes(), tmp_path / "direct", None)

    def read(files: Mapping[str, tuple[int, str]]) -> dict[str, tuple[int, str]]:
        """What searches by words read: programmes are linked on the way through the store, nothing else changes."""
        return {
            name: file for name, file in files.items() if name.startswith(("lexical/", "passages/", "alias/"))
        }

    assert len(read(direct.manifest.files)) > 5
    assert read(stored.manifest.files) == read(direct.manifest.files)
    assert stored.manifest.documents == direct.manifest.documents
    assert stored.manifest.sequence > stored.manifest.documents  # the records, then their links


def test_an_ingested_record_is_not_the_catalogues(store: Store, twelve: tuple[Document, ...]) -> None:
    store.upsert([replace(twelve[0], title="Mine")], "catalogue", AT)
    told = seed(store, "one", lambda: twelve, AT)
    assert told == Seeded(created=11, kept=1)
    assert titles(store)[twelve[0].doc_id] == "Mine"
