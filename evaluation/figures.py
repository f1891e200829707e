"""metrics.json: an assessment as plain data, for machines."""

from __future__ import annotations

from .assessment import Assessment, Comparison, SystemResult
from .slices import Slice


def figures(assessment: Assessment) -> dict[str, object]:
    """The assessment as JSON-ready data; intervals are [low, high], every number finite."""
    return {
        "set": assessment.set_name,
        "split": assessment.split,
        "queries": len(assessment.query_ids),
        "relevant_grade": assessment.relevant_grade,
        "baseline": assessment.baseline.name,
        "seed": assessment.seed,
        "systems": {system.name: _system(system) for system in assessment.systems},
        "comparisons": [_comparison(comparison) for comparison in assessment.comparisons],
        "notes": list(assessment.notes),
    }


def _system(system: SystemResult) -> dict[str, object]:
    return {
        **system.means,
        "ci95": {metric: list(interval) for metric, interval in system.ci95.items()},
        "slices": {found.tag: _slice(found) for found in system.slices},
        "latency_ms": {stage: dict(percentiles) for stage, percentiles in system.latency_ms.items()},
        "fingerprint": system.fingerprint,
    }


def _slice(found: Slice) -> dict[str, object]:
    return {
        "queries": found.queries,
        **found.means,
        "ci95": {metric: list(interval) for metric, interval in found.ci95.items()},
    }


def _comparison(comparison: Comparison) -> dict[str, object]:
    return {
        "a": comparison.a,
        "b": comparison.b,
        "metric": comparison.metric,
        "delta": comparison.delta,
        "ci95": list(comparison.ci95),
        "p": comparison.p,
        "p_holm": comparison.p_holm,
        "n": comparison.n,
        "queries_needed": comparison.queries_needed,
        "smallest_effect": comparison.smallest_effect,
    }
