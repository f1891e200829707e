"""One reading: the service's own answers to the judged queries, judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from app.answerer import Answerer
from app.call import SearchCall
from evaluation.metrics import judge
from evaluation.run import Hit
from evaluation.testset import TestQuery
from index.types import Query

from .errors import CanaryError
from .roster import Roster

_PAGE = 10


@dataclass(frozen=True, slots=True)
class Reading:
    """What one round gave.

    mrr5: mean over the `queries` that can be answered, in [0, 1]. unanswerable: queries whose relevant records are
    all gone from the catalogue; they are left out of the mean. degraded: answers that said a stage was missing.
    """

    set_name: str
    set_fingerprint: str
    system: str
    fingerprint: str
    at: datetime
    mrr5: float
    queries: int
    unanswerable: int
    degraded: int


def take_reading(
    answerer: Answerer,
    roster: Roster,
    at: datetime,
    system: str | None = None,
    breathe: Callable[[], None] = lambda: None,
) -> Reading:
    """The reading of `system`, None = what the service does by default, through the same door as a search.

    No unit is sent, so no experiment takes part, and nothing is recorded: that is done at the HTTP edge. `breathe` is
    called after each query. Raises CanaryError when no judged record is held, and what a search raises.
    """
    held = {doc_id for doc_id in roster.documents if answerer.opportunity(doc_id) is not None}
    part = roster.answerable(held)
    if not part.queries:
        raise CanaryError(f"canary set {roster.name!r}: none of its relevant records is in this catalogue")
    run: dict[str, list[Hit]] = {}
    served, fingerprint, degraded = system or "", "", 0
    for query in part.queries:
        answer = answerer.search(_call(query, system))
        run[query.query_id] = [(hit["id"], -float(hit["rank"])) for hit in answer["hits"]]
        served, fingerprint = answer["served"]["system"], answer["served"]["fingerprint"]
        degraded += bool(answer["degraded"])
        breathe()
    mrr5 = judge(part.qrels, run, part.grade).mean("mrr@5")
    unanswerable = len(roster.queries) - len(part.queries)
    return Reading(
        roster.name, roster.fingerprint, served, fingerprint, at, mrr5, len(run), unanswerable, degraded
    )


def _call(query: TestQuery, system: str | None) -> SearchCall:
    if query.as_of is None:
        raise CanaryError(f"query {query.query_id!r} has no `as_of`")
    asked = Query(query_id=query.query_id, text=query.text, as_of=query.as_of)
    return SearchCall(asked, f"canary-{query.query_id}", as_of_given=True, page_size=_PAGE, system=system)
