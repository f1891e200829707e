"""The rule of each source that needs one, by the source's name."""

from __future__ import annotations

from collections.abc import Callable

from index.catalogue.compile import asia, europe, portals
from index.catalogue.compile.facts import Facts, Row

_RULES: dict[str, Callable[[Row, Facts], Facts]] = {
    "achivr": portals.famous_lists,
    "au_joint": portals.australia,
    "ca_ufv": portals.fraser_valley,
    "co_icetex": europe.icetex,
    "de_daad": europe.daad,
    "grad_manager": portals.famous_lists,
    "in_cusaathi": asia.west_bengal,
    "in_indiascholarships": asia.india,
    "in_myscheme": asia.myscheme,
    "intlscholarships": portals.internationalscholarships,
    "kr_thedream": asia.korea,
    "kr_universities": asia.korea,
    "mastersportal_edw": portals.mastersportal,
    "mastersportal_hai": portals.mastersportal,
    "ncku": asia.taiwan,
    "ncu": asia.taiwan,
    "pe_becas": europe.peru,
    "pl_stypendia": europe.poland,
    "svenska_stipendier": europe.sweden,
    "th_funding": asia.thailand,
}


def adjust(source: str, row: Row, facts: Facts) -> Facts:
    """The facts with the source's own rules applied."""
    rule = _RULES.get(source)
    return rule(row, facts) if rule else facts
