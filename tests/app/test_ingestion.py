from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.ingestion import BATCH, ingest_files
from app.settings import Settings
from app.store import open_store
from app.store.errors import StoreFull
from app.store.rehearsal import Rehearsal
from index.document import Document
from index.ingest.problem import UnreadableFile
from index.ingest.rejects import RejectReport

AT = datetime(2026, 10, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Said:
    status: str


class Memory:
    """A store that is a dictionary, and the sizes of the batches it was given."""

    def __init__(self) -> None:
        self.held: dict[str, Document] = {}
        self.batches: list[int] = []

    def upsert(self, documents: Iterable[Document], source: str | None, at: datetime) -> list[Said]:
        batch = list(documents)
        self.batches.append(len(batch))
        said = []
        for document in batch:
            before = self.held.get(document.doc_id)
            said.append(
                Said("created" if before is None else "unchanged" if before == document else "updated")
            )
            self.held[document.doc_id] = document
        return said


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "awards.csv"
    path.write_text("code,title,deadline\n1,Award one,2026-11-01\n2,,2026-11-02\n3,Award three,End July\n")
    return path


@pytest.fixture
def report(tmp_path: Path) -> RejectReport:
    return RejectReport(tmp_path / "rejects.jsonl")


def test_good_rows_are_kept_and_bad_ones_explained(table: Path, report: RejectReport) -> None:
    store = Memory()
    with report:
        tally = ingest_files([table], store, report, AT)
    assert (tally.read, tally.created, tally.updated, tally.unchanged, tally.rejected) == (3, 2, 0, 0, 1)
    (line,) = report.path.read_text().splitlines()
    reject = json.loads(line)
    assert (reject["file"], reject["row"], reject["field"], reject["value"]) == (
        "awards.csv",
        "2",
        "title",
        "",
    )
    assert set(store.held) == {"awards:1", "awards:3"}


def test_a_second_time_changes_nothing_and_a_moved_deadline_only_itself(
    table: Path, report: RejectReport
) -> None:
    store = Memory()
    with report:
        ingest_files([table], store, report, AT)
        again = ingest_files([table], store, report, AT)
        table.write_text(table.read_text().replace("2026-11-01", "2026-12-01"))
        moved = ingest_files([table], store, report, AT)
    assert (again.created, again.updated, again.unchanged) == (0, 0, 2)
    assert (moved.created, moved.updated, moved.unchanged) == (0, 1, 1)


def test_a_dry_run_stores_nothing(table: Path, report: RejectReport) -> None:
    with report:
        tally = ingest_files([table], Rehearsal(None), report, AT)
    assert (tally.created, tally.rejected) == (2, 1)


def test_a_dry_run_says_what_a_store_would_do(tmp_path: Path, report: RejectReport) -> None:
    path = tmp_path / "feed.jsonl"
    lines = [f'{{"id": "award-{at}", "title": "Award {at}", "deadline": "2026-11-01"}}\n' for at in range(5)]
    path.write_text("".join(lines[:4]))
    store = open_store(Settings(home=tmp_path / "home"))
    try:
        with report:
            ingest_files([path], store, report, AT)
            store.delete("award-3", AT)
            path.write_text("".join([lines[0], lines[1].replace("11-01", "12-01"), *lines[2:]]))
            before = store.sequence()
            rehearsed = ingest_files([path, path], Rehearsal(store), report, AT)
            assert store.sequence() == before
            played = ingest_files([path, path], store, report, AT)
    finally:
        store.close()
    assert rehearsed == played
    assert (played.created, played.updated, played.unchanged) == (2, 1, 7)


def test_no_reject_no_report(tmp_path: Path, report: RejectReport) -> None:
    path = tmp_path / "feed.jsonl"
    path.write_text('{"id": "award-1", "title": "Award one", "deadline": "2026-11-01"}\n')
    report.path.write_text("of an earlier run")
    with report:
        ingest_files([path], Memory(), report, AT)
    assert not report.path.exists()


def test_a_failing_store_ends_the_reading(table: Path, report: RejectReport) -> None:
    class Full(Memory):
        def upsert(self, documents: Iterable[Document], source: str | None, at: datetime) -> list[Said]:
            raise StoreFull("no room left")

    with report, pytest.raises(StoreFull):
        ingest_files([table], Full(), report, AT)


def test_a_large_file_goes_in_batches(tmp_path: Path, report: RejectReport) -> None:
    path = tmp_path / "feed.jsonl"
    path.write_text(
        "".join(
            f'{{"id": "{at}", "title": "Award {at}", "deadline": "2026-11-01"}}\n'
            for at in range(2 * BATCH + 1)
        )
    )
    store, told = Memory(), []
    with report:
        tally = ingest_files([path], store, report, AT, progress=lambda *step: told.append(step))
    assert store.batches == [BATCH, BATCH, 1]
    assert tally.created == 2 * BATCH + 1
    assert told[-1] == ("feed.jsonl", 2 * BATCH + 1, 2 * BATCH + 1)


def test_a_file_that_breaks_off_keeps_what_came_before(tmp_path: Path, report: RejectReport) -> None:
    path = tmp_path / "feed.json"
    path.write_text(
        '[{"title": "Award one", "deadline": "2026-11-01"}, {"title": "Award two", "deadline": "2026-11-01"}, {"ti'
    )
    store = Memory()
    with report:
        tally = ingest_files([path], store, report, AT)
    assert (tally.created, tally.rejected) == (2, 1)
    assert "breaks off" in json.loads(report.path.read_text())["reason"]


def test_a_file_of_nothing_that_can_be_read_is_an_error(tmp_path: Path, report: RejectReport) -> None:
    path = tmp_path / "feed.json"
    path.write_text('{"ti')
    with report, pytest.raises(UnreadableFile):
        ingest_files([path], Memory(), report, AT)
