"""Lists on which rungs are tried and the gradient is worked out: real queries with the candidates they get here.

Those of the shipped canary are judged, so a gradient can be taken of them; those of the week are not.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import numpy as np

from index.types import Query
from models.selftest import ProbeList

from .canary.roster import Roster, read_roster
from .library import Library
from .pipeline import Ranking, passages, search
from .reranking import Asked, read
from .systems import system

_SYSTEM = "hybrid"
QUERIES = 12
CANDIDATES = 12


def probe_lists(
    library: Library, queries: Sequence[str] = (), most: int = QUERIES, candidates: int = CANDIDATES
) -> list[ProbeList]:
    """At most `most` lists of `candidates`: of `queries`, asked now, or of the canary's, each at its own instant."""
    if queries:
        now = datetime.now(UTC)
        return [one for text in queries[:most] if (one := _list(library, text, now, candidates)) is not None]
    roster = read_roster()
    return judged_lists(library, roster, most, candidates)


def judged_lists(library: Library, roster: Roster, most: int, candidates: int) -> list[ProbeList]:
    """Lists of the judged queries, evenly chosen; what nobody judged counts 0, and judged records are always in."""
    step = max(len(roster.queries) // most, 1)
    found = []
    for query in roster.queries[::step][:most]:
        grades = roster.qrels[query.query_id]
        at = query.as_of or datetime.now(UTC)
        one = _list(library, query.text, at, candidates, grades)
        if one is not None:
            found.append(one)
    return found


def fingerprint(lists: Sequence[ProbeList]) -> str:
    """A short hash of everything that a network is given."""
    digest = hashlib.sha256()
    for one in lists:
        digest.update(repr((one.query, one.texts, one.grades)).encode())
        digest.update(np.ascontiguousarray(one.timings, np.float32).tobytes())
    return digest.hexdigest()[:16]


def _list(
    library: Library,
    text: str,
    at: datetime,
    candidates: int,
    grades: Mapping[str, int] | None = None,
) -> ProbeList | None:
    """None when nothing is found."""
    query = Query(query_id="probe", text=text, as_of=at)
    ranking = search(query, system(_SYSTEM), library.snapshot, library.encoder, time.perf_counter)
    corpus = library.snapshot.corpus
    rows = ranking.ranked.rows[:candidates].tolist()
    if grades is not None:
        judged = [row for doc_id in sorted(grades) if (row := corpus.row(doc_id)) is not None]
        rows = (judged[: candidates // 2] + [row for row in rows if row not in judged])[:candidates]
    if not rows:
        return None
    return _read(library, ranking, rows, grades)


def _read(
    library: Library, ranking: Ranking, rows: Sequence[int], grades: Mapping[str, int] | None
) -> ProbeList:
    understood = ranking.understood
    asked = Asked(
        understood.normalised,
        understood.lang,
        ranking.query.as_of,
        library.snapshot,
        passages(ranking.found),
    )
    reading = read(np.asarray(rows, np.int64), asked)
    ids = library.snapshot.corpus.ids
    told = None if grades is None else tuple(grades.get(ids[row], 0) for row in rows)
    return ProbeList(understood.normalised, tuple(reading.texts), reading.timings, told)
