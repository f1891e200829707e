"""One row of a ranking as a hit: the facts of the document at `as_of`, and how it came to be here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from index.amount import amount_record
from index.availability import Availability, availability
from index.document import Document, Window
from index.eligibility import judge
from index.estimate import Estimate, estimate
from index.highlight import spans
from index.passage import without_head
from index.snapshot import Snapshot
from index.terms import query_terms
from index.types import Passage, Query
from index.zone import zone

from .contribution import Contribution
from .kin import MOST, kin, sources
from .legs import Found
from .pipeline import Ranking

# The name a leg's score goes by in an answer.
_SCALES: Mapping[str, str] = {"lexical": "bm25", "okapi": "bm25", "dense": "dense", "alias": "alias"}


class Hits:
    """Makes hits of one ranking; holds what all of them need."""

    def __init__(self, ranking: Ranking, snapshot: Snapshot) -> None:
        self._ranking = ranking
        self._snapshot = snapshot
        self._lang = ranking.understood.lang
        self._terms = frozenset(query_terms(ranking.understood.normalised, self._lang))
        self._found = {name: _positions(leg) for name, leg in ranking.found.items()}
        self._fused = dict(zip(ranking.fused.rows.tolist(), ranking.fused.scores.tolist(), strict=True))

    def hit(self, row: int, rank: int, *, explain: bool, moved: Contribution | None = None) -> dict[str, Any]:
        """The hit of document `row` at 1-based `rank`; `moved` says what the reranking made of it."""
        document = self._snapshot.corpus[row]
        query = self._ranking.query
        state = availability(document.windows, query.as_of)
        matched_by = [name for name, held in self._found.items() if row in held]
        records = kin(self._snapshot, row)
        expectation = self._expectation(records, state)
        hit: dict[str, Any] = {
            "id": document.doc_id,
            "rank": rank,
            "title": document.title,
            "provider": document.provider,
            "url": document.url,
            "host_countries": _listed(document.host_countries),
            "levels": _listed(document.levels),
            "fields": _listed(document.fields),
            "amount": amount_record(document.amount),
            "availability": state.state,
            "window": _window(state, expectation),
            "estimate": _estimate(expectation),
            "days_left": state.days_left,
            "eligibility": _eligibility(document, query),
            "highlights": self._highlights(row, document),
            "scores": self._scores(row),
            "matched_by": matched_by,
            "truncated": row in self._ranking.reranked.truncated,
            "language": document.language,
            "source": document.source,
            "sources": sources(document, records),
            "verified_on": document.verified_on.isoformat() if document.verified_on else None,
        }
        if explain:
            hit["why"] = [*self._why(row, matched_by, state), *_moves(moved, state)]
        return hit

    def _expectation(self, records: Sequence[Document], state: Availability) -> Estimate | None:
        """What the records of this programme let one expect, where they state no round that lies ahead."""
        if state.state not in ("closed", "unknown") or len(records) > MOST:
            return None
        return estimate(records, self._ranking.query.as_of)

    def _scores(self, row: int) -> dict[str, float | None]:
        scores: dict[str, float | None] = {
            "bm25": None,
            "dense": None,
            "alias": None,
            "fused": None,
            "rerank": None,
        }
        for name, held in self._found.items():
            if row in held:
                scores[_SCALES[name]] = held[row][1]
        if self._ranking.understood.normalised:
            scores["fused"] = self._fused.get(row)
            scores["rerank"] = self._ranking.reranked.probabilities.get(row)
        return scores

    def _highlights(self, row: int, document: Document) -> dict[str, Any]:
        passage = self._passage(row, document)
        text = without_head(passage.text, document)  # the page has just shown the rest
        language = document.language
        return {
            "title": spans(document.title, self._terms, language),
            "passage": {
                "text": text,
                "ordinal": passage.ordinal,
                "spans": spans(text, self._terms, language),
            },
        }

    def _passage(self, row: int, document: Document) -> Passage:
        dense = self._ranking.found.get("dense")
        if dense is not None and row in dense.passages:
            return self._snapshot.passages.at(dense.passages[row])
        return self._snapshot.passages.best(row, self._terms, document.language)

    def _why(self, row: int, matched_by: list[str], state: Availability) -> list[dict[str, Any]]:
        reasons: list[dict[str, Any]] = [
            {"code": f"matched_{name}", "rank": self._found[name][row][0], "score": self._found[name][row][1]}
            for name in matched_by
        ]
        reasons.append({"code": f"availability_{state.state}", "days_left": state.days_left})
        return reasons


def _moves(moved: Contribution | None, state: Availability) -> list[dict[str, Any]]:
    """What moved the hit in the reranking, in plain words and in points of its total."""
    if moved is None:
        return []
    reasons = [
        {"code": "rerank_text", "score": moved.text, "message": f"reading the text: {moved.text:+.1f}"}
    ]
    if moved.time is not None:
        told = f"{_when(state)}: {moved.time:+.1f}"
        reasons.append({"code": "rerank_time", "score": moved.time, "message": told})
    reasons += [
        {"code": f"fit_{name}", "score": score, "message": f"{name.replace('_', ' ')}: {score:+.1f}"}
        for name, score in moved.fits.items()
    ]
    return reasons


def _when(state: Availability) -> str:
    """The state of the shown window as a person says it."""
    days = state.days_left
    if days is None or state.state == "rolling":
        return {"unknown": "no date stated", "rolling": "always open"}.get(state.state, state.state)
    if state.state == "closed":
        return f"closed {-days} days ago" if days < 0 else "closed"
    return f"{'upcoming, ' if state.state == 'upcoming' else ''}deadline in {days} days"


def _positions(leg: Found) -> dict[int, tuple[int, float]]:
    """Row → (rank, score) within one leg."""
    pairs = zip(leg.ranked.rows.tolist(), leg.ranked.scores.tolist(), strict=True)
    return {row: (rank, score) for rank, (row, score) in enumerate(pairs, start=1)}


def _listed(values: tuple[str, ...] | None) -> list[str] | None:
    return None if values is None else list(values)


def _estimate(expectation: Estimate | None) -> dict[str, Any] | None:
    if expectation is None:
        return None
    opens_on = expectation.opens_on
    return {
        "opens_on": opens_on.isoformat() if opens_on else None,
        "deadline_on": expectation.deadline_on.isoformat(),
        "basis": expectation.basis,
        "years": list(expectation.years),
    }


def _window(state: Availability, expectation: Estimate | None) -> dict[str, Any] | None:
    window: Window | None = state.window
    if window is None:
        return None
    closes_at = state.closes_at
    if closes_at is not None:
        closes_at = closes_at.astimezone(zone(window.zone)[0])
    expected_on = state.expected_on or (expectation.deadline_on if expectation else None)
    return {
        "opens_on": window.opens_on.isoformat() if window.opens_on else None,
        "deadline_on": window.deadline_on.isoformat() if window.deadline_on else None,
        "month_day": window.month_day,
        "closes_at": closes_at.isoformat() if closes_at else None,
        "zone": window.zone,
        "zone_assumed": state.zone_assumed,
        "kind": window.kind,
        "cycle": window.cycle,
        "text": window.text,
        "expected_on": expected_on.isoformat() if expected_on else None,
    }


def _eligibility(document: Document, query: Query) -> dict[str, Any] | None:
    nationality = query.filters.nationality
    if nationality is None and query.profile is None:
        return None
    day = query.as_of.astimezone(zone(query.zone)[0]).date()
    verdict = judge(document, nationality, query.profile, day)
    reasons = [
        {"code": reason.code, "message": reason.message, "fit": reason.fit, "stated": list(reason.stated)}
        for reason in verdict.reasons
    ]
    return {"verdict": verdict.verdict, "reasons": reasons}
