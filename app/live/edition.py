"""One searchable state, and what it can be made from again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.library import Library
from app.suggestions import Suggestions
from index.addition import Addition
from index.editing import edited

from .delta import Delta
from .footing import Footing


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """A base and what changed since, up to `sequence`: a few references, and a snapshot whenever one is needed."""

    base: Footing
    additions: tuple[Addition, ...]
    gone: frozenset[str]
    sequence: int

    @staticmethod
    def of(delta: Delta) -> Recipe:
        """The present state of a delta."""
        return Recipe(delta.base, delta.additions(), delta.gone(), delta.sequence)

    def edition(self, like: Library) -> Edition:
        """The state, with all but the snapshot as in `like`; the same recipe makes states that answer alike."""
        snapshot = edited(self.base.snapshot, self.additions, self.gone)
        documents = [addition.document for addition in self.additions]
        suggestions = self.base.suggestions.edited(documents, self.gone)
        return Edition(self, replace(like, snapshot=snapshot), suggestions)

    @property
    def delta(self) -> int:
        """How many documents are other than in the base."""
        return len(self.additions) + len(self.gone)

    @property
    def pending(self) -> int:
        """How many documents are without vectors."""
        return sum(addition.vectors is None for addition in self.additions)


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """A state that requests read: the library over its snapshot, its completions, and its recipe."""

    recipe: Recipe
    library: Library
    suggestions: Suggestions
