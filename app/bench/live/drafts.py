"""Records to write: real ones under new ids, each version with a word of its own by which it is known again."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from index.document import Document, Window
from index.record import to_record

_LETTERS = "bcdfghjklmnpqrstvwxz"
_WORD = 9


@dataclass(frozen=True, slots=True)
class Draft:
    """One version of a record, and the made-up word in its title that no other record or version holds."""

    doc_id: str
    word: str
    record: Mapping[str, object]

    @property
    def title(self) -> str:
        """The title, which holds the word."""
        return str(self.record["title"])


class Drafts:
    """An endless supply of versions, from a seed."""

    def __init__(self, patterns: Sequence[Document], rng: random.Random, name: str) -> None:
        self._patterns = patterns
        self._rng = rng
        self._name = name
        self._count = 0

    def fresh(self) -> Draft:
        """The first version of a record that was never there."""
        self._count += 1
        return self.version(f"bench-{self._name}-{self._count:06}")

    def version(self, doc_id: str) -> Draft:
        """Another version of that record."""
        pattern = self._rng.choice(self._patterns)
        word = "".join(self._rng.choices(_LETTERS, k=_WORD))
        title = f"{word} {pattern.title}"
        document = replace(
            pattern,
            doc_id=doc_id,
            title=title,
            # Of a giver and a page of its own, or it would be shown as one with the record it was made from.
            provider=f"{word.title()} Foundation",
            url=None,
            programme_id=None,
            # Always open: what is closed goes to the end of a page, however well it fits.
            windows=(Window(kind="rolling"),),
        )
        return Draft(doc_id, word, to_record(document))
