"""What a row states and no rule could read for certain, field by field, in the words of the row."""

from __future__ import annotations

from collections.abc import Iterator

from index.document import Document, Doubt
from index.ingest.cells import Cells
from index.ingest.clean.citizens import Citizens
from index.ingest.clean.money import Money
from index.ingest.clean.rounds import Rounds
from index.ingest.clean.territories import Territories
from index.ingest.mapping import ColumnMap
from index.scalar import prose

_LONGEST = 300


def doubts_of(
    row: Cells,
    by: ColumnMap,
    made: Document,
    rounds: Rounds,
    money: Money,
    citizens: Citizens,
    hosts: Territories,
) -> tuple[Doubt, ...]:
    """The doubts of a row, in the order of the record's fields."""

    def told(field: str, columns: tuple[str, ...], reason: str, text: str | None = None) -> Iterator[Doubt]:
        said = text or "; ".join(row.texts(columns))
        if reason:
            yield Doubt(field, prose(said[:_LONGEST], "doubts"), reason)

    def unread(field: str, value: object, reason: str) -> Iterator[Doubt]:
        columns = by.columns_of(field)
        if not value and row.texts(columns):
            yield from told(field, columns, reason)

    hosted = [rule for rule in made.regions if rule.field == "host_countries"]
    dates = (*by.columns_of("deadline"), *by.columns_of("opens"))
    return (
        *(
            told("host_countries", (), hosts.doubt, hosts.text)
            if hosts.doubt
            else unread("host_countries", made.host_countries or hosted, "names no country that is known")
        ),
        *told("eligible_nationalities", by.columns_of("nationalities"), citizens.doubt, citizens.text),
        *unread("levels", made.levels, "a level that could be several"),
        *told("amount", by.columns_of("amount"), money.doubt),
        *told("windows", dates, rounds.doubt or _without_day(rounds)),
        *unread("url", made.url, "is no web address"),
    )


def _without_day(rounds: Rounds) -> str:
    """Why the windows, all of them nothing but words, say nothing; "" when one says more."""
    blank = [
        window.kind == "unknown" and not window.opens_on and not window.deadline_on
        for window in rounds.windows
    ]
    return "words that name no certain day" if blank and all(blank) else ""
