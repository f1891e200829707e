"""What ingest makes of a folder of data: rows, rejects, hand-checked facts, rate and memory."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.ingestion import Tally, ingest_files
from app.settings import Settings
from app.store import open_store
from index.ingest.problem import UnreadableFile
from index.ingest.rejects import RejectReport
from index.ingest.tally import Tally as FactTally
from index.ingest.tally import read_facts, tally_file

FOLDERS = ("normalised", "raw_samples")
SHEET = "expected_facts.jsonl"
_SUFFIXES = frozenset({".jsonl", ".json", ".csv", ".xlsx", ".xls", ".gz", ".tsv"})

Progress = Callable[[str, int, int], None]


def bench_intake(data: Path, progress: Progress = lambda step, done, total: None) -> dict[str, Any]:
    """Figures of every file under `data`, in a store of their own that is thrown away.

    data: a folder that holds `normalised/` and `raw_samples/`, and `expected_facts.jsonl` with facts of the latter;
    a folder with none of them is read itself. Raises UnreadableFile when there is nothing to read.
    """
    folders = [data / name for name in FOLDERS if (data / name).is_dir()] or [data]
    files = [file for folder in folders for file in sorted(folder.iterdir()) if file.suffix in _SUFFIXES]
    files = [file for file in files if file.name != SHEET]
    if not files:
        raise UnreadableFile(f"{data}: holds no files to ingest")
    with tempfile.TemporaryDirectory() as home:
        figures = _ingested(files, Path(home), progress)
    facts = data / SHEET
    return {
        **figures,
        "peak_bytes": _peak_bytes(),
        "facts": _facts(facts, folders[-1], progress) if facts.is_file() else None,
    }


def _ingested(files: Sequence[Path], home: Path, progress: Progress) -> dict[str, Any]:
    now = datetime.now(UTC)
    rows: dict[str, dict[str, Any]] = {}
    total_bytes, total, seconds, cpu_s = 0, 0, 0.0, 0.0
    store = open_store(Settings(home=home, store_url=None))
    try:
        for at, file in enumerate(files, start=1):
            began, worked = time.perf_counter(), time.process_time()
            with RejectReport(home / f"{file.name}.rejects.jsonl") as report:
                told = ingest_files([file], store, report, now)
            spent, work = time.perf_counter() - began, time.process_time() - worked
            seconds, cpu_s = seconds + spent, cpu_s + work
            total, total_bytes = total + told.read, total_bytes + file.stat().st_size
            rows[f"{file.parent.name}/{file.name}"] = _row(told, spent, report.path)
            progress("files", at, len(files))
    finally:
        store.close()
    return {
        "files": rows,
        "read": total,
        "rejected": sum(row["rejected"] for row in rows.values()),
        "bytes": total_bytes,
        "seconds": round(seconds, 2),
        "records_per_s": round(total / seconds, 1),
        "records_per_cpu_s": round(total / cpu_s, 1),
    }


def _row(told: Tally, seconds: float, report: Path) -> dict[str, Any]:
    return {
        "read": told.read,
        "created": told.created,
        "unchanged": told.unchanged,
        "rejected": told.rejected,
        "doubtful": told.doubtful,
        "records_per_s": round(told.read / seconds, 1),
        "explained": len(report.read_bytes().splitlines()) if report.exists() else 0,
    }


def _facts(sheet: Path, folder: Path, progress: Progress) -> dict[str, Any]:
    told = FactTally()
    facts = read_facts(sheet)
    for at, (name, some) in enumerate(facts.items(), start=1):
        told.add(tally_file(folder / name, some))
        progress("facts", at, len(facts))
    return {
        "kinds": {kind: [told.passed[kind], count] for kind, count in sorted(told.checked.items())},
        "wrong": told.wrong,
    }


def _peak_bytes() -> int:
    """The most memory this process has held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
