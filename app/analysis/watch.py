"""The watch over running experiments: reads each report every few minutes and stops the arm that breaks a guardrail."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from app.errors import ServiceError
from app.experiments.bucket import BUCKETS
from app.experiments.registry import Registry
from app.experiments.spec import PER_CENT, Arm, Experiment
from app.experiments.version import Version
from app.store.errors import StoreError
from app.turns import give_way

from .analyst import Analyst

log = logging.getLogger("scholarsearch")
_LONGEST_REASON, _LONGEST_WORDS = 500, 2000
Tell = Callable[[Mapping[str, float]], None]
"""Takes the p of the sample-ratio check of every running experiment that has one."""


class Watch:
    """A thread that looks every `pause_s` seconds. stops: whether arms are stopped, or only reported in the log."""

    def __init__(
        self,
        analyst: Analyst,
        registry: Callable[[], Registry],
        tell: Tell,
        now: Callable[[], datetime],
        pause_s: float,
        *,
        stops: bool,
    ) -> None:
        self._analyst = analyst
        self._registry = registry
        self._tell = tell
        self._now = now
        self._pause_s = pause_s
        self._stops = stops
        self._said: set[tuple[str, int]] = set()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="experiment-watch", daemon=True)

    def start(self) -> None:
        """Nothing; from here on running experiments are looked at."""
        self._thread.start()

    def stop(self) -> None:
        """Nothing; the look under way is finished."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> None:
        """Nothing; every running experiment was looked at once. Raises StoreError, or NotReady before the start."""
        registry = self._registry()
        ratios = {}
        for version in registry.current().values():
            if not version.takes_in(self._now()) or len(version.experiment.arms) < 2:
                continue
            report = self._analyst.report(version)
            if report["ratio"]["p"] is not None:
                ratios[version.key] = report["ratio"]["p"]
            if harm := [one for one in report["guardrails"] if one["state"] == "broken"]:
                self._act(registry, version, harm)
        self._tell(ratios)

    def _act(self, registry: Registry, version: Version, harm: list[dict[str, Any]]) -> None:
        reason = "; ".join(_told(one) for one in harm)
        if not self._stops:
            if (version.key, version.number) not in self._said:
                self._said.add((version.key, version.number))
                log.error("experiment %s: %s; it goes on, as the settings ask", version.key, reason)
            return
        left = without(version.experiment, {one["arm"] for one in harm})
        log.error("experiment %s: %s; stopped", version.key, reason)
        registry.stop(version.key, f"guardrail: {reason}"[:_LONGEST_REASON], self._now())
        if left is not None:
            # Whoever else watches, or has made another version meanwhile, goes first.
            registry.put(left, lambda seen: seen is not None and seen.number == version.number, self._now())

    def _run(self) -> None:
        give_way()
        failing = False
        while not self._ended.wait(self._pause_s):
            try:
                self.look()
                failing = False
            except (StoreError, ServiceError) as error:
                if not failing:
                    log.warning("experiments are not watched: %s", error)
                failing = True
            except Exception:
                log.exception("the experiments could not be looked at")


def without(experiment: Experiment, arms: set[str]) -> Experiment | None:
    """The experiment with those arms gone and their units shared by the others; None where no treatment is left.

    It is another split, so it becomes another version, whose data are not mixed with those of the last.
    """
    kept = [arm for arm in experiment.arms if arm.name not in arms]
    if len(kept) < 2:
        return None
    total = sum(arm.weight for arm in kept)
    if total <= 0:
        return None
    buckets = [round(arm.weight / total * BUCKETS) for arm in kept]
    buckets[0] += BUCKETS - sum(buckets)
    said = f"{experiment.description} Without {', '.join(sorted(arms))}, stopped by a guardrail.".strip()
    return replace(
        experiment,
        arms=tuple(
            Arm(arm.name, count / PER_CENT, arm.system, arm.overrides)
            for arm, count in zip(kept, buckets, strict=True)
        ),
        description=said[:_LONGEST_WORDS],
    )


def _told(one: Mapping[str, Any]) -> str:
    return (
        f"{one['arm']} adds {one['delta']:.4g} to {one['name']}, {one['always_ci'][0]:.4g} at least, "
        f"where {one['tolerance']:g} is tolerated"
    )
