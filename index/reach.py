"""Which countries a programme reaches: those it names, and the members of the regions it speaks of."""

from __future__ import annotations

from index.countries import ANY
from index.document import Document, RegionRule
from index.regions.table import regions


def admitted(document: Document) -> tuple[str, ...] | None:
    """The nationalities that may apply, those of regions after those that are named; None when none is stated."""
    return _reached(document, "eligible_nationalities", document.eligible_nationalities)


def hosting(document: Document) -> tuple[str, ...] | None:
    """The countries where one may study, those of regions after those that are named; None when none is stated."""
    return _reached(document, "host_countries", document.host_countries)


def admitting(document: Document, nationality: str) -> RegionRule | None:
    """The first region of a document by which `nationality` may apply."""
    return next(
        (
            rule
            for rule in document.regions
            if rule.field == "eligible_nationalities" and nationality in regions()[rule.region].on(rule.on)
        ),
        None,
    )


def _reached(document: Document, field: str, named: tuple[str, ...] | None) -> tuple[str, ...] | None:
    rules = [rule for rule in document.regions if rule.field == field]
    if not rules or (named and ANY in named):
        return named
    members = (code for rule in rules for code in sorted(regions()[rule.region].on(rule.on)))
    return tuple(dict.fromkeys((*(named or ()), *members))) or None
