"""What the store says and the base does not: the changes since the base was built, each made ready once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from index.addition import Addition
from index.types import Vector

from .footing import Footing


@dataclass(frozen=True, slots=True)
class Change:
    """The last change of one document; `addition` is None when it was deleted."""

    sequence: int
    addition: Addition | None


class Delta:
    """The changes since `base`, up to and with `sequence`. Belongs to one thread."""

    def __init__(self, base: Footing) -> None:
        self.base = base
        self.sequence = base.sequence
        self._changes: dict[str, Change] = {}

    def __len__(self) -> int:
        return len(self._changes)

    def take(self, doc_id: str, change: Change) -> None:
        """Nothing; this is the last change of `doc_id` now."""
        if change.addition is None and self.base.snapshot.corpus.row(doc_id) is None:
            self._changes.pop(doc_id, None)  # it came and went since the base was built
        else:
            self._changes[doc_id] = change

    def give_vectors(self, found: Mapping[str, tuple[str, Vector]]) -> int:
        """How many documents got their vectors: {id: (digest of the content that was encoded, (p, D) float32)}."""
        given = 0
        for doc_id, (digest, vectors) in found.items():
            change = self._changes.get(doc_id)
            addition = change.addition if change else None
            if change and addition and addition.vectors is None and addition.digest == digest:
                self._changes[doc_id] = Change(change.sequence, addition.encoded(vectors))
                given += 1
        return given

    def additions(self) -> tuple[Addition, ...]:
        """What came and changed, ascending by id."""
        found = (change.addition for change in self._changes.values() if change.addition is not None)
        return tuple(sorted(found, key=lambda addition: addition.doc_id))

    def gone(self) -> frozenset[str]:
        """The ids of what was deleted."""
        return frozenset(doc_id for doc_id, change in self._changes.items() if change.addition is None)

    def without_vectors(self) -> list[Addition]:
        """The documents whose vectors are not known yet, the longest waiting first."""
        waiting = [one for one in self._changes.values() if one.addition and one.addition.vectors is None]
        waiting.sort(key=lambda change: change.sequence)
        return [change.addition for change in waiting if change.addition]

    def rebased(self, base: Footing) -> Delta:
        """The changes since another base; those that have to be read again from the store are left out."""
        delta = Delta(base)
        same = base.snapshot.settings.fingerprint == self.base.snapshot.settings.fingerprint
        if same and base.sequence >= self.base.sequence:
            for doc_id, change in self._changes.items():
                if change.sequence > base.sequence:
                    delta.take(doc_id, change)
            delta.sequence = max(base.sequence, self.sequence)
        return delta
