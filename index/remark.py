"""What a record adds to its facts: what could not be read for certain, and the regions it speaks of. JSON and back."""

from __future__ import annotations

from collections.abc import Mapping

from index.document import Doubt, RegionRule
from index.errors import RecordError
from index.regions.table import checked, regions
from index.scalar import day, items, line, prose
from index.window import refuse_unknown

_RULED = ("host_countries", "eligible_nationalities")


def parse_doubts(value: object, field: str) -> tuple[Doubt, ...]:
    """The doubts of a JSON array; () when null."""
    return tuple(_doubt(item, f"{field}[{at}]") for at, item in enumerate(items(value, field)))


def parse_regions(value: object, field: str) -> tuple[RegionRule, ...]:
    """The regions of a JSON array; () when null."""
    return tuple(_region(item, f"{field}[{at}]") for at, item in enumerate(items(value, field)))


def doubt_record(doubt: Doubt) -> dict[str, object]:
    """The JSON form of a doubt."""
    return {"field": doubt.field, "text": doubt.text, "reason": doubt.reason}


def region_record(rule: RegionRule) -> dict[str, object]:
    """The JSON form of a region."""
    return {"field": rule.field, "region": rule.region, "on": rule.on.isoformat(), "text": rule.text}


def _doubt(item: object, at: str) -> Doubt:
    told = _object(item, at, frozenset({"field", "text", "reason"}))
    field, reason = line(told.get("field"), f"{at}.field"), line(told.get("reason"), f"{at}.reason")
    if field is None or reason is None:
        raise RecordError(at, item, "must name a field and a reason")
    return Doubt(field, prose(told.get("text"), f"{at}.text"), reason)


def _region(item: object, at: str) -> RegionRule:
    told = _object(item, at, frozenset({"field", "region", "on", "text"}))
    field, region = told.get("field"), told.get("region")
    if field not in _RULED:
        raise RecordError(f"{at}.field", field, f"must be one of {', '.join(_RULED)}")
    if not isinstance(region, str) or not regions().get(region):
        raise RecordError(f"{at}.region", region, "must be the code of a region that is known")
    on = checked(day(told.get("on"), f"{at}.on"))
    return RegionRule(str(field), region, on, prose(told.get("text"), f"{at}.text"))


def _object(item: object, at: str, known: frozenset[str]) -> Mapping[str, object]:
    if not isinstance(item, Mapping):
        raise RecordError(at, item, "must be an object")
    refuse_unknown(item, known, f"{at}.")
    return item
