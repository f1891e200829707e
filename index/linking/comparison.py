"""Two sketches side by side: the few figures that a decision is made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rapidfuzz.distance import DamerauLevenshtein

from .name import Name
from .rarity import Rarity
from .sketch import Sketch

FEATURES: tuple[str, ...] = (
    "name_equal_giver_agrees",
    "name_equal_giver_unstated",
    "name_equal_giver_differs",
    "name_agrees",
    "rarest_shared",
    "rare_unshared",
    "levels_clash",
    "levels_of_one",
    "numbers_clash",
    "giver_overlap",
    "giver_agrees",
    "giver_differs",
    "known_same",
    "known_other",
    "page_same",
    "page_other",
    "hosts_clash",
    "sum_same",
    "sum_other",
    "day_same",
)
"""What is weighed, in the order of `Comparison.values`."""

_TELLING = 7.0  # the rarity of a term that one name in a thousand holds
_AGREEING = 0.75
_SAME_SUM = 0.02
_TOLD = 4.5
_WHOLE = 8.0  # the least weight of a name that tells an award without its giver
_FEW, _HALF = 2, 0.5
_NONE: frozenset[str] = frozenset()
_SPELT = 5  # the least letters of two terms that may be one word spelt in two ways


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was found: one figure per feature, 0 to 3, in the order of `FEATURES`."""

    values: tuple[float, ...]

    def __getitem__(self, feature: str) -> float:
        return self.values[FEATURES.index(feature)]


@dataclass(frozen=True, slots=True)
class _Names:
    """How two names stand to each other: `shared` and `unshared` are weights, `rarest` that of one shared term.

    names_giver: both names hold the rarest word of one of the givers. levels_of_one: one name alone says a level.
    """

    equal: bool
    agree: float
    shared: float
    rarest: float
    unshared: float
    levels_clash: bool
    levels_of_one: bool
    numbers_clash: bool
    names_giver: bool

    @property
    def levels_differ(self) -> bool:
        """Whether the two names do not say the same of levels."""
        return self.levels_clash or self.levels_of_one


def compare(first: Sketch, second: Sketch, rarity: Rarity) -> Comparison:
    """The comparison of two records; which is the first makes no difference."""
    first, second = sorted((first, second), key=lambda one: one.doc_id)
    best = _closest(first, second, rarity)
    stated = bool(first.giver and second.giver)
    least, most = _overlap(first.giver, second.giver, rarity)
    agrees = stated and (least >= _AGREEING or best.names_giver)
    differs = stated and not agrees
    subtitles = subtitles_apart(first, second, rarity)
    pages = _pages(first, second)
    # One feed gives the rounds of an award other days, and one entry one page: this is two awards of one name.
    two = pages is False and agrees and first.source == second.source and first.days == second.days != _NONE
    # Without a giver on one side, "Academic Scholarship" is anybody's.
    vague = not stated and best.shared < _WHOLE
    equal = best.equal and not (subtitles or two or vague or best.levels_differ or best.numbers_clash)
    sums = _sums(first, second)
    return Comparison(
        (
            float(equal and agrees),
            float(equal and not stated),
            float(equal and differs),
            0.0 if equal else best.agree,
            min(best.rarest / _TELLING, 1.5),
            min((best.unshared + subtitles) / _TELLING, 3.0),
            float(best.levels_clash),
            float(best.levels_of_one),
            float(best.numbers_clash),
            most,
            float(agrees and not equal),
            float(differs and not equal),
            float(first.known is not None and first.known == second.known and not best.levels_differ),
            float(first.known is not None and second.known is not None and first.known != second.known),
            float(pages is True),
            float(pages is False and not equal),
            float(bool(first.hosts and second.hosts) and not first.hosts & second.hosts),
            float(sums is True),
            float(sums is False and not equal),
            float(bool(first.days & second.days)),
        )
    )


