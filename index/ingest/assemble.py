"""One row under a map to one document: every field read by its own rule, and what was doubtful about it said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from index.document import Amount, Document, Window
from index.errors import RecordError
from index.flat import flat_url
from index.ingest.cells import Cells
from index.ingest.clean.citizens import Citizens, read_citizens
from index.ingest.clean.days import Order
from index.ingest.clean.disciplines import read_fields, split_fields
from index.ingest.clean.levels import in_order, levels_in_prose, levels_in_title, read_levels
from index.ingest.clean.places import (
    country_codes,
    find_countries,
    host_countries,
    host_in_prose,
    host_in_title,
)
from index.ingest.clean.rounds import Rounds, read_rounds
from index.ingest.clean.territories import Territories, listed_regions
from index.ingest.doubts import doubts_of
from index.ingest.identity import record_id
from index.ingest.mapping import ColumnMap
from index.ingest.payment import read_payment
from index.ingest.problem import Reject
from index.language import detect
from index.record import parse_record
from index.regions.table import checked
from index.window import window_record

_LABEL = re.compile(
    r"^(?:sponsor|fundator|koordynator|provider|funder|förderer|anbieter|주관|主辦單位)\s*[:：]\s*",
    re.IGNORECASE,
)
_LEVEL_ITEMS = re.compile(r"\s*[,;、|]\s*|\s/\s|\s(?:and|und|y)\s")


@dataclass(frozen=True, slots=True)
class Reading:
    """A document and how far its facts can be trusted.

    What the document neither doubts nor leaves None was read for certain; what is None and not doubted, the row
    does not state.
    """

    row: str
    document: Document

    @property
    def doubts(self) -> Mapping[str, str]:
        """Field → why nothing, or not all, was taken from what the row says."""
        return {doubt.field: doubt.reason for doubt in self.document.doubts}


def assemble(
    number: str, cells: Mapping[str, object], by: ColumnMap, source: str, order: Order | None
) -> Reading | Reject:
    """The document of a row, or why there is none."""
    row = Cells(cells)
    titles = row.texts(by.columns_of("title"))
    if not titles:
        return Reject(
            number, "title", _shown(row, by.columns_of("title")), "is blank: a record needs a title"
        )
    title = " ".join(titles[0].split())
    said = {name: row.texts(by.columns_of(name)) for name in ("description", "eligibility", "provider")}
    if len(by.columns) > 2 and not _says_more(row, by):
        return Reject(number, "row", title, "says nothing but its title: a heading or a placeholder")
    provider = _provider(said["provider"]) or _constant(by, "provider")
    rounds = _rounds(row, by, order)
    money = read_payment(row, by, "\n".join(said["description"]))
    citizens = _citizens(row, by, said)
    hosts = _hosted(row, by)
    url = next((found for text in row.texts(by.columns_of("url")) if (found := flat_url(text))), None)
    own = next(iter(row.texts(by.columns_of("id"))), None)
    record: dict[str, object] = {
        "id": record_id(source, own, title, provider if isinstance(provider, str) else None, url),
        "title": title,
        "aliases": row.texts(by.columns_of("aliases")),
        "provider": provider,
        "description": "\n\n".join(said["description"]) or None,
        "eligibility": "\n\n".join(said["eligibility"]) or None,
        "host_countries": _hosts(row, by, title, said) or _constant(by, "host_countries"),
        "eligible_nationalities": citizens.codes
        or (None if citizens.doubt or citizens.regions else _constant(by, "eligible_nationalities")),
        "levels": _levels(row, by, title, said) or _constant(by, "levels"),
        "fields": _fields(row, by) or _constant(by, "fields"),
        "amount": _amount(money.amount),
        "coverage": row.texts(by.columns_of("coverage")) or None,
        "windows": [window_record(window) for window in rounds.windows],
        "language": _language(row, by, title, said),
        "url": url,
        "source": source,
        "licence": by.licence,
        "regions": _regions(citizens, hosts, rounds.windows),
    }
    try:
        made = parse_record(record)
        return Reading(number, replace(made, doubts=doubts_of(row, by, made, rounds, money, citizens, hosts)))
    except RecordError as error:
        return Reject(number, error.field, str(error.value)[:200], error.reason)


def _says_more(row: Cells, by: ColumnMap) -> bool:
    return any(
        row.texts((column,))
        for column, fields in by.columns.items()
        if "title" not in fields and "id" not in fields
    )


def _provider(found: list[str]) -> str | None:
    return _LABEL.sub("", found[0]).rstrip(" »") or None if found else None


def _rounds(row: Cells, by: ColumnMap, order: Order | None) -> Rounds:
    closing = [value for column in by.columns_of("deadline") if (value := row.cell(column)) not in (None, "")]
    opening = [value for column in by.columns_of("opens") if (value := row.cell(column)) not in (None, "")]
    return read_rounds(_one_or_all(closing), _one_or_all(opening), order)


def _one_or_all(values: list[object]) -> object:
    return values[0] if len(values) == 1 else values or None


def _citizens(row: Cells, by: ColumnMap, said: Mapping[str, list[str]]) -> Citizens:
    named = row.texts(by.columns_of("nationalities"))
    if named:
        codes = tuple(dict.fromkeys(code for text in named for code in find_countries(text)))
        wide = listed_regions("; ".join(named))
        if wide.doubt:
            return Citizens(None, wide.doubt, text=wide.text)
        if codes or wide.codes:
            return Citizens(codes or None, "", wide.codes, wide.text)
        return read_citizens("\n".join(named))
    found = read_citizens("\n".join(said["eligibility"]))
    told = found.codes or found.doubt or found.regions
    return found if told else read_citizens("\n".join(said["description"]))


def _hosted(row: Cells, by: ColumnMap) -> Territories:
    """The regions that the columns of countries name."""
    texts = row.texts(by.columns_of("host_countries"))
    return listed_regions("; ".join(texts)) if texts else Territories(())


def _regions(citizens: Citizens, hosts: Territories, windows: tuple[Window, ...]) -> list[dict[str, object]]:
    """The regions of a record, as they were on the day of its last deadline."""
    on = checked(max((one.deadline_on for one in windows if one.deadline_on), default=None)).isoformat()
    told = (
        ("host_countries", hosts.codes, hosts.text),
        ("eligible_nationalities", citizens.regions, citizens.text),
    )
    return [
        {"field": field, "region": code, "on": on, "text": text}
        for field, codes, text in told
        for code in codes
    ]


def _hosts(row: Cells, by: ColumnMap, title: str, said: Mapping[str, list[str]]) -> tuple[str, ...] | None:
    columns = by.columns_of("host_countries")
    # Two capitals are a country's code only in a column that says so: in one of places "CA" is California.
    coded = [text for column in columns if "countr" in column.casefold() for text in row.texts((column,))]
    stated = [codes for text in coded if (codes := country_codes(text))]
    read = stated or [host_countries(text) or () for text in row.texts(columns)]
    found = tuple(dict.fromkeys(code for codes in read for code in codes))
    if found or columns:
        return found or None
    return host_in_title(title) or host_in_prose("\n".join((*said["eligibility"], *said["description"])))


def _levels(row: Cells, by: ColumnMap, title: str, said: Mapping[str, list[str]]) -> tuple[str, ...] | None:
    items = [item for text in row.texts(by.columns_of("levels")) for item in _LEVEL_ITEMS.split(text) if item]
    if items:
        return read_levels(items) or levels_in_title(title)
    prose = "\n".join((*said["eligibility"], *said["description"]))
    return in_order((*(levels_in_title(title) or ()), *(levels_in_prose(prose) or ())))


def _fields(row: Cells, by: ColumnMap) -> tuple[str, ...] | None:
    return read_fields(item for text in row.texts(by.columns_of("fields")) for item in split_fields(text))


def _language(row: Cells, by: ColumnMap, title: str, said: Mapping[str, list[str]]) -> str | None:
    stated = next(iter(row.texts(by.columns_of("language"))), None)
    if stated and re.fullmatch(r"[A-Za-z]{2}(?:-[A-Za-z]+)?", stated):
        return stated
    if by.language:
        return by.language
    text = " ".join((title, *said["description"], *said["eligibility"]))[:600]
    return detect(text) if len(text) >= 40 or not text.isascii() else None


def _constant(by: ColumnMap, name: str) -> object:
    return by.constants.get(name)


def _amount(amount: Amount | None) -> dict[str, object] | None:
    if amount is None:
        return None
    return {
        "min": amount.min,
        "max": amount.max,
        "currency": amount.currency,
        "period": amount.period,
        "text": amount.text,
    }


def _shown(row: Cells, columns: tuple[str, ...]) -> str:
    values = (row.cell(column) for column in columns)
    return "; ".join(str(value) for value in values if value is not None)[:200]
