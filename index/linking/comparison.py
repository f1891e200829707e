"""Two sketches side by side: the few figures that a decision is made of."""

from __future__ import annotations

from dataclasses import dataclass

from .likeness import Likeness, closest
from .rarity import Rarity
from .sketch import Sketch

FEATURES: tuple[str, ...] = (
    "name_equal_giver_agrees",
    "name_equal_giver_unstated",
    "name_equal_giver_differs",
    "rare_name_giver_differs",
    "name_whole",
    "name_agrees",
    "name_agrees_other_source",
    "rarest_shared",
    "rare_unshared",
    "levels_clash",
    "levels_of_one",
    "numbers_clash",
    "place_of_one",
    "places_clash",
    "giver_whole",
    "giver_in_name",
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
_WHOLE = 8.0  # the least weight of a name that tells an award without its giver
_FEW = 3  # the least words of a subtitle
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was found: one figure per feature, 0 to 3, in the order of `FEATURES`."""

    values: tuple[float, ...]

    def __getitem__(self, feature: str) -> float:
        return self.values[FEATURES.index(feature)]


@dataclass(frozen=True, slots=True)
class _Givers:
    """How two givers stand to each other: whole when they have the same words, unstated when one has none."""

    agree: bool
    differ: bool
    whole: bool
    in_name: bool

    @property
    def unstated(self) -> bool:
        """Whether one record or both state no giver."""
        return not (self.agree or self.differ)


def compare(first: Sketch, second: Sketch, rarity: Rarity) -> Comparison:
    """The comparison of two records; which is the first makes no difference."""
    first, second = sorted((first, second), key=lambda one: one.doc_id)
    best = closest(first, second, rarity)
    givers = _givers(first, second, best, rarity)
    subtitles = subtitles_apart(first, second, rarity)
    pages, sums = _pages(first, second), _sums(first, second)
    # One feed gives the rounds of an award other days, and one entry one page: this is two awards of one name.
    two = (
        pages is False
        and givers.agree
        and first.source == second.source
        and first.days == second.days != _NONE
    )
    # Without a giver on one side, "Academic Scholarship" is anybody's.
    vague = givers.unstated and best.shared < _WHOLE
    barred = bool(subtitles or two or vague)
    equal = best.equal and not (barred or best.levels_differ or best.numbers_clash or best.places_clash)
    agree = 0.0 if equal else best.agree
    other_source = not frozenset(first.source.split("+")) & frozenset(second.source.split("+"))
    both_known = first.known is not None and second.known is not None
    known_same = both_known and first.known == second.known
    return Comparison(
        (
            float(equal and givers.agree),
            float(equal and givers.unstated),
            float(equal and givers.differ),
            min(max(best.shared / _TELLING - 1, 0.0), 3.0) if equal and givers.differ else 0.0,
            float(best.whole and not barred),
            agree,
            agree if other_source else 0.0,
            min(best.rarest / _TELLING, 1.5),
            min((best.unshared + subtitles) / _TELLING, 3.0),
            float(best.levels_clash),
            float(best.levels_of_one),
            float(best.numbers_clash),
            float(best.place_of_one),
            float(best.places_clash),
            float(givers.whole and not equal),
            float(givers.in_name),
            float(givers.agree and not equal),
            float(givers.differ and not equal),
            float(known_same and not best.levels_differ and not best.places_clash),
            float(both_known and not known_same),
            float(pages is True),
            float(pages is False and not equal),
            float(bool(first.hosts and second.hosts) and not first.hosts & second.hosts),
            float(sums is True),
            float(sums is False and not equal),
            float(bool(first.days & second.days)),
        )
    )


def _givers(first: Sketch, second: Sketch, best: Likeness, rarity: Rarity) -> _Givers:
    if not (first.giver and second.giver):
        return _Givers(False, False, False, _giver_in_name(first, second, rarity))
    agree = (
        best.names_giver
        or any(map(first.shortened, second.giver))
        or any(map(second.shortened, first.giver))
        or _overlap(first.giver, second.giver, rarity) >= _AGREEING
    )
    return _Givers(agree, not agree, first.giver == second.giver, False)


def _giver_in_name(first: Sketch, second: Sketch, rarity: Rarity) -> bool:
    """Whether the title of the record without a giver names the giver of the other."""
    told, untold = (first, second) if first.giver else (second, first)
    if not told.giver or untold.giver:
        return False
    return rarity.total(told.giver & untold.names[0].terms) >= _AGREEING * rarity.total(told.giver) > 0


def _overlap(one: frozenset[str], other: frozenset[str], rarity: Rarity) -> float:
    """The share, 0 to 1, of the lighter giver's weight that both hold."""
    least = min(rarity.total(one), rarity.total(other))
    return min(1.0, rarity.total(one & other) / least) if least else float(one == other)


def subtitles_apart(first: Sketch, second: Sketch, rarity: Rarity) -> float:
    """The weight of what two subtitles do not share; 0 where they are alike, or come from two sources."""
    one, other = first.subtitle, second.subtitle
    if first.source != second.source or min(len(one), len(other)) < _FEW:
        return 0.0
    if not one - other or not other - one:
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
