"""What is logged of an answer: made from the answer itself, as it is about to be sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.call import SearchCall
from app.experiments.version import Version
from app.feedback.errors import FeedbackError
from app.feedback.exposure import Exposure
from app.feedback.pseudonym import Pseudonyms
from app.feedback.suspicion import is_robot

from .deps import Exchange
from .schemas.search_answer import SearchAnswer
from .schemas.search_request import SearchRequest

Expose = Callable[[SearchAnswer], None]


def exposer(asked: Exchange, body: SearchRequest, call: SearchCall) -> Expose:
    """What logs the answer to one search; called once it is made and before any of it is sent. It never fails."""
    runtime = asked.runtime
    feedback, telemetry = runtime.feedback, runtime.telemetry
    if feedback is None:
        return lambda answer: None
    versions = runtime.engine.answerer().experiments.versions
    at_s = runtime.now().timestamp()
    flag = "bot" if is_robot(asked.user_agent) else "forced" if body.system is not None else None

    def expose(answer: SearchAnswer) -> None:
        try:
            exposure = exposure_of(answer, body, call, feedback.pseudonyms, versions(), at_s, flag)
        except FeedbackError as error:
            feedback.desk.missed(error)
            return
        if feedback.desk.expose(exposure):
            telemetry.feedback.exposed((key, variant) for key, _, variant, _, _ in exposure.arms)

    return expose


def exposure_of(
    answer: SearchAnswer,
    body: SearchRequest,
    call: SearchCall,
    pseudonyms: Pseudonyms,
    versions: Sequence[Version],
    at_s: float,
    flag: str | None,
) -> Exposure:
    """The exposure of one answer; the words and the filters are in it only with the asker's consent."""
    unit, session = pseudonyms.of(call.unit_id), pseudonyms.of(call.session_id)
    forced = any(one.forced for one in answer.experiments)
    by_session = {(one.key, one.number) for one in versions if one.experiment.unit == "session"}
    return Exposure(
        query_id=answer.query_id,
        at_s=at_s,
        unit=unit,
        session=session,
        consent=call.consent,
        text=answer.query.raw if call.consent else None,
        filters=_filters(body) if call.consent else None,
        query_hash=pseudonyms.of(answer.query.normalised) or "",
        lang=answer.query.lang,
        system=answer.served.system,
        fingerprint=answer.served.fingerprint,
        precision=answer.served.precision,
        offset=answer.hits[0].rank - 1 if answer.hits else 0,
        hits=tuple((hit.id, hit.rank, hit.propensity, hit.team) for hit in answer.hits),
        total=answer.total.value,
        total_ms=answer.timings_ms["total"],
        degraded=tuple((part.stage, part.reason) for part in answer.degraded),
        arms=tuple(
            (
                one.key,
                one.version,
                one.variant,
                one.bucket,
                session if (one.key, one.version) in by_session else unit,
            )
            for one in answer.experiments
            if not one.forced
        ),
        flag="forced" if forced and flag is None else flag,
    )


def _filters(body: SearchRequest) -> dict[str, object]:
    """The filters as they were asked, but for where the asker comes from, which is never logged."""
    return body.filters.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"nationality"})
