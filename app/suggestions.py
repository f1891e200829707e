"""Completions as one types: names of programmes, their aliases, and providers.

A text that several documents have is one completion, and leads to the first of them. Keys are made from texts alone,
so what an edit of documents changes is which texts there are and where they lead: keys are not sorted again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from heapq import nsmallest
from itertools import chain, islice
from typing import Any

from index.analyzer import fold
from index.document import Document
from index.snapshot import Snapshot

_MAX_WORDS = 8
# Texts that came since the build are looked at again at every edit; there are about this many between two builds.
_RECENT = 16_384


@dataclass(frozen=True, slots=True)
class Entry:
    """One completion: what is shown, what kind it is, and the document it leads to, if one."""

    text: str
    kind: str
    doc_id: str | None


@dataclass(frozen=True, slots=True)
class Shelf:
    """keys: folded texts and their later words, ascending; `texts[i]` is what `keys[i]` completes to.

    `starts[i]` is whether the key is the beginning of the text, not the beginning of a later word of it.
    """

    keys: tuple[str, ...]
    starts: tuple[bool, ...]
    texts: tuple[str, ...]

    @staticmethod
    def of(texts: Iterable[str]) -> Shelf:
        """The shelf of distinct `texts`."""
        found = sorted((key, not start, text) for text in texts for start, key in _keys(text))
        return Shelf(
            tuple(key for key, _, _ in found),
            tuple(not later for _, later, _ in found),
            tuple(text for _, _, text in found),
        )

    def begun(self, prefix: str) -> Iterator[tuple[str, bool]]:
        """(text, whether the key is its beginning) for each key that begins with `prefix`."""
        at = bisect_left(self.keys, prefix)
        while at < len(self.keys) and self.keys[at].startswith(prefix):
            yield self.texts[at], self.starts[at]
            at += 1


@dataclass(frozen=True, slots=True, eq=False)
class Suggestions:
    """The completions of the documents of a snapshot, and what has changed since.

    names: document id → its entries. holders: text → the ids of documents that have it, ascending. shelf: the texts of
    `holders`. changed: text → what it completes to now, None when no document has it any more; added: those of its
    texts that are not on `shelf`.
    """

    names: Mapping[str, tuple[Entry, ...]]
    holders: Mapping[str, Sequence[str]]
    shelf: Shelf
    changed: Mapping[str, Entry | None] = field(default_factory=dict)
    added: Shelf = Shelf((), (), ())

    @staticmethod
    def of(snapshot: Snapshot) -> Suggestions:
        """The completions of a snapshot's documents."""
        names = {document.doc_id: _names(document) for document in snapshot.corpus}
        holders = _holders(names)
        return Suggestions(names, holders, Shelf.of(holders))

    def edited(self, documents: Sequence[Document], gone: Collection[str]) -> Suggestions:
        """The completions when the snapshot's documents `gone` are removed and `documents` added or put in place.

        documents: ascending by id. Both say everything that changed since the snapshot; earlier edits are forgotten.
        """
        new = {document.doc_id: _names(document) for document in documents}
        new_holders = _holders(new)
        replaced = {*gone, *new}
        lost = {entry.text for doc_id in replaced for entry in self.names.get(doc_id, ())}
        changed = dict[str, Entry | None]()
        for text in lost | new_holders.keys():
            stays = (doc_id for doc_id in self.holders.get(text, ()) if doc_id not in replaced)
            first = min(chain(islice(stays, 1), new_holders.get(text, ())[:1]), default=None)
            changed[text] = (
                None if first is None else _entry(text, (new if first in new else self.names)[first])
            )
        added = Shelf.of(text for text in new_holders if text not in self.holders)
        return replace(self, changed=changed, added=added)

    def complete(self, prefix: str, limit: int) -> Sequence[Mapping[str, Any]]:
        """At most `limit` completions of `prefix`: those that begin with it first, the shortest first."""
        begun = " ".join(fold(prefix).split())
        if not begun:
            return []
        later: dict[str, bool] = {}
        for shelf in (self.shelf, self.added):
            for text, start in shelf.begun(begun):
                later[text] = later.get(text, True) and not start
        standing = ((late, len(text), text) for text, late in later.items() if self._entry(text))
        best = [self._entry(text) for _, _, text in nsmallest(limit, standing)]
        return [{"text": entry.text, "kind": entry.kind, "id": entry.doc_id} for entry in best if entry]

    def _entry(self, text: str) -> Entry | None:
        """What `text` completes to; None when no document has it any more."""
        if text in self.changed:
            return self.changed[text]
        return _entry(text, self.names[self.holders[text][0]])


def _names(document: Document) -> tuple[Entry, ...]:
    """What a document is called, and by whom it is given."""
    named = [("title", document.title), *(("alias", alias) for alias in document.aliases)]
    entries = [Entry(text, kind, document.doc_id) for kind, text in named]
    return (*entries, Entry(document.provider, "provider", None)) if document.provider else tuple(entries)


def _holders(names: Mapping[str, Sequence[Entry]]) -> dict[str, list[str]]:
    """Text → the ids of documents that have it, in the order of `names`."""
    holders = defaultdict[str, list[str]](list)
    for doc_id, entries in names.items():
        for text in {entry.text for entry in entries}:
            holders[text].append(doc_id)
    return dict(holders)


def _entry(text: str, entries: Iterable[Entry]) -> Entry:
    """The first of `entries` with this text."""
    return next(entry for entry in entries if entry.text == text)


@lru_cache(maxsize=_RECENT)
def _keys(text: str) -> tuple[tuple[bool, str], ...]:
    """(is the beginning, key): the folded text from its start and from each of its words."""
    words = fold(text).split()
    return tuple((at == 0, " ".join(words[at:])) for at in range(min(len(words), _MAX_WORDS)))
