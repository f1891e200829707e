"""From the request a caller sent to the call the engine understands."""

from __future__ import annotations

from datetime import datetime

from app.call import MinScore, RerankChoice, SearchCall
from app.errors import Forbidden
from app.instant import parse_instant
from index.types import Profile, Query

from .deps import Exchange
from .filters import filters_of
from .schemas.search_request import AskerProfile, SearchRequest


def call_of(body: SearchRequest, asked: Exchange) -> SearchCall:
    """The call. Raises Forbidden when a system is chosen by somebody who may not choose."""
    if body.system is not None and not (asked.is_admin or asked.runtime.settings.debug):
        raise Forbidden("Only an administrator, or a service in debug mode, may choose the system.")
    if body.arms and not (asked.is_admin or asked.runtime.settings.debug):
        raise Forbidden(
            "Only an administrator, or a service in debug mode, may choose the arms of experiments."
        )
    runtime = asked.runtime
    return call_from(
        body,
        now=runtime.now().replace(microsecond=0),
        request_id=asked.observation.request_id,
        query_id=runtime.mint(16),
    )


def call_from(body: SearchRequest, *, now: datetime, request_id: str, query_id: str) -> SearchCall:
    """The call of a checked request; `now` is asked about when the request names no instant."""
    return SearchCall(
        query=_query(body, now, query_id),
        request_id=request_id,
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
        session_id=body.session_id,
        consent=body.consent,
        arms=tuple((body.arms or {}).items()),
    )


def _query(body: SearchRequest, now: datetime, query_id: str) -> Query:
    return Query(
        query_id=query_id,
        text=body.query,
        as_of=parse_instant(body.as_of, body.timezone) if body.as_of else now,
        zone=body.timezone,
        lang=body.lang,
        filters=filters_of(body.filters),
        profile=_profile(body.profile) if body.profile else None,
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
