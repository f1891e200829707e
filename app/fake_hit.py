"""How the shipped fake shows a programme: every field of a hit but its place and who else lists it."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from index.availability import Availability, availability
from index.document import Document
from index.eligibility import judge
from index.record import to_record

from .call import SearchCall

_SHARED = ("id", "title", "provider", "url", "host_countries", "levels", "fields", "amount")


def fake_hit(call: SearchCall, document: Document, score: float, as_of: datetime) -> dict[str, Any]:
    """The hit of a document that holds `score` of the query's words."""
    record, state = to_record(document), availability(document.windows, as_of)
    return {
        **{name: record[name] for name in _SHARED},
        "availability": state.state,
        "window": _window(state),
        "days_left": state.days_left,
        "eligibility": _eligibility(call, document, as_of.date()),
        "highlights": {},
        "scores": {"bm25": score, "dense": None, "fused": None, "rerank": None},
        "matched_by": ["lexical"] if score else [],
        "truncated": False,
        "why": [f"holds {score:g} of the words"] if call.explain else None,
    }


def _window(state: Availability) -> dict[str, Any] | None:
    window = state.window
    if window is None:
        return None
    return {
        "opens_on": window.opens_on.isoformat() if window.opens_on else None,
        "deadline_on": window.deadline_on.isoformat() if window.deadline_on else None,
        "closes_at": state.closes_at.isoformat() if state.closes_at else None,
        "zone": window.zone,
        "kind": window.kind,
        "cycle": window.cycle,
    }


def _eligibility(call: SearchCall, document: Document, today: date) -> dict[str, Any] | None:
    nationality, profile = call.query.filters.nationality, call.query.profile
    if nationality is None and profile is None:
        return None
    verdict = judge(document, nationality, profile, today)
    return {"verdict": verdict.verdict, "reasons": [reason.message for reason in verdict.reasons]}
