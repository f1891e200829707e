"""Completions as one types: names of programmes, their aliases, and providers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from index.analyzer import fold
from index.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Entry:
    """One completion: what is shown, what kind it is, and the document it leads to, if one."""

    text: str
    kind: str
    doc_id: str | None


@dataclass(frozen=True, slots=True)
class Suggestions:
    """keys: folded texts and their later words, ascending; `entries[i]` belongs to `keys[i]`.

    `starts[i]` is whether the key is the beginning of the text, not the beginning of a later word of it.
    """

    keys: tuple[str, ...]
    starts: tuple[bool, ...]
    entries: tuple[Entry, ...]

    @staticmethod
    def of(snapshot: Snapshot) -> Suggestions:
        """The completions of a snapshot's documents."""
        keyed: dict[tuple[str, str], tuple[bool, Entry]] = {}
        for document in snapshot.corpus:
            named = [
                Entry(document.title, "title", document.doc_id),
                *(Entry(alias, "alias", document.doc_id) for alias in document.aliases),
            ]
            if document.provider:
                named.append(Entry(document.provider, "provider", None))
            for entry in named:
                for start, key in _keys(entry.text):
                    keyed.setdefault((key, entry.text), (start, entry))
        ordered = sorted(keyed.items(), key=lambda item: (item[0][0], not item[1][0], item[0][1]))
        return Suggestions(
            tuple(key for (key, _), _ in ordered),
            tuple(start for _, (start, _) in ordered),
            tuple(entry for _, (_, entry) in ordered),
        )

    def complete(self, prefix: str, limit: int) -> Sequence[Mapping[str, Any]]:
        """At most `limit` completions of `prefix`: those that begin with it first, the shortest first."""
        begun = " ".join(fold(prefix).split())
        if not begun:
            return []
        at = bisect_left(self.keys, begun)
        found: dict[str, tuple[bool, int, str, Entry]] = {}
        while at < len(self.keys) and self.keys[at].startswith(begun):
            entry = self.entries[at]
            candidate = (not self.starts[at], len(entry.text), entry.text, entry)
            if entry.text not in found or candidate[:2] < found[entry.text][:2]:
                found[entry.text] = candidate
            at += 1
        best = sorted(found.values(), key=lambda candidate: candidate[:3])[:limit]
        return [{"text": entry.text, "kind": entry.kind, "id": entry.doc_id} for _, _, _, entry in best]


def _keys(text: str) -> list[tuple[bool, str]]:
    """(is the beginning, key): the folded text from its start and from each of its words."""
    words = fold(text).split()
    return [(at == 0, " ".join(words[at:])) for at in range(min(len(words), 8))]