def _closest(first: Sketch, second: Sketch, rarity: Rarity) -> _Names:
    """The two names that agree best; one of the two has to be a record's title.

    Two of many other names may meet by chance.
    """
    return max(
        (
            _names(one, other, first.giver, second.giver, rarity)
            for at, one in enumerate(first.names)
            for beside, other in enumerate(second.names)
            if at == 0 or beside == 0
        ),
        key=lambda found: (found.equal, found.agree, found.rarest, -found.unshared),
    )


def _names(one: Name, other: Name, giver: frozenset[str], beside: frozenset[str], rarity: Rarity) -> _Names:
    both = one.terms & other.terms
    if not both:
        return _Names(False, 0.0, 0.0, 0.0, rarity.total(one.terms ^ other.terms), False, False, False, False)
    alone = _unexplained(one, other), _unexplained(other, one)
    alone, spelt = _respelt(*alone)
    left, right = alone[0] - giver - beside, alone[1] - giver - beside
    # Words of a giver in one of the names are no difference; one such word in each ("for SC", "for OBC") is.
    if left == alone[0] or right == alone[1]:
        alone = left, right
    # Words of a giver that both have say nothing new, unless they are the whole name.
    shared = (both | spelt) - (giver & beside) or both
    together, apart = rarity.total(shared), rarity.total(alone[0] | alone[1])
    said = bool(one.levels), bool(other.levels)
    return _Names(
        equal=bool(shared) and not apart,
        agree=together / (together + apart) if shared else 0.0,
        shared=together,
        rarest=max(map(rarity.weight, shared), default=0.0),
        unshared=apart,
        levels_clash=all(said) and one.levels != other.levels,
        levels_of_one=any(said) and not all(said),
        numbers_clash=one.numbers != other.numbers,
        names_giver=any(_rarest(named, rarity) in both for named in (giver, beside) if named),
    )


def _rarest(giver: frozenset[str], rarity: Rarity) -> str | None:
    """The rarest word of a giver, when it is a telling one."""
    rarest = max(giver, key=lambda term: (rarity.weight(term), term))
    return rarest if rarity.weight(rarest) >= _TOLD else None


def _unexplained(one: Name, other: Name) -> frozenset[str]:
    """Terms of `one` that `other` lacks and that are not the initials of either name."""
    return frozenset(
        term for term in one.terms - other.terms if not one.abbreviated(term) and not other.abbreviated(term)
    )


def _respelt(
    one: frozenset[str], other: frozenset[str]
) -> tuple[tuple[frozenset[str], frozenset[str]], frozenset[str]]:
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


def _overlap(one: frozenset[str], other: frozenset[str], rarity: Rarity) -> tuple[float, float]:
    """The shares, 0 to 1, of the lighter and of the heavier giver's weight that both hold."""
    if not one or not other:
        return 0.0, 0.0
    shared = rarity.total(one & other)
    low, high = sorted((rarity.total(one), rarity.total(other)))
    return (min(1.0, shared / low) if low else float(one == other), shared / high if high else 1.0)


def subtitles_apart(first: Sketch, second: Sketch, rarity: Rarity) -> float:
    """The weight of what two subtitles do not share; 0 where they are alike, or come from two sources."""
    one, other = first.subtitle, second.subtitle
    if first.source != second.source or min(len(one), len(other)) < _FEW:
        return 0.0
    if len(one & other) > _HALF * min(len(one), len(other)):
        return 0.0
    return rarity.total(one ^ other)


def _pages(first: Sketch, second: Sketch) -> bool | None:
    """True for one page, False for two pages of one site (which may have a page per award), None otherwise."""
    one, other = first.address, second.address
    if one is None or other is None or one.page is None or other.page is None or one.site != other.site:
        return None
    return one.page == other.page


def _sums(first: Sketch, second: Sketch) -> bool | None:
    """Whether both state the same sum; None when they cannot be compared."""
    one, other = first.sum, second.sum
    if one is None or other is None or (one[2] and other[2] and one[2] != other[2]):
        return None
    return all(_near(a, b) for a, b in zip(one[:2], other[:2], strict=True))


def _near(one: float | str | None, other: float | str | None) -> bool:
    if not isinstance(one, float) or not isinstance(other, float):
        return one == other
    return abs(one - other) <= _SAME_SUM * max(abs(one), abs(other))
