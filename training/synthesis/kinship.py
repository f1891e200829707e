"""Which records belong together: rounds and copies of one programme, and programmes that are named alike."""

from __future__ import annotations

from rapidfuzz import fuzz

from training.synthesis.facts import Facts

_ALIKE = 88.0
"""Similarity of words, in percent, from which two names may be confused."""


def is_same_programme(one: Facts, other: Facts) -> bool:
    """Whether two records are rounds or copies of one programme: the same title, and givers that do not differ."""
    if one.title_key != other.title_key:
        return False
    givers = one.provider_key, other.provider_key
    return not all(givers) or fuzz.token_set_ratio(*givers) >= _ALIKE


def is_sibling(one: Facts, other: Facts) -> bool:
    """Whether two records share a family of names without being one programme."""
    if one.title_key == other.title_key:
        return True
    same_giver = bool(one.provider_key) and one.provider_key == other.provider_key
    return same_giver and fuzz.token_sort_ratio(one.title_key, other.title_key) >= _ALIKE
