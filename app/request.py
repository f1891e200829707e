"""A search request as plain JSON → the call the engine understands, for callers that do not come over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from pydantic import ValidationError

from .api.calls import call_from
from .api.problems import faults_of
from .api.schemas.search_request import SearchRequest
from .call import SearchCall
from .errors import InvalidRequest


def read_call(raw: Mapping[str, object], *, now: datetime, request_id: str, query_id: str) -> SearchCall:
    """The call of a request, checked as over HTTP. Raises InvalidRequest naming each wrong field."""
    try:
        body = SearchRequest.model_validate(raw)
    except ValidationError as error:
        raise InvalidRequest(*faults_of(error.errors())) from None
    return call_from(body, now=now, request_id=request_id, query_id=query_id)
