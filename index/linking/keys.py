"""The keys under which a record is looked up: two records of one programme share at least one, few others do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import combinations

from .rarity import Rarity
from .sketch import Sketch

_RAREST = 3
_TELLING = 4.0
_ALONE = 7.5
_WHOLE = 8.0
_CROWD = 100
"""More records than this under one key say that the key tells nothing: a portal's front door, a phrase of law."""


def keys(sketch: Sketch, rarity: Rarity) -> frozenset[int]:
    """The keys of one record, each a number of 63 bits: at most about a dozen.

    Its page; each of its names with the giver's rarest word, and as a whole where it tells enough by itself; every two
    of the rarest words of its title and giver.
    """
    return frozenset(map(_number, _texts(sketch, rarity)))


def crowded(size: int) -> bool:
    """Whether a key under which `size` records stand is left out."""
    return size > _CROWD


def _texts(sketch: Sketch, rarity: Rarity) -> Iterator[str]:
    if sketch.address is not None and sketch.address.page is not None:
        yield f"page {sketch.address.page}"
    if sketch.known is not None:
        yield f"known {sketch.known}"
    if sketch.programme is not None:
        yield f"programme {sketch.programme}"
    giver = _rarest(sketch.giver, rarity)[:1]
    for at, name in enumerate(sketch.names):
        whole = " ".join(sorted(name.terms))
        if rarity.total(name.terms) >= _WHOLE:
            yield f"name {whole}"
        for term in giver:
            yield f"given {term} {' '.join(sorted(name.terms - sketch.giver))}"
        if at == 0:
            yield from _telling(name.terms - sketch.giver, giver, rarity)


def _telling(own: frozenset[str], giver: list[str], rarity: Rarity) -> Iterator[str]:
    """The rarest words of a title, two by two and with the giver's; one alone where it is rare enough."""
    rare = [term for term in _rarest(own, rarity) if rarity.weight(term) >= _TELLING][:_RAREST]
    for term in (*rare[:2], *giver):
        if rarity.weight(term) >= _ALONE and (rare or not own):
            yield f"rare {term}"
    for pair in combinations(sorted({*rare, *giver}), 2):
        yield f"pair {' '.join(pair)}"


def _rarest(terms: Iterable[str], rarity: Rarity) -> list[str]:
    return sorted(terms, key=lambda term: (-rarity.weight(term), term))


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
