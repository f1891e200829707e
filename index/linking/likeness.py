"""How the names of two records stand to each other, once what says nothing new is taken away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from .name import Name
from .place import places
from .rarity import Rarity
from .sketch import Sketch

_TOLD = 4.5
_MOST = 0.75
_SPELT = 5  # the least letters of two terms that may be one word spelt in two ways
_NAMES = 1 << 14  # names whose countries are held
_Sides = tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True, slots=True)
class Likeness:
    """How two names stand to each other: `shared` and `unshared` are weights, `rarest` that of one shared term.

    equal: nothing tells them apart. whole: they have the same terms. names_giver: both names hold most of the
    name of one of the givers. levels_of_one, place_of_one: one name alone says a level, a country.
    """

    equal: bool
    whole: bool
    agree: float
    shared: float
    rarest: float
    unshared: float
    levels_clash: bool
    levels_of_one: bool
    numbers_clash: bool
    names_giver: bool
    place_of_one: bool
    places_clash: bool

    @property
    def levels_differ(self) -> bool:
        """Whether the two names do not say the same of levels."""
        return self.levels_clash or self.levels_of_one


def closest(first: Sketch, second: Sketch, rarity: Rarity) -> Likeness:
    """The two names that agree best; one of the two has to be a record's title.

    Two of many other names may meet by chance.
    """
    return max(
        (
            _names(one, other, first, second, rarity)
            for at, one in enumerate(first.names)
            for beside, other in enumerate(second.names)
            if at == 0 or beside == 0
        ),
        key=lambda found: (found.equal, found.agree, found.rarest, -found.unshared),
    )


def _names(one: Name, other: Name, first: Sketch, second: Sketch, rarity: Rarity) -> Likeness:
    both = one.terms & other.terms
    if not both:
        apart = rarity.total(one.terms ^ other.terms)
        return Likeness(False, False, 0.0, 0.0, 0.0, apart, False, False, False, False, False, False)
    alone, spelt = _respelt(_unexplained(one, other), _unexplained(other, one))
    where, there = _places(one.terms), _places(other.terms)
    of_one, clash = _elsewhere(
        {where[term] for term in alone[0] & where.keys()} - set(there.values()),
        {there[term] for term in alone[1] & there.keys()} - set(where.values()),
        first.hosts,
        second.hosts,
    )
    alone = alone[0] - where.keys(), alone[1] - there.keys()
    left, right = (_less_giver(side, first, second) for side in alone)
    # Words of a giver in one of the names are no difference; one such word in each ("for SC", "for OBC") is.
    if left == alone[0] or right == alone[1]:
        alone = left, right
    # Words of a giver that both have say nothing new, unless they are the whole name.
    shared = (both | spelt) - (first.giver & second.giver) or both
    together, apart = rarity.total(shared), rarity.total(alone[0] | alone[1])
    said = bool(one.levels), bool(other.levels)
    return Likeness(
        equal=bool(shared) and not apart,
        whole=one.terms == other.terms,
        agree=together / (together + apart) if shared else 0.0,
        shared=together,
        rarest=max(map(rarity.weight, shared), default=0.0),
        unshared=apart,
        levels_clash=all(said) and one.levels != other.levels,
        levels_of_one=any(said) and not all(said),
        numbers_clash=one.numbers != other.numbers,
        names_giver=any(_holds(both, named, rarity) for named in (first.giver, second.giver) if named),
        place_of_one=of_one,
        places_clash=clash,
    )


@lru_cache(maxsize=_NAMES)
def _places(terms: frozenset[str]) -> Mapping[str, str]:
    return places().of(terms)


def _less_giver(side: frozenset[str], first: Sketch, second: Sketch) -> frozenset[str]:
    """The terms of a name that are neither words nor initials of a giver."""
    rest = side - first.giver - second.giver
    short = {term for term in rest if first.shortened(term) or second.shortened(term)}
    return rest - short if short else rest


def _elsewhere(
    one: set[str], other: set[str], hosts: frozenset[str], beside: frozenset[str]
) -> tuple[bool, bool]:
    """Whether the name of one record alone says a country, and whether both say another: `one` and `other`.

    A country where both awards are held is no difference ("British Chevening"), nor is that of a record beside one
    that says nothing of where it is held.
    """
    one = one - (beside or hosts)
    other = other - (hosts or beside)
    return bool(one) != bool(other), bool(one and other)


def _holds(both: frozenset[str], giver: frozenset[str], rarity: Rarity) -> bool:
    """Whether names that share the terms `both` name that giver, if it has a telling word."""
    if both.isdisjoint(giver):
        return False
    telling = max(map(rarity.weight, giver)) >= _TOLD
    return telling and rarity.total(both & giver) >= _MOST * rarity.total(giver)


def _unexplained(one: Name, other: Name) -> frozenset[str]:
    """Terms of `one` that `other` lacks and that are not the initials of either name."""
    rest = one.terms - other.terms
    short = {term for term in rest if one.abbreviated(term) or other.abbreviated(term)}
    return rest - short if short else rest


def _respelt(one: frozenset[str], other: frozenset[str]) -> tuple[_Sides, frozenset[str]]:
    """Both sets without the terms that are one word with a slip of the pen, and those terms."""
    if not one or not other:
        return (one, other), frozenset()
    long = [twin for twin in other if len(twin) >= _SPELT]
    slips = {
        (term, twin)
        for term in one
        if len(term) >= _SPELT
        for twin in long
        if DamerauLevenshtein.distance(term, twin, score_cutoff=1) <= 1
    }
    if not slips:
        return (one, other), frozenset()
    left, right = _first(slips), frozenset(twin for _, twin in slips)
    return (one - left, other - right), left


def _first(pairs: Iterable[tuple[str, str]]) -> frozenset[str]:
    return frozenset(term for term, _ in pairs)
