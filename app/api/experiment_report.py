"""`/v1/experiments/{key}/report`: what the log says of an experiment."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from app.errors import InvalidRequest, NotFound, NotReady, Overloaded, StoreDown
from app.store.errors import StoreError

from .deps import Asked, CleanQuery
from .openapi import refusals
from .schemas.experiment_report import ExperimentReport
from .schemas.vocabulary import Identifier

router = APIRouter(prefix="/v1/experiments", tags=["experiments"])

_RETRY_S = 5


@router.get(
    "/{key}/report",
    summary="What came of an experiment",
    response_model=ExperimentReport,
    responses=refusals(NotFound, InvalidRequest, Overloaded, NotReady, StoreDown),
    dependencies=[CleanQuery],
)
async def report(
    key: Identifier,
    asked: Asked,
    version: Annotated[int | None, Query(ge=1, description="Default: the newest.")] = None,
) -> Response:
    """Figures, checks and the verdict on one version; at most half a minute old.

    404 also where the service logs nothing, and for a version with a single arm: there is nothing to compare.
    """
    analyst = asked.runtime.analyst
    known = asked.runtime.engine.answerer().experiments.versions()
    own = [one for one in known if one.key == key]
    if not own:
        raise NotFound("There is no experiment of this key.")
    wanted = own[-1] if version is None else next((one for one in own if one.number == version), None)
    if wanted is None:
        raise NotFound("There is no such version of this experiment.")
    if analyst is None:
        raise NotFound(
            "There is no report: this service keeps no feedback (SCHOLARSEARCH_FEEDBACK is false)."
        )
    if len(wanted.experiment.arms) < 2:
        raise NotFound("There is no report: the experiment has one arm, and nothing to compare it with.")

    def made(_: float) -> str:
        try:
            return ExperimentReport.model_validate(analyst.report(wanted)).model_dump_json()
        except StoreError as error:
            raise StoreDown("The log cannot be read now.", retry_after_s=_RETRY_S) from error

    content = await asked.runtime.reports.run(made)
    return Response(content, media_type="application/json", headers={"Cache-Control": "no-store"})
