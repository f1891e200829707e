"""The one or two sentences a reader takes home."""

from __future__ import annotations

from .assessment import Assessment, Comparison, SystemResult

HEADLINE = "mrr@5"
ALPHA = 0.05


def verdict(assessment: Assessment) -> str:
    """Who leads on MRR@5, by how much over the baseline, and whether chance could have done it."""
    best = max(assessment.systems, key=lambda system: system.means[HEADLINE])  # the first of equals
    lead = f"{best.name} reaches MRR@5 {_with_interval(best)} on {_queries(assessment)}"
    if len(assessment.systems) == 1:
        return f"{lead}."
    if best is assessment.baseline:
        return f"{lead}; no system is above this baseline."
    against = next(
        found for found in assessment.comparisons if found.metric == HEADLINE and found.b == best.name
    )
    return f"{lead}, {_difference(against)}"


def p_text(p: float) -> str:
    """A p value as people write it."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _with_interval(system: SystemResult) -> str:
    low, high = system.ci95[HEADLINE]
    return f"{system.means[HEADLINE]:.3f} [{low:.3f}, {high:.3f}]"


def _queries(assessment: Assessment) -> str:
    count = len(assessment.query_ids)
    return f"{count} {'query' if count == 1 else 'queries'}"


def _difference(comparison: Comparison) -> str:
    low, high = comparison.ci95
    p = p_text(comparison.p_holm)
    size = f"{comparison.delta:+.3f} [{low:+.3f}, {high:+.3f}] over {comparison.a}"
    if comparison.p_holm < ALPHA:
        return f"{size}: more than chance explains (p {p if p.startswith('<') else '= ' + p})."
    return f"{size}: chance alone could do that (p = {p})."
