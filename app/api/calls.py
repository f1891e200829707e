"""From the request a caller sent to the call the engine understands."""

from __future__ import annotations

from datetime import date

from app.call import MinScore, RerankChoice, SearchCall
from app.errors import Forbidden
from app.instant import parse_instant
from index.types import Filters, MinAmount, Profile, Query

from .deps import Exchange
from .schemas.search_request import AskerProfile, SearchFilters, SearchRequest


def call_of(body: SearchRequest, asked: Exchange) -> SearchCall:
    """The call. Raises Forbidden when a system is chosen by somebody who may not choose."""
    if body.system is not None and not (asked.is_admin or asked.runtime.settings.debug):
        raise Forbidden("Only an administrator, or a service in debug mode, may choose the system.")
    return SearchCall(
        query=_query(body, asked),
        request_id=asked.observation.request_id,
        as_of_given=body.as_of is not None,
        facets=tuple(dict.fromkeys(body.facets)),
        sort=tuple(body.sort),
        page_size=body.page_size,
        cursor=body.cursor,
        explain=body.explain,
        min_score=MinScore(body.min_score.scale, body.min_score.value) if body.min_score else None,
        rerank=RerankChoice(body.rerank.enabled, body.rerank.depth),
        system=body.system,
        budget_ms=body.budget_ms,
        priority=body.priority,
        unit_id=body.unit_id,
    )


def _query(body: SearchRequest, asked: Exchange) -> Query:
    runtime = asked.runtime
    given = body.as_of
    return Query(
        query_id=runtime.mint(16),
        text=body.query,
        as_of=parse_instant(given, body.timezone) if given else runtime.now().replace(microsecond=0),
        zone=body.timezone,
        lang=body.lang,
        filters=_filters(body.filters),
        profile=_profile(body.profile) if body.profile else None,
    )


def _filters(asked: SearchFilters) -> Filters:
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


def _profile(asked: AskerProfile) -> Profile:
    return Profile(
        nationality=asked.nationality,
        residence=asked.residence,
        level=asked.level,
        fields=tuple(asked.fields),
        birth_year=asked.birth_year,
        gender=asked.gender,
        gpa=asked.gpa,
    )


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
