"""The application. Importing this module loads nothing: reading `app.main.app`, or calling `create`, does.

uvicorn --factory app.main:create
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from functools import cache, partial
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from .analysis.analyst import Analyst
from .answerer import Answerer
from .api import (
    docs,
    experiment_report,
    experiments,
    feedback,
    health,
    opportunities,
    page,
    precision,
    problems,
    rerank,
    search,
    suggest,
    writing,
)
from .api.middleware import BodyLimit, Correlation, HeadAsGet, Measurement, SafetyHeaders, Shield
from .api.openapi import DescribedApp
from .attendants import begin_canary, begin_patrol, begin_watch, keep_feedback
from .engine import Engine, OpenAnswerer
from .journal import configure_logging
from .runtime import Runtime, feedback_door, lookup_door, report_door, search_door, write_door
from .settings import Settings
from .telemetry import Telemetry
from .turns import take_short_turns

if TYPE_CHECKING:
    from .feedback.opening import Feedback

_DESCRIPTION = (
    "Which scholarships, fellowships and grants can I still apply for, and do they fit me? "
    "JSON in and out; unknown request fields are refused; what nobody stated is null."
)
_ALLOWED = ["Authorization", "Content-Type", "Content-Encoding", "If-Match", "If-None-Match", "X-Api-Key"]
_ALLOWED += ["X-Request-Id", "traceparent"]
_EXPOSED = ["X-Request-Id", "Server-Timing", "traceresponse", "ETag", "Retry-After"]

OpenFeedback = Callable[[Settings, Telemetry, Callable[[], datetime]], "Feedback"]


def _now() -> datetime:
    return datetime.now(UTC)


def create_app(
    settings: Settings,
    open_answerer: OpenAnswerer,
    now: Callable[[], datetime] = _now,
    mint: Callable[[int], str] = secrets.token_hex,
    open_feedback: OpenFeedback | None = None,
) -> FastAPI:
    """The application; the engine behind it is opened in the background once the service starts.

    open_feedback: what keeps what was served; None = nobody does.
    """
    telemetry = Telemetry()

    def live() -> Runtime:
        kept = open_feedback(settings, telemetry, now) if open_feedback and settings.feedback else None
        return Runtime(
            settings=settings,
            engine=Engine(open_answerer, settings),
            telemetry=telemetry,
            searches=search_door(settings),
            lookups=lookup_door(settings),
            writes=write_door(settings),
            feedbacks=feedback_door(settings),
            reports=report_door(settings),
            feedback=kept,
            analyst=None if kept is None else Analyst(kept.store, now),
            now=now,
            mint=mint,
        )

    app = DescribedApp(
        title="ScholarSearch",
        description=_DESCRIPTION,
        version=_version(),
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=partial(_lifespan, live),
    )
    app.state.runtime = live()  # not open: whoever asks before the start hears 503
    for part in (
        search,
        rerank,
        opportunities,
        writing,
        suggest,
        experiments,
        experiment_report,
        feedback,
        health,
        precision,
        docs,
        page,
    ):
        app.include_router(part.router)
    problems.install(app)
    _wrap(app, app.state.runtime)
    return app


def create() -> FastAPI:
    """The application as the environment asks for it, over the real engine."""
    from .services import open_answerer  # here, so that importing the application loads no model library

    settings = Settings()
    configure_logging(settings.log_level)
    take_short_turns()
    return create_app(settings, open_answerer, open_feedback=keep_feedback)


@cache
def _only() -> FastAPI:
    return create()


def __getattr__(name: str) -> FastAPI:
    """`app.main:app`, made when it is first asked for."""
    if name == "app":
        return _only()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@contextlib.asynccontextmanager
async def _lifespan(live: Callable[[], Runtime], app: FastAPI) -> AsyncIterator[None]:
    """The service from start to end; its live parts are its own, so that it may be started again."""
    runtime = app.state.runtime = live()
    telemetry: Telemetry = runtime.telemetry
    telemetry.watch_queue(runtime.searches.waiting)
    if runtime.feedback is not None:
        runtime.feedback.start()
    opening = asyncio.create_task(runtime.engine.open(partial(_announce, telemetry)))
    attendants = begin_patrol(runtime.settings), begin_canary(runtime), begin_watch(runtime)
    try:
        yield
    finally:
        for attendant in attendants:
            if attendant is not None:
                attendant.stop()
        # The server has let every running request finish before it comes here.
        runtime.close()
        opening.cancel()


def _announce(telemetry: Telemetry, answerer: Answerer) -> None:
    """Nothing; from here on the metrics show what is searched, and how far it is behind the store."""

    def swapped(seconds: float) -> None:
        telemetry.swap(seconds, str(answerer.version()["fingerprint"]))

    telemetry.serve_snapshot(str(answerer.version()["fingerprint"]))
    telemetry.watch_live(answerer.vitals)
    answerer.watch(swapped)
    ladder = answerer.ladder
    telemetry.ladder.watch(lambda: ladder.state, lambda: ladder.signals)
    telemetry.watch_searches(ladder.seen)
    ladder.switched = telemetry.ladder.switched


def _wrap(app: FastAPI, runtime: Runtime) -> None:
    """Nothing; lays the middleware around the routes, innermost first."""
    settings = runtime.settings
    app.add_middleware(
        BodyLimit,
        limit_bytes=settings.body_limit_bytes,
        longer=dict.fromkeys((writing.BULK, rerank.RERANK), settings.bulk_limit_bytes),
    )
    app.add_middleware(Shield)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_credentials=settings.cors_credentials,
            allow_methods=["GET", "POST", "PUT", "DELETE"],
            allow_headers=_ALLOWED,
            expose_headers=_EXPOSED,
        )
    app.add_middleware(SafetyHeaders, timing_origins=settings.cors_origins)
    app.add_middleware(Measurement, telemetry=runtime.telemetry)
    app.add_middleware(Correlation, mint=runtime.mint)
    app.add_middleware(HeadAsGet)


def _version() -> str:
    try:
        return installed_version("scholarsearch")
    except PackageNotFoundError:
        return "0+unknown"
