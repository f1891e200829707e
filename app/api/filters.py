"""Filters as a caller writes them → filters as the index reads them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from index.types import Filters, MinAmount

from .schemas.search_request import SearchFilters


def filters_of(asked: SearchFilters) -> Filters:
    """The index's form of validated filters."""
    return Filters(
        host_countries=tuple(asked.host_countries),
        nationality=asked.nationality,
        levels=tuple(asked.levels),
        fields=tuple(asked.fields),
        provider=asked.provider,
        languages=tuple(asked.languages),
        min_amount=MinAmount(asked.min_amount.value, asked.min_amount.currency) if asked.min_amount else None,
        availability=tuple(asked.availability),
        deadline_from=_day(asked.deadline.from_ if asked.deadline else None),
        deadline_to=_day(asked.deadline.to if asked.deadline else None),
        unknown=asked.unknown,
    )


def parse_filters(raw: Mapping[str, object]) -> Filters:
    """The filters of a JSON object. Raises pydantic's ValidationError, which names the field."""
    return filters_of(SearchFilters.model_validate(raw))


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
