"""A search call → the public answer: which plan, which page, which facets, in the documented shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal

import numpy as np

from index.facets import counts
from index.snapshot import Snapshot
from index.types import RankedList, Rows
from index.zone import zone
from models.rung import Rung

from .arrangement import arrange
from .attraction import Attraction
from .call import MinScore, RerankChoice, SearchCall
from .contribution import Contribution, contributions
from .cursor import Cursor, check, decode, encode, query_hash
from .errors import Fault, InvalidRequest
from .experiments.assignment import UNTREATED, Treatment
from .hit import Hits
from .library import Library
from .overrides import overridden
from .pipeline import Ranking, passages, search
from .plan import Interleaving, Plan, Reranking
from .reranking import Asked, Judge
from .showing import Offered, Shown, is_mixed, matched, show, stated
from .systems import DEFAULT_SYSTEM, RERANKED_SYSTEM, system
from .trace import Trace

_BROWSE_WINDOW = 1000
_FACET_VALUES = 50


def answer(call: SearchCall, library: Library, treatment: Treatment = UNTREATED) -> dict[str, Any]:
    """The search answer to `call`, under what experiments do to it.

    Raises UnknownSystem, InvalidRequest, CursorInvalid or CursorExpired.
    """
    began = library.clock()
    plan = _plan(call, treatment)
    cursor = decode(call.cursor, library.cursor_key) if call.cursor else None
    as_of = call.query.as_of if call.as_of_given or cursor is None else cursor.as_of
    digest = query_hash(call, as_of, stated(plan, call))
    if cursor is not None:
        check(cursor, digest, library.snapshot.fingerprint, treatment.arms)
    query = replace(call.query, as_of=as_of)
    rung = (cursor.rung or None) if cursor else None
    judge = library.judge_for(plan.rerank, query.text, rung)
    ranking = search(query, plan, library.snapshot, library.encoder, library.clock, judge, library.attraction)
    offered = [Offered(ranking, _rows(ranking, call, library.snapshot, as_of))]
    if plan.interleave is not None and is_mixed(call):
        rival = _rival(plan, plan.interleave, ranking.trace.total_ms)
        judge = judge or library.judge_for(rival.rerank, query.text, rung)
        second = search(
            query, rival, library.snapshot, library.encoder, library.clock, judge, library.attraction
        )
        offered.append(Offered(second, _rows(second, call, library.snapshot, as_of)))
    order = show(call, plan, offered, digest, library.snapshot, as_of)
    matches = matched(offered, plan, library.snapshot)
    offset = cursor.offset if cursor else 0
    end = min(offset + call.page_size, len(order))
    page = _page(order[offset:end], offset, call, library)
    following = Cursor(digest, library.snapshot.fingerprint, as_of, end, treatment.arms, _rung(offered))
    facets = _facets(matches, ranking, call, library.snapshot, as_of)
    traces = [one.ranking.trace for one in offered]
    timings = _timings(traces)
    timings["answer"] = round((library.clock() - began) * 1e3 - sum(one.total_ms for one in traces), 3)
    timings["total"] = round((library.clock() - began) * 1e3, 3)
    return {
        "request_id": call.request_id,
        "query_id": call.query.query_id,
        "query": _understood(ranking),
        "as_of": as_of.astimezone(zone(call.query.zone)[0]).isoformat(),
        "total": {
            "value": len(matches),
            "relation": "gte" if any(one.ranking.clipped for one in offered) else "eq",
        },
        "reachable": len(order),
        "next_cursor": encode(following, library.cursor_key) if end < len(order) else None,
        "hits": page,
        "facets": facets,
        "experiments": [assignment.record() for assignment in treatment.assignments],
        "degraded": [
            {"stage": stage, "reason": reason}
            for stage, reason in dict.fromkeys(fault for one in traces for fault in one.degraded)
        ],
        "served": {
            "system": plan.system,
            "precision": ranking.reranked.rung if ranking.reranked.pairs else None,
            "depth": ranking.reranked.pairs or None,
            "reranked": ranking.reranked.pairs > 0,
            "fingerprint": fingerprint(library.snapshot, plan, judge, library.attraction),
        },
        "timings_ms": timings,
    }


def fingerprint(
    snapshot: Snapshot, plan: Plan, judge: Judge | None = None, attraction: Attraction | None = None
) -> str:
    """A short hash of everything a ranking depends on: the snapshot's parts, the plan, what it reranks and heeds."""
    parts = f"{snapshot.fingerprint} {replace(plan, budget_ms=None)!r}"
    if plan.rerank is not None and judge is not None:
        parts += f" {judge.fingerprint}"
    if plan.attraction and attraction is not None:
        parts += f" {attraction.fingerprint}"
    if plan.interleave is not None:
        parts += f" {fingerprint(snapshot, system(plan.interleave.system), judge, attraction)}"
    return sha256(parts.encode()).hexdigest()[:16]


def _plan(call: SearchCall, treatment: Treatment) -> Plan:
    default = RERANKED_SYSTEM if call.rerank.enabled else treatment.system or DEFAULT_SYSTEM
    plan = overridden(system(call.system or default), treatment.overrides)
    if not call.query.text.strip():
        plan = replace(plan, window=_BROWSE_WINDOW)
    plan = replace(plan, rerank=_reranking(plan.rerank, call.rerank))
    budgets = [budget for budget in (plan.budget_ms, call.budget_ms) if budget is not None]
    return replace(plan, budget_ms=min(budgets)) if budgets else plan


