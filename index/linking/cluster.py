"""Links to programmes: records that hang together, unless two of them certainly do not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from hashlib import blake2b

from .decision import Link
from .linker import best_first
from .sketch import Sketch

Pair = tuple[str, str]
LINKED = "linked:"
"""How the id of a programme begins that no record states: one made of links."""
_MOST = 200
"""A programme grows no larger: by then something is wrong with the feed."""


def clusters(
    links: Iterable[Link],
    joined: Collection[Pair] = (),
    apart: Collection[Pair] = (),
    conflicting: Callable[[str, str], bool] = lambda first, second: False,
) -> list[list[str]]:
    """The groups of at least two ids, each in ascending order, by their first id.

    The surest links are followed first. One that would bring together two records that are `apart`, or that are
    `conflicting`, is not followed: so a chain of small likenesses never joins two programmes. `joined` pairs (an
    operator's word) come before all links, and only `apart` stands above them and above what they bring in. Pairs are
    given in ascending order.
    """
    groups: dict[str, list[str]] = {}
    never = frozenset(apart)
    vouched = frozenset(one for two in joined for one in two)

    def join(first: str, second: str, told: bool) -> None:
        one, other = groups.setdefault(first, [first]), groups.setdefault(second, [second])
        if one is other or (not told and len(one) + len(other) > _MOST):
            return
        if any(pair(a, b) in never for a in one for b in other):
            return
        # What somebody has vouched for may be unlike the others.
        if not told and any(
            conflicting(a, b) for a in one if a not in vouched for b in other if b not in vouched
        ):
            return
        if len(one) < len(other):
            one, other = other, one
        one.extend(other)
        groups.update(dict.fromkeys(other, one))

    for first, second in sorted(joined):
        join(first, second, told=True)
    for link in sorted(links, key=best_first):
        join(link.first, link.second, told=False)
    found = {id(group): group for group in groups.values() if len(group) > 1}
    return sorted(sorted(group) for group in found.values())


def pair(first: str, second: str) -> Pair:
    """Two ids in ascending order."""
    return (first, second) if first < second else (second, first)


def programme_id(members: Iterable[Sketch]) -> str:
    """The id of the programme that a group is: the first that a member states, else one made of the first member's."""
    group = list(members)
    stated = [one.programme for one in group if one.programme is not None]
    if stated:
        return min(stated)
    first = min(one.doc_id for one in group)
    return f"{LINKED}{blake2b(first.encode(), digest_size=10).hexdigest()}"
