from __future__ import annotations

from datetime import date

from index.certainty import FACTS, certainties
from index.document import Document, Doubt, RegionRule, Window


def test_every_fact_is_certain_uncertain_or_unknown() -> None:
    document = Document(
        "a",
        "A",
        provider="House",
        windows=(Window(text="soon"),),
        regions=(RegionRule("eligible_nationalities", "eu", date(2025, 12, 31)),),
        doubts=(Doubt("windows", "soon", "no day"), Doubt("amount", "much", "no sum")),
    )
    told = certainties(document)
    assert tuple(told) == FACTS
    assert {name for name, sure in told.items() if sure == "certain"} == {
        "provider",
        "eligible_nationalities",
    }
    assert {name for name, sure in told.items() if sure == "uncertain"} == {"windows", "amount"}
