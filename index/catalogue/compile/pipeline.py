"""The straight line from the shared folder to programmes worth shipping."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from index.catalogue.compile import calls, sources
from index.catalogue.compile.facts import Facts
from index.catalogue.compile.flagships import Flagships
from index.catalogue.compile.merge import merge
from index.catalogue.compile.places import Gazetteer


def programmes(shared: Path) -> tuple[list[Facts], Gazetteer]:
    """(the programmes in stable order, the gazetteer that names their countries)."""
    folder = shared / "data" / "scholarships" / "normalised"
    gazetteer = Gazetteer(shared / "data" / "vocab")
    read = agreeing([facts for source in sources.ORDER for facts in sources.read(folder, source)])
    flagships = Flagships(shared / "data" / "aliases.csv")
    famous, others = flagships.gather(read, calls.read(folder))
    kept = famous + [facts for facts in merge(others) if worth_keeping(facts)]
    return sorted(kept, key=lambda facts: (facts.slug is None, facts.source, facts.source_id)), gazetteer


def agreeing(read: Sequence[Facts]) -> list[Facts]:
    """The records without those of the portal whose university stands in another country than its others do.

    One of the two is wrong there, and nothing says which.
    """
    portal = [
        facts for facts in read if facts.source.startswith("mastersportal") and facts.provider and facts.hosts
    ]
    seen = Counter((facts.provider, facts.hosts) for facts in portal)
    usual = {provider: hosts for (provider, hosts), _ in sorted(seen.items(), key=lambda item: item[1])}
    return [
        facts
        for facts in read
        if not (
            facts.source.startswith("mastersportal")
            and facts.hosts
            and usual.get(facts.provider, facts.hosts) != facts.hosts
        )
    ]


def worth_keeping(facts: Facts) -> bool:
    """Whether the record says enough to be found and used: who gives it, and two things about it."""
    if not facts.provider and not facts.url:
        return False
    known = (
        bool(facts.hosts),
        bool(facts.levels),
        bool(facts.fields) or facts.any_field,
        facts.money is not None,
        bool(facts.nationalities),
        bool(facts.coverage),
        any(item.kind != "unknown" for item in facts.rounds),
        bool(facts.traits),
        bool(facts.notes),
    )
    return sum(known) >= 2
