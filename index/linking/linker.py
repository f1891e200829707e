"""All links among many records: only those that share a key are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from .decision import Link, link
from .keys import crowded, keys
from .rarity import rarity
from .sketch import Sketch

Progress = Callable[[str, int, int], None]
_TOLD_EVERY = 1000


def links(sketches: Sequence[Sketch], progress: Progress = lambda step, done, total: None) -> list[Link]:
    """Every link among the records, by score descending and then by id. Ids must not repeat."""
    found: list[Link] = []
    for first, second in _pairs(sketches, progress):
        one = link(first, second)
        if one is not None:
            found.append(one)
    return sorted(found, key=best_first)


def best_first(one: Link) -> tuple[float, str, str]:
    """The order of links: the surest first."""
    return (-one.score, one.first, one.second)


def _pairs(sketches: Sequence[Sketch], progress: Progress) -> Iterator[tuple[Sketch, Sketch]]:
    """Each pair of records that share a key, once; the memory is that of one record's pairs."""
    held = [sorted(keys(one, rarity())) for one in sketches]
    rows: dict[int, list[int]] = defaultdict(list)
    for row, mine in enumerate(held):
        for key in mine:
            rows[key].append(row)
    for row, mine in enumerate(held):
        beside = {other for key in mine if not crowded(len(rows[key])) for other in rows[key] if other > row}
        for other in sorted(beside):
            yield sketches[row], sketches[other]
        if row % _TOLD_EVERY == 0:
            progress("links", row, len(sketches))
    progress("links", len(sketches), len(sketches))