def _reranking(planned: Reranking | None, choice: RerankChoice) -> Reranking | None:
    """How to rerank: as planned, unless the caller chose otherwise."""
    if choice.enabled is False:
        return None
    if choice.enabled and planned is None:
        planned = Reranking()
    return planned if planned is None or choice.depth is None else replace(planned, depth=choice.depth)


def _rival(plan: Plan, interleaving: Interleaving, spent_ms: float) -> Plan:
    """How the system searches mixed with the plan's own, within its window and what is left of its time."""
    left_ms = None if plan.budget_ms is None else max(plan.budget_ms - spent_ms, 0.0)
    return replace(system(interleaving.system), window=plan.window, budget_ms=left_ms)


def _rung(offered: Sequence[Offered]) -> Rung | Literal[""]:
    """The rung on which further pages must be read, "" where none was."""
    return next((one.ranking.reranked.rung for one in offered if one.ranking.reranked.rung), "")


def _page(order: Sequence[Shown], offset: int, call: SearchCall, library: Library) -> list[dict[str, Any]]:
    """The hits of one page; each is told by the ranking that it is from."""
    rankings = {id(one.ranking): one.ranking for one in order}
    hits = {key: Hits(ranking, library.snapshot) for key, ranking in rankings.items()}
    moved: dict[int, Mapping[int, Contribution]] = {}
    if call.explain:
        for key, ranking in rankings.items():
            rows = [one.row for one in order if one.ranking is ranking]
            moved[key] = _moved(rows, ranking, library)
    return [
        hits[id(one.ranking)].hit(
            one.row,
            offset + at,
            explain=call.explain,
            moved=moved.get(id(one.ranking), {}).get(one.row),
        )
        | {"propensity": one.propensity, "team": one.team}
        for at, one in enumerate(order, start=1)
    ]


def _timings(traces: Sequence[Trace]) -> dict[str, float]:
    """Milliseconds by stage, of all rankings together."""
    spent: dict[str, float] = {}
    for trace in traces:
        for name, duration in trace.stages:
            spent[name] = round(spent.get(name, 0.0) + duration, 3)
    return spent


def _rows(ranking: Ranking, call: SearchCall, snapshot: Snapshot, as_of: datetime) -> Rows:
    """The rows that can be paged through, in the order asked for."""
    ranked = ranking.ranked
    if call.min_score is not None:
        ranked = _at_least(ranking, call.min_score)
    return arrange(ranked, call.sort, snapshot, as_of) if call.sort else ranked.rows


def _at_least(ranking: Ranking, least: MinScore) -> RankedList:
    """The candidates whose score on the named scale reaches `least`. Raises InvalidRequest for a missing scale."""
    ranked = ranking.ranked
    legs = {"bm25": ("lexical", "okapi"), "dense": ("dense",)}.get(least.scale, ())
    leg = next((ranking.found[name].ranked for name in legs if name in ranking.found), None)
    if least.scale == "fused":
        leg = ranking.fused
    if least.scale == "rerank" and ranking.reranked.probabilities:
        read = ranking.reranked.probabilities
        leg = RankedList(np.array(list(read), np.int64), np.array(list(read.values()), np.float32))
    if leg is None:
        message = f"no stage of {ranking.plan.system} gives scores on the scale {least.scale}"
        raise InvalidRequest(Fault("/min_score/scale", "no-such-scale", message))
    passing = leg.rows[leg.scores >= least.value]
    keep = np.isin(ranked.rows, passing)
    return RankedList(ranked.rows[keep], ranked.scores[keep])


def _moved(rows: Sequence[int], ranking: Ranking, library: Library) -> Mapping[int, Contribution]:
    """What the reranking made of the rows it read."""
    judge = library.judge_for(ranking.plan.rerank, ranking.query.text, ranking.reranked.rung)
    if ranking.plan.rerank is None or not ranking.reranked.logits or judge is None:
        return {}
    read = [row for row in rows if row in ranking.reranked.logits]
    text, lang = ranking.understood.normalised, ranking.understood.lang
    asked = Asked(text, lang, ranking.query.as_of, library.snapshot, passages(ranking.found))
    return contributions(read, asked, judge, ranking.plan.rerank.gate)


def _facets(
    matches: Rows, ranking: Ranking, call: SearchCall, snapshot: Snapshot, as_of: datetime
) -> list[dict[str, Any]]:
    """Counts over every candidate, not only the page; the set that was counted is named."""
    counted = "candidates" if ranking.understood.normalised else "matching"
    return [
        {
            "field": field,
            "counted_set": counted,
            "counts": [{"value": value, "count": number} for value, number in values],
        }
        for field, values in counts(snapshot.columns, matches, call.facets, as_of, limit=_FACET_VALUES)
    ]


def _understood(ranking: Ranking) -> dict[str, Any]:
    understood = ranking.understood
    return {
        "raw": understood.raw,
        "normalised": understood.normalised,
        "lang": understood.lang,
        "aliases": list(understood.aliases),
        "parsed_filters": [],
        "time_intent": None,
    }
