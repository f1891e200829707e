"""The straight line from the shared folder to programmes worth shipping."""

from __future__ import annotations

from pathlib import Path

from . import calls, sources
from .facts import Facts
from .flagships import Flagships
from .merge import merge
from .places import Gazetteer


def programmes(shared: Path) -> tuple[list[Facts], Gazetteer]:
    """(the programmes in stable order, the gazetteer that names their countries)."""
    folder = shared / "data" / "scholarships" / "normalised"
    gazetteer = Gazetteer(shared / "data" / "vocab")
    read = [facts for source in sources.ORDER for facts in sources.read(folder, source)]
    flagships = Flagships(shared / "data" / "aliases.csv")
    famous, others = flagships.gather(read, calls.read(folder))
    kept = famous + [facts for facts in merge(others) if worth_keeping(facts)]
    return sorted(kept, key=lambda facts: (facts.slug is None, facts.source, facts.source_id)), gazetteer


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
