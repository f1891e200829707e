"""`/v1/experiments`: the A/B tests, to be read by everybody and changed by administrators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Header
from starlette.responses import Response

from app.errors import (
    Fault,
    Forbidden,
    InvalidRequest,
    MalformedJson,
    NotFound,
    NotReady,
    Overloaded,
    PreconditionFailed,
    StoreDown,
)
from app.etag import stands
from app.experiments.bucket import BUCKETS
from app.experiments.spec import PER_CENT, Arm, Experiment, Targeting
from app.experiments.version import Version
from app.instant import parse_instant
from app.overrides import faults_in, overridden
from app.store.errors import StoreError
from app.systems import DEFAULT_SYSTEM, SYSTEMS

from .deps import Asked, CleanQuery, Exchange, body_of
from .openapi import json_body, refusals
from .schemas.experiment import ExperimentBody, ExperimentList, ExperimentShown, StopBody
from .schemas.vocabulary import Identifier

router = APIRouter(prefix="/v1/experiments", tags=["experiments"])

_NO_STORE = {"Cache-Control": "no-store"}
_EXAMPLE = {
    "description": "Does a deeper first stage help?",
    "coverage": 20,
    "arms": [
        {"name": "control", "weight": 50},
        {"name": "deep", "weight": 50, "overrides": {"depth": 500}},
    ],
}
_RETRY_S = 5
_FIRST, _LONGEST_KEY = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"), 64


def _admin(asked: Asked) -> Exchange:
    """The exchange of an administrator. Raises Forbidden before anything of the body is read."""
    if not asked.is_admin:
        raise Forbidden(
            "Changing experiments needs the admin key, as `Authorization: Bearer KEY` or `X-Api-Key: KEY`."
        )
    return asked


Admin = Annotated[Exchange, Depends(_admin)]


@router.get("", summary="All experiments", response_model=ExperimentList, responses=refusals(NotReady))
async def listed(asked: Asked) -> Response:
    """The newest version of every experiment."""
    registry = asked.runtime.engine.answerer().experiments
    shown = [_shown(version) for version in registry.current().values()]
    return _json(ExperimentList(experiments=shown))


@router.get(
    "/{key}",
    summary="One experiment",
    response_model=ExperimentShown,
    responses=refusals(NotFound, InvalidRequest, NotReady),
)
async def shown(key: Identifier, asked: Asked) -> Response:
    """Its newest version, with an ETag to change it by."""
    version = asked.runtime.engine.answerer().experiments.current().get(key)
    if version is None:
        raise NotFound("There is no experiment of this key.")
    return _json(_shown(version), {"ETag": version.etag})


@router.put(
    "/{key}",
    summary="Make or change an experiment",
    response_model=ExperimentShown,
    responses=refusals(
        *(MalformedJson, Forbidden, PreconditionFailed, InvalidRequest, Overloaded, NotReady, StoreDown)
    ),
    dependencies=[CleanQuery],
    openapi_extra=json_body(ExperimentBody, _EXAMPLE),
)
async def put(
    key: Identifier,
    admin: Admin,
    body: Annotated[ExperimentBody, Depends(body_of(ExperimentBody))],
    if_match: Annotated[str | None, Header()] = None,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """The experiment is as sent from here on.

    Coverage, dates, words and guardrails change the running version; anything else, and a stopped experiment, starts
    the next version, whose data are never mixed with those of the last.
    """
    experiment = experiment_of(key, body)
    registry = admin.runtime.engine.answerer().experiments
    at = admin.runtime.now()

    def allows(version: Version | None) -> bool:
        return stands(None if version is None else version.etag, if_match, if_none_match)

    version = await _changing(admin, lambda: registry.put(experiment, allows, at))
    return _json(_shown(version), {"ETag": version.etag})


@router.post(
    "/{key}:stop",
    summary="Stop an experiment",
    response_model=ExperimentShown,
    responses=refusals(
        *(MalformedJson, Forbidden, NotFound, InvalidRequest, Overloaded, NotReady, StoreDown)
    ),
    dependencies=[CleanQuery],
    openapi_extra=json_body(StopBody, {"reason": "the deep arm is slower"}),
)
async def stop(
    key: Identifier, admin: Admin, body: Annotated[StopBody, Depends(body_of(StopBody))]
) -> Response:
    """Nobody takes part any more; what was logged stays. Sending it twice is harmless."""
    registry = admin.runtime.engine.answerer().experiments
    at = admin.runtime.now()
    version = await _changing(admin, lambda: registry.stop(key, body.reason, at))
    return _json(_shown(version), {"ETag": version.etag})


def experiment_of(key: str, body: ExperimentBody) -> Experiment:
    """The experiment of a checked body. Raises InvalidRequest for a plan that cannot be."""
    faults = [*_split_faults(body)]
    if not _is_key(key):
        faults.append(Fault("/key", "not-allowed", "must be letters, digits, `.`, `_` or `-`, at most 64"))
    for at, arm in enumerate(body.arms):
        where = f"/arms/{at}"
        if arm.system is not None and arm.system not in SYSTEMS:
            faults.append(Fault(f"{where}/system", "not-allowed", f"must be one of: {', '.join(SYSTEMS)}"))
        found = faults_in(arm.overrides, f"{where}/overrides")
        faults += found
        if not found and (arm.system or DEFAULT_SYSTEM) in SYSTEMS:
            try:
                overridden(SYSTEMS[arm.system or DEFAULT_SYSTEM], arm.overrides)
            except ValueError as error:
                faults.append(Fault(f"{where}/overrides", "not-allowed", str(error)))
    starts_at, stops_at = _day(body.starts_at), _day(body.stops_at)
    if starts_at is not None and stops_at is not None and stops_at <= starts_at:
        faults.append(Fault("/stops_at", "out-of-range", "must lie after starts_at"))
    if faults:
        raise InvalidRequest(*faults)
    return Experiment(
        key=key,
        arms=tuple(Arm(arm.name, float(arm.weight), arm.system, dict(arm.overrides)) for arm in body.arms),
        layer=body.layer or key,
        salt=body.salt or key,
        unit=body.unit,
        slot=(body.slot[0], body.slot[1]),
        coverage=(body.slot[1] - body.slot[0]) / PER_CENT if body.coverage is None else float(body.coverage),
        targeting=Targeting(
            langs=tuple(body.targeting.langs),
            host_countries=tuple(body.targeting.host_countries),
            priorities=tuple(body.targeting.priorities),
        ),
        starts_at=starts_at,
        stops_at=stops_at,
        description=body.description,
        primary=body.primary,
        effect=body.effect,
        guardrails={str(name): tolerance for name, tolerance in body.guardrails.items()},
    )


def _split_faults(body: ExperimentBody) -> Iterator[Fault]:
    """What is wrong with how units are split, though each part may stand by itself."""
    names = [arm.name for arm in body.arms]
    if len(set(names)) != len(names):
        yield Fault("/arms", "not-allowed", "must have different names")
    total = sum(round(arm.weight * PER_CENT) for arm in body.arms)
    if total != BUCKETS:
        yield Fault("/arms", "out-of-range", f"must have weights that sum to 100, not {total / PER_CENT:g}")
    first, end = body.slot
    if first >= end:
        yield Fault("/slot", "out-of-range", "must end after it begins")
    elif body.coverage is not None and round(body.coverage * PER_CENT) > end - first:
        most = (end - first) / PER_CENT
        yield Fault("/coverage", "out-of-range", f"must fit into the slot, which holds {most:g} per cent")


async def _changing(admin: Exchange, work: Callable[[], Version]) -> Version:
    def change(_: float) -> Version:
        try:
            return work()
        except StoreError as error:
            refusal = "The store takes no writes now; nothing was changed."
            raise StoreDown(refusal, retry_after_s=_RETRY_S) from error

    return await admin.runtime.writes.run(change)


def _is_key(key: str) -> bool:
    return len(key) <= _LONGEST_KEY and key[0] in _FIRST and set(key) <= _FIRST | set("._-")


def _day(text: str | None) -> datetime | None:
    return None if text is None else parse_instant(text)


def _shown(version: Version) -> ExperimentShown:
    return ExperimentShown.model_validate(version.record())


def _json(answer: ExperimentShown | ExperimentList, headers: dict[str, str] | None = None) -> Response:
    return Response(
        answer.model_dump_json(), media_type="application/json", headers={**_NO_STORE, **(headers or {})}
    )
