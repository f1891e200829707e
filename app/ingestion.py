"""Files into the store: readings in batches, each batch one transaction, rejects into a report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Protocol

from index.document import Document
from index.ingest.assemble import Reading
from index.ingest.mapping import ColumnMap
from index.ingest.problem import Reject, UnreadableFile
from index.ingest.reading import read_file
from index.ingest.rejects import RejectReport

BATCH = 2000
"""Documents in one transaction: what an interruption can lose is one batch, and a repeat makes it good."""

Progress = Callable[[str, int, int], None]


class Outcome(Protocol):
    """What became of one document."""

    @property
    def status(self) -> str:
        """created, updated or unchanged."""


class Sink(Protocol):
    """Where documents go: the store, or anything else that takes them batch by batch."""

    def upsert(self, documents: Iterable[Document], source: str | None, at: datetime) -> Iterable[Outcome]:
        """Takes one batch in one transaction and says of each document what became of it."""


@dataclass(slots=True)
class Tally:
    """What became of the rows of all files. `doubtful` counts fields that a row states and no rule could be sure of."""

    read: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    rejected: int = 0
    doubtful: dict[str, int] = field(default_factory=dict)

    def count(self, status: str) -> None:
        """Counts one document by what became of it."""
        setattr(self, status, getattr(self, status) + 1)


def ingest_files(
    files: Sequence[Path],
    sink: Sink,
    report: RejectReport,
    at: datetime,
    *,
    form: str = "auto",
    by: ColumnMap | None = None,
    progress: Progress | None = None,
) -> Tally:
    """The tally of reading `files` into `sink`; a batch is stored while the next one is read, in their order."""
    tally = Tally()
    with ThreadPoolExecutor(1, "store") as storing:
        waiting: Future[Iterable[Outcome]] | None = None
        for path in files:
            documents = _documents(path, form, by, report, tally, progress)
            while batch := list(islice(documents, BATCH)):
                _settle(waiting, tally)
                waiting = storing.submit(sink.upsert, batch, batch[0].source, at)
        _settle(waiting, tally)
    return tally


def _settle(waiting: Future[Iterable[Outcome]] | None, tally: Tally) -> None:
    """Nothing, when a batch is stored and counted; raises what went wrong with it."""
    if waiting is not None:
        for outcome in waiting.result():
            tally.count(outcome.status)


def _documents(
    path: Path, form: str, by: ColumnMap | None, report: RejectReport, tally: Tally, progress: Progress | None
) -> Iterator[Document]:
    """The documents of one file; its rejects go to the report, where it breaks off becomes the last of them."""
    tell = progress or (lambda *_: None)
    number = 0
    try:
        for item in read_file(path, form, by):
            number += 1
            tally.read += 1
            if number % 100 == 0:
                tell(path.name, number, 0)
            if isinstance(item, Reading):
                for name in item.doubts:
                    tally.doubtful[name] = tally.doubtful.get(name, 0) + 1
                yield item.document
            else:
                _reject(path, item, report, tally)
    except UnreadableFile as error:
        if not number:
            raise
        _reject(path, Reject("end", "file", "", f"{error}; {number} rows before it were read"), report, tally)
    tell(path.name, number, number)


def _reject(path: Path, reject: Reject, report: RejectReport, tally: Tally) -> None:
    tally.rejected += 1
    report.add(path.name, reject)
