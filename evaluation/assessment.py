"""The whole judgement of some systems on one split: figures, intervals, slices, paired tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .errors import RunError
from .latency import latency_ms
from .metrics import METRICS, QueryScores, first_relevant_ranks, judge
from .power import queries_needed, smallest_effect
from .run import SystemRun, require_order
from .significance import holm, intervals, randomisation_p
from .slices import Slice, slices
from .testset import Qrels, TestQuery

COMPARED = ("mrr@5", "ndcg@10", "recall@100")
WELL_JUDGED = 0.9
SEED = 20_260_101
"""Of every resampling, unless another is asked for."""


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system. first_ranks: rank of the first relevant document per query, None when there was none."""

    name: str
    scores: QueryScores
    means: Mapping[str, float]
    ci95: Mapping[str, tuple[float, float]]
    slices: tuple[Slice, ...]
    latency_ms: Mapping[str, Mapping[str, float]]
    first_ranks: Mapping[str, int | None]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """System `b` against the baseline `a` on one metric: `delta` is b minus a, over `n` paired queries.

    p: paired randomisation test; p_holm: after Holm's correction over all systems compared on the metric.
    queries_needed: so many queries like these would show a true difference of `power.EFFECT`; None = not known.
    smallest_effect: the least true difference that these queries show in four of five test sets.
    """

    a: str
    b: str
    metric: str
    delta: float
    ci95: tuple[float, float]
    p: float
    p_holm: float
    n: int
    queries_needed: int | None
    smallest_effect: float | None


@dataclass(frozen=True, slots=True)
class Assessment:
    """Everything a report shows. systems[0] is the baseline; `queries` are the judged ones with a text."""

    set_name: str
    split: str
    relevant_grade: int
    seed: int
    queries: Mapping[str, TestQuery]
    systems: tuple[SystemResult, ...]
    comparisons: tuple[Comparison, ...]
    notes: tuple[str, ...]

    @property
    def baseline(self) -> SystemResult:
        """The system that the others are compared with."""
        return self.systems[0]

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The judged queries, in the order of the qrels."""
        return self.baseline.scores.query_ids


def assess(
    set_name: str,
    split: str,
    queries: Sequence[TestQuery],
    qrels: Qrels,
    runs: Mapping[str, SystemRun],
    grade: int,
    seed: int = SEED,
) -> Assessment:
    """Every system of `runs` judged, and compared with the first of them."""
    if not runs:
        raise RunError("no run to judge")
    judged = {query.query_id: query for query in queries if query.query_id in qrels}
    systems = tuple(
        _system(name, run, qrels, tuple(judged.values()), grade, seed) for name, run in runs.items()
    )
    comparisons = tuple(
        comparison for metric in COMPARED for comparison in _compare(systems[0], systems[1:], metric, seed)
    )
    notes = (
        *_set_notes(qrels, judged, grade),
        *_run_notes(systems, runs, qrels, grade),
    )
    return Assessment(set_name, split, grade, seed, judged, systems, comparisons, notes)


def _system(
    name: str, run: SystemRun, qrels: Qrels, queries: tuple[TestQuery, ...], grade: int, seed: int
) -> SystemResult:
    require_order(name, run.run)
    scores = judge(qrels, run.run, grade)
    ranges = intervals(np.stack([scores.values[metric] for metric in METRICS]), np.random.default_rng(seed))
    return SystemResult(
        name,
        scores,
        {metric: scores.mean(metric) for metric in METRICS},
        {metric: (float(low), float(high)) for metric, (low, high) in zip(METRICS, ranges, strict=True)},
        slices(scores, queries, seed),
        latency_ms(run.stage_ms),
        first_relevant_ranks(qrels, run.run, grade),
        run.fingerprint,
    )


def _compare(
    baseline: SystemResult, others: Sequence[SystemResult], metric: str, seed: int
) -> list[Comparison]:
    """Each of `others` against the baseline on one metric, corrected as one family."""
    deltas = [other.scores.values[metric] - baseline.scores.values[metric] for other in others]
    p_values = [randomisation_p(delta, np.random.default_rng(seed)) for delta in deltas]
    found = []
    for other, delta, p, p_holm in zip(others, deltas, p_values, holm(p_values), strict=True):
        low, high = intervals(delta[np.newaxis], np.random.default_rng(seed))[0]
        found.append(
            Comparison(
                baseline.name,
                other.name,
                metric,
                float(delta.mean()),
                (float(low), float(high)),
                p,
                p_holm,
                len(delta),
                queries_needed(delta),
                smallest_effect(delta),
            )
        )
    return found


def _set_notes(qrels: Qrels, judged: Mapping[str, TestQuery], grade: int) -> list[str]:
    """What the reader must know about the judgements before trusting a mean over them."""
    notes = []
    hopeless = sum(max(grades.values()) < grade for grades in qrels.values())
    if hopeless:
        notes.append(
            f"{hopeless} of {len(qrels)} judged queries have no document of grade {grade} or more: 0 for all."
        )
    silent = len(qrels) - len(judged)
    if silent:
        notes.append(
            f"{silent} of {len(qrels)} judged queries have no text in the set and count 0 for every system."
        )
    return notes


def _run_notes(
    systems: Sequence[SystemResult], runs: Mapping[str, SystemRun], qrels: Qrels, grade: int
) -> list[str]:
    """What the reader must know about single systems before comparing them."""
    silent: dict[int, list[str]] = {}
    for system in systems:
        empty = sum(not runs[system.name].run.get(query_id) for query_id in qrels)
        silent.setdefault(empty, []).append(system.name)
    notes = [
        f"Nothing was returned for {empty} of {len(qrels)} judged queries by {', '.join(names)}."
        for empty, names in silent.items()
        if empty
    ]
    # Sets that judge nothing but the relevant documents (most of BEIR) have no use for this warning.
    if any(given < grade for grades in qrels.values() for given in grades.values()):
        notes += [
            f"{system.means['judged@10']:.0%} of the first ten of {system.name} are judged; "
            "the unjudged count as not relevant, so its figures are a lower bound."
            for system in systems
            if system.means["judged@10"] < WELL_JUDGED
        ]
    return notes
