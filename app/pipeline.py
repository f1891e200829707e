"""The straight line of a search: parse, mask, retrieve, fuse, rerank, order. Every stage takes or gives a `RankedList`.

    parse → mask → [lexical | alias | dense] → fuse → rerank → order

The plan is chosen and the snapshot pinned by the caller. A leg or a reranker that fails or finds the budget spent is
left out and named in `trace.degraded`: a search answers with less rather than not at all.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from index.availability import AVAILABILITY
from index.browse import browse
from index.collapse import collapse
from index.filters import mask
from index.fusion import demote, fuse
from index.snapshot import Snapshot
from index.types import EMPTY, Encoder, Mask, Query, RankedList

from .attraction import Attraction, heed
from .legs import LEGS, Found, Request
from .plan import Plan
from .reranking import Asked, Judge, Reranked, rerank
from .trace import Clock, StageClock, Trace
from .understanding import Understood, aliases, understand

log = logging.getLogger("scholarsearch")
_CLOSED = AVAILABILITY.index("closed")


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranked window of candidates and how it came about.

    ranked: at most `plan.window` rows in final order; its scores say the order and nothing else. fused: what fusion
    gave, with its scores. reranked: what the reranker made of it. candidates: all rows that were matched, before the
    cut. found: what each leg gave. clipped: some leg was full, so there may be more matches than `candidates`.
    """

    query: Query
    plan: Plan
    understood: Understood
    ranked: RankedList
    fused: RankedList
    reranked: Reranked
    candidates: RankedList
    found: Mapping[str, Found]
    clipped: bool
    trace: Trace


def search(
    query: Query,
    plan: Plan,
    snapshot: Snapshot,
    encoder: Encoder | None,
    clock: Clock,
    judge: Judge | None = None,
    attraction: Attraction | None = None,
) -> Ranking:
    """The ranking of `query` under `plan` over `snapshot`."""
    stages = StageClock(clock)
    with stages.stage("parse"):
        understood = understand(query)
    with stages.stage("mask"):
        allowed = mask(snapshot.columns, query.filters, query.as_of)
    request = Request(understood.normalised, understood.lang, allowed, plan.depth, snapshot, encoder)
    found = _retrieve(request, plan, stages)
    with stages.stage("fuse"):
        fused = _heed(_fuse(found, plan, request, query.as_of), request, plan, attraction, stages)
    reranked = _rerank(
        fused, Asked(request.text, request.lang, query.as_of, snapshot, passages(found)), plan, judge, stages
    )
    with stages.stage("order"):
        ranked = _order(reranked.ranked, plan if reranked.pairs else _plainly(plan), snapshot, query.as_of)
    return Ranking(
        query=query,
        plan=plan,
        understood=replace(understood, aliases=aliases(b for leg in found.values() for b in leg.bridges)),
        ranked=ranked.cut(plan.window),
        fused=fused,
        reranked=reranked,
        candidates=ranked,
        found=found,
        clipped=any(len(leg.ranked) >= plan.depth for leg in found.values()),
        trace=stages.trace(),
    )


def _retrieve(request: Request, plan: Plan, stages: StageClock) -> dict[str, Found]:
    """What each leg of the plan found; nothing for a blank query, which is browsing."""
    found: dict[str, Found] = {}
    if not request.text:
        return found
    for leg in plan.legs:
        if found and plan.budget_ms is not None and stages.elapsed_ms > plan.budget_ms:
            stages.degrade(leg, "budget")
            continue
        try:
            with stages.stage(_STAGE.get(leg, leg)):
                found[leg] = LEGS[leg](request)
        except Exception:
            log.exception("the %s leg failed", leg)
            stages.degrade(leg, "error")
    return found


def _fuse(found: Mapping[str, Found], plan: Plan, request: Request, as_of: datetime) -> RankedList:
    if not request.text:
        return browse(request.snapshot.columns, request.allowed, as_of)
    if len(plan.legs) == 1:
        return next((leg.ranked for leg in found.values()), EMPTY)
    weights = {
        name: plan.fusion.weights.get(name, 1.0) * (plan.certain_weight if leg.certain else 1.0)
        for name, leg in found.items()
    }
    ranked = {name: leg.ranked for name, leg in found.items()}
    return fuse(ranked, replace(plan.fusion, weights=weights), full=plan.depth)


def _heed(
    fused: RankedList, request: Request, plan: Plan, attraction: Attraction | None, stages: StageClock
) -> RankedList:
    """The fused candidates with how earlier searchers took them heeded, where the plan asks for it."""
    if not plan.attraction or not request.text:
        return fused
    if attraction is None:
        stages.degrade("attraction", "no-model")
        return fused
    return heed(fused, request.snapshot.corpus.ids, attraction, plan.attraction)


def passages(found: Mapping[str, Found]) -> Mapping[int, int]:
    """The passage that matched best, by row, where a leg knows it."""
    return {row: passage for leg in found.values() for row, passage in leg.passages.items()}


def _rerank(fused: RankedList, asked: Asked, plan: Plan, judge: Judge | None, stages: StageClock) -> Reranked:
    """The fused candidates in the judge's order, or as they are: browsing, without a judge, or when it fails."""
    if plan.rerank is None or not asked.text or not len(fused):
        return Reranked(fused)
    if judge is None:
        stages.degrade("rerank", "no-model")
        return Reranked(fused)
    if plan.budget_ms is not None and stages.elapsed_ms > plan.budget_ms:
        stages.degrade("rerank", "budget")
        return Reranked(fused)
    try:
        with stages.stage("rerank"):
            reranked = rerank(fused, asked, plan.rerank, judge)
    except Exception:
        log.exception("the reranker failed")
        stages.degrade("rerank", "error")
        return Reranked(fused)
    if reranked.failed:
        stages.degrade("rerank", "non-finite")
    return reranked


def _plainly(plan: Plan) -> Plan:
    """The plan where nothing was reranked: closed documents that would have lost points go last instead."""
    lost_points = plan.rerank is not None and plan.rerank.closed_penalty > 0
    return replace(plan, open_first=True) if lost_points else plan


def _order(ranked: RankedList, plan: Plan, snapshot: Snapshot, as_of: datetime) -> RankedList:
    if plan.collapse:
        ranked = collapse(ranked, snapshot.columns, as_of)
    if not plan.open_first or not len(ranked):
        return ranked
    closed: Mask = np.asarray(snapshot.columns.states(as_of))[ranked.rows] == _CLOSED
    return demote(ranked, closed)


# Two implementations of one stage share its name, so that their latencies can be compared.
_STAGE: Mapping[str, str] = {"okapi": "lexical"}
