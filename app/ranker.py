"""Running systems over a test set: the same pipeline as the service, each query at its own `as_of`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from evaluation.run import SystemRun
from evaluation.testset import TestQuery
from index.build import Progress, build
from index.document import Document
from index.errors import CorpusError, RecordError
from index.record import from_beir
from index.settings import AWARDS, PLAIN
from index.snapshot import Snapshot
from index.storage import open_snapshot
from index.types import Encoder, Filters, Query
from models.registry import DEFAULT_ENCODER, load_encoder

from .answer import fingerprint
from .api.filters import parse_filters
from .api.problems import faults_of
from .pipeline import Ranking, search
from .plan import Plan
from .reranking import Judge
from .systems import system as plan_of

# Before any window we know of: a set without dates asks outside of time, and every window is then still to come.
_TIMELESS = datetime(1970, 1, 1, tzinfo=UTC)
# Legs look deeper than the cut, so that a fused list of `k` is not starved.
_DEPTH_FACTOR = 2


@dataclass(frozen=True, slots=True)
class Ranker:
    """A snapshot of a test set's corpus and the encoder it was built with."""

    snapshot: Snapshot
    encoder: Encoder
    judge: Judge | None = None

    def rank(self, system: str, queries: Sequence[TestQuery], k: int, progress: Progress) -> SystemRun:
        """The run of `system` over `queries`, at most `k` hits each. Raises UnknownSystem."""
        return self.rank_plan(_deep(plan_of(system), k), queries, k, progress)

    def rank_plan(self, plan: Plan, queries: Sequence[TestQuery], k: int, progress: Progress) -> SystemRun:
        """The same of any plan, as deep as it says: every record for itself, and all that is found within reach."""
        plan = replace(plan, collapse=False, window=k)
        run: dict[str, list[tuple[str, float]]] = {}
        stage_ms: dict[str, list[float]] = {}
        for query in queries[:1]:  # lazy parts are paid for here, not by the first measured query
            search(asked(query), plan, self.snapshot, self.encoder, time.perf_counter, self.judge)
        for done, query in enumerate(queries, start=1):
            ranking = search(asked(query), plan, self.snapshot, self.encoder, time.perf_counter, self.judge)
            run[query.query_id] = self._hits(ranking)
            for stage, duration_ms in (*ranking.trace.stages, ("total", ranking.trace.total_ms)):
                stage_ms.setdefault(stage, []).append(duration_ms)
            progress(f"rank {plan.system}", done, len(queries))
        return SystemRun(run, stage_ms, fingerprint(self.snapshot, plan, self.judge))

    def ranking(self, system: str, query: TestQuery, k: int) -> Ranking:
        """The ranking of one query, at most `k` hits. Raises UnknownSystem."""
        return search(
            asked(query),
            _deep(plan_of(system), k),
            self.snapshot,
            self.encoder,
            time.perf_counter,
            self.judge,
        )

    def _hits(self, ranking: Ranking) -> list[tuple[str, float]]:
        ids = self.snapshot.corpus.ids
        pairs = zip(ranking.ranked.rows.tolist(), ranking.ranked.scores.tolist(), strict=True)
        return [(ids[row], score) for row, score in pairs]


def open_ranker(
    set_dir: Path,
    corpus: Iterable[Mapping[str, object]],
    encoder: str | None,
    home: Path,
    progress: Progress,
    judge: Judge | None = None,
) -> Ranker:
    """A ranker over a test set's corpus, indexed under `home/sets/NAME`; vectors already known are not made again.

    Raises CorpusError and RecordError for documents that cannot be read, ModelError for the encoder.
    """
    loaded = load_encoder(encoder or DEFAULT_ENCODER)
    documents = [_document(line, set_dir) for line in corpus]
    settings = AWARDS if any(_is_award(document) for document in documents) else PLAIN
    folder = home / "sets" / set_dir.resolve().name
    built = build(documents, folder, loaded, settings, progress=progress)
    return Ranker(open_snapshot(built.folder, loaded.fingerprint), loaded, judge)


def _deep(plan: Plan, k: int) -> Plan:
    """The plan over a test set: every record for itself, and deep enough for `k` hits."""
    return replace(plan, collapse=False, window=k, depth=max(plan.depth, _DEPTH_FACTOR * k))


def _document(line: Mapping[str, object], set_dir: Path) -> Document:
    try:
        return from_beir(line)
    except RecordError as error:
        raise RecordError(
            f"{set_dir.name}: document {line.get('_id')!r}: {error.field}", error.value, error.reason
        ) from None


def _is_award(document: Document) -> bool:
    """Whether a document carries any fact of a record, not only a title and a text."""
    return bool(document.provider or document.windows or document.host_countries or document.eligibility)


def asked(query: TestQuery) -> Query:
    """The query as the pipeline is asked it. Raises CorpusError for filters that cannot be read."""
    return Query(
        query_id=query.query_id,
        text=query.text,
        as_of=query.as_of or _TIMELESS,
        lang=None,
        filters=_filters(query),
    )


def _filters(query: TestQuery) -> Filters:
    try:
        return parse_filters(query.filters)
    except ValidationError as error:
        faults = "; ".join(f"{fault.pointer}: {fault.message}" for fault in faults_of(error.errors()))
        raise CorpusError(f"query {query.query_id!r}: filters{faults}") from None
