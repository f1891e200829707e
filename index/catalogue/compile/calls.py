"""The few rounds of public calls that one person applies to; calls for organisations are left out.

A Doctoral Network or COFUND call is answered by institutions, so its date is no date for a student.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from index.catalogue.compile import days
from index.catalogue.compile.facts import Facts

_FEEDS = ("eu_funding_tenders", "il_ggmatcher", "us_grants_gov")
_RULES = (
    (r"^MSCA Postdoctoral Fellowships 20\d\d$", "MSCA Postdoctoral Fellowships"),
    (r"^ERA Fellowships$", "ERA Fellowships"),
    (r"^ERC Starting Grants?$", "ERC Starting Grant"),
    (r"^ERC Consolidator Grants?$", "ERC Consolidator Grant"),
    (r"^ERC Advanced Grants?$", "ERC Advanced Grant"),
    (r"^ERC Synergy Grants?$", "ERC Synergy Grant"),
    (r"^MSCA4Ukraine Fellowships", "MSCA4Ukraine Fellowships"),
    (r"^Postdoctoral Research Fellowships in Biology$", "NSF Postdoctoral Research Fellowships in Biology"),
)


def read(folder: Path) -> Iterator[tuple[str, Facts]]:
    """(flagship, facts) of the calls that our rules name."""
    for source in _FEEDS:
        with (folder / f"{source}.jsonl").open(encoding="utf-8") as handle:
            for line in handle:
                row = json.loads(line)
                name = next((name for pattern, name in _RULES if re.match(pattern, row["title"], re.I)), None)
                deadline, opens = days.day(row["deadline"]), days.day(row["opens"])
                if name and deadline and not (opens and opens > deadline):
                    yield (
                        name,
                        Facts(
                            source=source,
                            source_id=row["id"].split(":", 1)[1],
                            title=name,
                            language="en",
                            rounds=(days.fixed(deadline, opens),),
                            sources=(source,),
                        ),
                    )
