"""Requests as plain JSON → what the engine understands, for callers that do not come over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from pydantic import ValidationError

from .api.calls import call_from
from .api.experiments import experiment_of
from .api.problems import faults_of
from .api.schemas.experiment import ExperimentBody
from .api.schemas.search_request import SearchRequest
from .call import SearchCall
from .errors import InvalidRequest
from .experiments.spec import Experiment


def read_call(raw: Mapping[str, object], *, now: datetime, request_id: str, query_id: str) -> SearchCall:
    """The call of a request, checked as over HTTP. Raises InvalidRequest naming each wrong field."""
    try:
        body = SearchRequest.model_validate(raw)
    except ValidationError as error:
        raise InvalidRequest(*faults_of(error.errors())) from None
    return call_from(body, now=now, request_id=request_id, query_id=query_id)


def read_experiment(key: str, raw: Mapping[str, object]) -> Experiment:
    """The experiment of a file's content, checked as over HTTP. Raises InvalidRequest naming each wrong field."""
    # TOML has dates of its own.
    plain = {name: value.isoformat() if isinstance(value, date) else value for name, value in raw.items()}
    try:
        body = ExperimentBody.model_validate(plain)
    except ValidationError as error:
        raise InvalidRequest(*faults_of(error.errors())) from None
    return experiment_of(key, body)
