"""Edits: deletions and documents in one transaction, conditions that nobody can come between."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.store import Edit, Store
from index.document import Document

AT = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)


def statuses(store: Store, *edits: Edit) -> list[str]:
    return [outcome.status for outcome in store.edit(edits, "desk", AT).outcomes]


def test_one_batch_holds_every_kind(store: Store, twelve: tuple[Document, ...]) -> None:
    first, second, third, fourth = twelve[:4]
    assert statuses(store, *map(Edit.put, (first, second, third))) == ["created"] * 3
    said = statuses(
        store,
        Edit.put(first),
        Edit.put(replace(second, title="New")),
        Edit.remove(third.doc_id),
        Edit.remove(third.doc_id),
        Edit.remove("never-was"),
        Edit.put(fourth),
        Edit.remove(fourth.doc_id),
        Edit.put(replace(fourth, title="Back")),
    )
    assert said == [
        "unchanged",
        "updated",
        "deleted",
        "unchanged",
        "unchanged",
        "created",
        "deleted",
        "created",
    ]
    assert [document.title for document in store.documents()] == [first.title, "New", "Back"]


def test_the_sequence_takes_in_every_change_of_the_batch(store: Store, twelve: tuple[Document, ...]) -> None:
    edited = store.edit([Edit.put(one) for one in twelve], None, AT)
    assert edited.sequence == store.sequence() == max(one.sequence for one in store.changes_since(0))
    again = store.edit([Edit.put(one) for one in twelve], None, AT)
    assert again.sequence == edited.sequence
    gone = store.edit([Edit.remove(twelve[3].doc_id)], None, AT)
    assert gone.sequence > edited.sequence
    assert [(one.doc_id, one.document) for one in store.changes_since(edited.sequence)] == [
        (twelve[3].doc_id, None)
    ]


def test_a_condition_sees_what_is_stored_and_keeps_no_other_edit_back(
    store: Store, twelve: tuple[Document, ...]
) -> None:
    first, second = twelve[:2]
    seen: list[Document | None] = []

    def note(stored: Document | None) -> bool:
        seen.append(stored)
        return stored is None

    renamed = replace(first, title="Renamed")
    assert statuses(store, Edit.put(first, note), Edit.put(renamed, note), Edit.put(second)) == [
        "created",
        "refused",
        "created",
    ]
    assert statuses(store, Edit.remove(first.doc_id, note)) == ["refused"]
    assert statuses(store, Edit.remove(first.doc_id), Edit.remove(first.doc_id, note)) == [
        "deleted",
        "unchanged",
    ]
    assert seen == [None, first, first, None]


def test_an_error_in_the_middle_leaves_nothing(store: Store, twelve: tuple[Document, ...]) -> None:
    def broken(_: Document | None) -> bool:
        raise RuntimeError("the condition is broken")

    with pytest.raises(RuntimeError):
        store.edit([Edit.put(twelve[0]), Edit.put(twelve[1], broken)], None, AT)
    assert list(store.documents()) == []
    assert store.sequence() == 0
