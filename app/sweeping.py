"""Trying the settings of a plan against a judged set, one combination after another."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.assessment import SEED
from evaluation.metrics import judge
from evaluation.significance import intervals
from evaluation.sweep import Trial
from evaluation.testset import Qrels, TestQuery
from index.build import Progress

from .answer import fingerprint
from .errors import Fault, InvalidRequest
from .overrides import Value, faults_in, overridden
from .ranker import Ranker
from .systems import system

METRICS = ("mrr@5", "ndcg@10", "recall@100")
_DEPTH = 100


def parse_over(text: str) -> tuple[str, list[Value]]:
    """The setting and the values of NAME=VALUE,VALUE…, each as JSON or, where that is none, as text.

    Raises InvalidRequest, naming what is wrong.
    """
    name, equals, listed = text.partition("=")
    values: list[Value] = [_value(part.strip()) for part in listed.split(",") if part.strip()]
    if not equals or not values:
        raise InvalidRequest(
            Fault("/over", "invalid", f"{text!r} must be NAME=VALUE,VALUE such as depth=50,200")
        )
    for value in values:
        if faults := faults_in({name: value}, "/over"):
            raise InvalidRequest(*faults)
    return name, list(dict.fromkeys(values))


def sweep(
    ranker: Ranker,
    base: str,
    over: Mapping[str, Sequence[Value]],
    queries: Sequence[TestQuery],
    qrels: Qrels,
    grade: int,
    log: Path,
    progress: Progress,
) -> list[Trial]:
    """A trial of every combination of `over` on system `base`, in the order given.

    Each is kept in `log` (JSON lines) as soon as it is done; one that is there, of the same snapshot and plan, is not
    tried again. Raises UnknownSystem, or InvalidRequest for settings that exclude one another.
    """
    known = {trial.key: trial for trial in _kept(log)}
    combinations = list(_combinations(over))
    trials = []
    for done, settings in enumerate(combinations, start=1):
        try:
            plan = overridden(system(base), settings)
        except ValueError as error:
            raise InvalidRequest(Fault("/over", "not-allowed", str(error))) from None
        key = f"{fingerprint(ranker.snapshot, plan, ranker.judge)} {len(queries)}"
        if key not in known:
            run = ranker.rank_plan(plan, queries, _DEPTH, lambda *_: None).run
            known[key] = _trial(key, settings, judge(qrels, run, grade).values)
            _keep(log, known[key])
        # One plan may have been reached by other words.
        trials.append(replace(known[key], settings=dict(settings)))
        progress("sweep", done, len(combinations))
    return trials


def _combinations(over: Mapping[str, Sequence[Value]]) -> Iterator[dict[str, Value]]:
    for values in itertools.product(*over.values()):
        yield dict(zip(over, values, strict=True))


def _trial(key: str, settings: Mapping[str, Value], values: Mapping[str, Any]) -> Trial:
    ranges = intervals(np.stack([values[metric] for metric in METRICS]), np.random.default_rng(SEED))
    return Trial(
        key=key,
        settings=dict(settings),
        means={metric: float(values[metric].mean()) for metric in METRICS},
        ci95={metric: (float(low), float(high)) for metric, (low, high) in zip(METRICS, ranges, strict=True)},
    )


def _value(text: str) -> Value:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, str | int | float | bool | None) else text


def _kept(log: Path) -> Iterator[Trial]:
    """The trials of a log; a line that was broken off is no trial."""
    if not log.exists():
        return
    for line in log.read_text(encoding="utf-8").splitlines():
        try:
            raw = json.loads(line)
            ranges = {metric: (low, high) for metric, (low, high) in raw["ci95"].items()}
            yield Trial(raw["key"], raw["settings"], raw["means"], ranges)
        except (ValueError, KeyError, TypeError):
            continue


def _keep(log: Path, trial: Trial) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    torn = log.exists() and not log.read_bytes().endswith(b"\n") and log.stat().st_size > 0
    with log.open("a", encoding="utf-8") as stream:
        stream.write(("\n" if torn else "") + json.dumps(trial.record(), ensure_ascii=False) + "\n")
