"""What the service made of a query's text, shown in the answer so that the asker can see and undo it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from index.alias import Bridge
from index.analyzer import normalise
from index.language import detect
from index.types import Query


@dataclass(frozen=True, slots=True)
class Understood:
    """The text as typed and normalised, its language, and the names it was also looked up by."""

    raw: str
    normalised: str
    lang: str
    aliases: tuple[str, ...] = ()


def understand(query: Query) -> Understood:
    """The text of `query`, normalised (NFKC, white space), and its language unless the caller said it."""
    text = normalise(query.text)
    return Understood(query.text, text, query.lang or detect(text))


def aliases(bridges: Iterable[Bridge]) -> tuple[str, ...]:
    """The names behind `bridges` that differ from what was typed, in order, without repetition."""
    named = (bridge.name for bridge in bridges if bridge.name.casefold() != bridge.surface.casefold())
    return tuple(dict.fromkeys(named))
