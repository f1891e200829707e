"""What is logged of an answer: made from the answer itself, as it is about to be sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.call import SearchCall
from app.experiments.assignment import Assignment, Treatment
from app.experiments.version import Version
from app.feedback.errors import FeedbackError
from app.feedback.exposure import FAILED, ArmRow, Exposure
from app.feedback.pseudonym import Pseudonyms
from app.feedback.suspicion import is_robot
from app.systems import DEFAULT_SYSTEM

from .deps import Exchange
from .schemas.search_answer import Exposure as ShownArm
from .schemas.search_answer import SearchAnswer
from .schemas.search_request import SearchRequest


@dataclass(frozen=True, slots=True)
class Expose:
    """Logs what became of one search, called on its worker thread before anything is sent. Neither ever fails."""

    answered: Callable[[SearchAnswer], None]
    failed: Callable[[], None]


def exposer(asked: Exchange, body: SearchRequest, call: SearchCall) -> Expose:
    """What logs the answer to one search, or that it ended in an error of ours."""
    runtime = asked.runtime
    feedback, telemetry = runtime.feedback, runtime.telemetry
    if feedback is None:
        return Expose(lambda answer: None, lambda: None)
    experiments = runtime.engine.answerer().experiments
    at = runtime.now()
    flag = "bot" if is_robot(asked.user_agent) else "forced" if body.system is not None else None

    def log(make: Callable[[], Exposure]) -> None:
        try:
            exposure = make()
        except FeedbackError as error:
            feedback.desk.missed(error)
            return
        if feedback.desk.expose(exposure) and exposure.flag != FAILED:
            telemetry.feedback.exposed((key, variant) for key, _, variant, _, _ in exposure.arms)

    def answered(answer: SearchAnswer) -> None:
        versions = experiments.versions()
        log(lambda: exposure_of(answer, body, call, feedback.pseudonyms, versions, at.timestamp(), flag))

    def failed() -> None:
        treatment = experiments.treatment(call, at)
        # Bots, trials and searches outside of experiments fail too; nobody is compared by them.
        if flag is None and any(one.bucket is not None for one in treatment.assignments):
            versions = experiments.versions()
            log(lambda: failure_of(call, treatment, feedback.pseudonyms, versions, at.timestamp()))

    return Expose(answered, failed)


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
        arms=_arms((one for one in answer.experiments if not one.forced), versions, unit, session),
        flag="forced" if forced and flag is None else flag,
    )


def failure_of(
    call: SearchCall,
    treatment: Treatment,
    pseudonyms: Pseudonyms,
    versions: Sequence[Version],
    at_s: float,
) -> Exposure:
    """What is kept of a search that ended in an error: when, whose, and in which arms; nothing of what was asked."""
    unit, session = pseudonyms.of(call.unit_id), pseudonyms.of(call.session_id)
    return Exposure(
        query_id=call.query.query_id,
        at_s=at_s,
        unit=unit,
        session=session,
        consent=False,
        text=None,
        filters=None,
        query_hash="",
        lang=None,
        system=treatment.system or DEFAULT_SYSTEM,
        fingerprint="",
        precision=None,
        offset=0,
        hits=(),
        total=0,
        total_ms=0.0,
        degraded=(),
        arms=_arms(treatment.assignments, versions, unit, session),
        flag=FAILED,
    )


def _arms(
    given: Iterable[Assignment | ShownArm], versions: Sequence[Version], unit: str | None, session: str | None
) -> tuple[ArmRow, ...]:
    """The arms of a search, each with the person or the session that was split."""
    by_session = {(one.key, one.number) for one in versions if one.experiment.unit == "session"}
    return tuple(
        (
            one.key,
            one.version,
            one.variant,
            one.bucket,
            session if (one.key, one.version) in by_session else unit,
        )
        for one in given
    )


def _filters(body: SearchRequest) -> dict[str, object]:
    """The filters as they were asked, but for where the asker comes from, which is never logged."""
    return body.filters.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"nationality"})
