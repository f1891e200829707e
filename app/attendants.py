"""What runs beside the answers of a service: feedback, rounds over links, the canary, the watch over experiments.

Each is loaded only where the settings ask for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from .runtime import Runtime
from .settings import Settings
from .telemetry import Telemetry

if TYPE_CHECKING:
    from .analysis.watch import Watch
    from .canary.memory import Verdict
    from .canary.watch import Canary
    from .feedback.opening import Feedback
    from .freshness.patrol import Patrol


def keep_feedback(settings: Settings, telemetry: Telemetry, now: Callable[[], datetime]) -> Feedback:
    """Feedback in the home folder and the store of the settings."""
    from .feedback.opening import FOLDER, open_feedback
    from .feedback.pseudonym import pseudonyms_of
    from .store import open_store

    key = settings.feedback_hash_key
    return open_feedback(
        settings.home,
        pseudonyms_of(settings.home / FOLDER, key.get_secret_value() if key else None),
        partial(open_store, settings),
        telemetry.feedback,
        now,
        time.monotonic,
        spool_bytes=settings.feedback_spool_bytes,
        per_minute=settings.feedback_per_minute,
        retention_days=settings.feedback_days,
    )


def begin_patrol(settings: Settings) -> Patrol | None:
    """The rounds over links that the settings ask for, begun; None when they ask for none."""
    if settings.link_check_hours is None:
        return None
    from .freshness.patrol import Patrol  # here, since most services look at no link

    patrol = Patrol(settings, settings.link_check_hours)
    patrol.start()
    return patrol


def begin_canary(runtime: Runtime) -> Canary | None:
    """The rounds of the judged canary, begun; None when the settings ask for none."""
    settings = runtime.settings
    if settings.canary_minutes is None:
        return None
    from .canary.watch import Canary  # here, as for the patrol; what judges is loaded by the first round

    def tell(verdict: Verdict) -> None:
        reading = verdict.reading
        runtime.telemetry.sang(reading.set_name, reading.system, reading.mrr5, alarm=verdict.alarm)

    minutes = settings.canary_minutes
    canary = Canary(settings.canary_set, settings.home, minutes, runtime.engine.answerer, tell)
    canary.start()
    return canary


def begin_watch(runtime: Runtime) -> Watch | None:
    """The watch over running experiments, begun; None where nothing is logged or the settings ask for none."""
    settings, analyst = runtime.settings, runtime.analyst
    if analyst is None or settings.experiment_watch_s is None:
        return None
    from .analysis.watch import Watch  # here, as for the patrol

    watch = Watch(
        analyst,
        lambda: runtime.engine.answerer().experiments,
        runtime.telemetry.analysis.ratios,
        runtime.now,
        settings.experiment_watch_s,
        stops=settings.experiment_guard,
    )
    watch.start()
    return watch
