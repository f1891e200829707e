"""The first stage at sizes the shipped catalogue does not have: latency, recall, build time and memory of both legs."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np

from app.library import Library
from index.types import Mask, Rows
from models.cpu import available_cpus

from .collection import Collection, make_collection
from .contender import DEPTH, Contender, Question
from .dense_contenders import DENSE
from .lexical_contenders import LEXICAL
from .oracle import Bar, DenseOracle, LexicalOracle, Oracle, recall
from .specimen import Specimen, take_specimen
from .stopwatch import percentiles
from .trial import Answered, Prepared, answer, prepare

Progress = Callable[[str, int, int], None]

ALLOWED_SHARE = 0.01
_LIBRARIES = ("bm25s", "rank-bm25", "faiss-cpu", "numpy")
_SEED = 20261001


def bench_retrieval(
    library: Library, sizes: Sequence[int], queries: int, scratch: Path, progress: Progress
) -> dict[str, object]:
    """Both legs and their peers at each size, as plain JSON values. `scratch` is a folder for made-up collections."""
    rng = np.random.default_rng(_SEED)
    specimen = take_specimen(library, queries, rng)
    return {
        "what": "retrieval",
        "k": DEPTH,
        "queries": len(specimen.queries),
        "threads": 1,
        "allowed_share": ALLOWED_SHARE,
        "machine": {
            "processor": _processor(),
            "cores": available_cpus(),
            "python": platform.python_version(),
        },
        "libraries": {name: version(name) for name in _LIBRARIES},
        "source": {
            "documents": len(library.snapshot),
            "passages": len(specimen.vectors),
            "fingerprint": library.snapshot.fingerprint,
        },
        "sizes": [_at_size(size, specimen, scratch / str(size), rng, progress) for size in sizes],
    }


def _at_size(
    size: int, specimen: Specimen, folder: Path, rng: np.random.Generator, progress: Progress
) -> dict[str, object]:
    step = f"make {size:,} documents"
    collection = make_collection(folder, specimen, size, rng, lambda done: progress(step, done, size))
    mask = rng.random(size) < ALLOWED_SHARE
    lexical = LexicalOracle(collection, specimen.vocabulary, specimen.queries)
    dense = DenseOracle(collection, specimen.query_vectors)
    told: dict[str, object] = {
        "documents": size,
        "terms": len(collection.terms),
        "lexical": _contest(LEXICAL, collection, specimen, lexical, specimen.queries, mask, progress),
    }
    del lexical
    told["dense"] = _contest(DENSE, collection, specimen, dense, list(specimen.query_vectors), mask, progress)
    shutil.rmtree(folder, ignore_errors=True)
    return told


def _contest(
    contenders: Sequence[Contender],
    collection: Collection,
    specimen: Specimen,
    oracle: Oracle,
    questions: Sequence[Question],
    mask: Mask,
    progress: Progress,
) -> list[dict[str, object]]:
    step = f"{contenders[0].leg} legs at {collection.documents:,}"
    bars, filtered_bars = oracle.bars(None), oracle.bars(mask)
    told: list[dict[str, object]] = []
    for done, contender in enumerate(contenders):
        progress(f"{step}", done, len(contenders))
        if contender.limit is not None and collection.documents > contender.limit:
            told.append(
                {"name": contender.name, "ours": contender.ours, "left_out": f"above {contender.limit:,}"}
            )
            continue
        folder = collection.folder / contender.leg / contender.name.replace(" ", "-")
        made = prepare(contender, collection, specimen.vocabulary, folder)
        given = answer(contender, collection, specimen.vocabulary, folder, questions, mask)
        told.append(_told(contender, made, given, oracle, bars, filtered_bars))
        shutil.rmtree(
            folder, ignore_errors=True
        )  # one index at a time: at a million documents each takes gigabytes
    progress(step, len(contenders), len(contenders))
    return told


def _told(
    contender: Contender,
    made: Prepared | None,
    given: Answered,
    oracle: Oracle,
    bars: Sequence[Bar],
    filtered_bars: Sequence[Bar],
) -> dict[str, object]:
    return {
        "name": contender.name,
        "ours": contender.ours,
        "build_s": round(made.seconds if made else given.open_s, 3),
        "open_s": round(given.open_s, 3),
        "disk_bytes": made.disk_bytes if made else None,
        "build_peak_bytes": made.peak_bytes if made else None,
        "resident_bytes": given.resident_bytes,
        "queries": len(given.found),
        "latency_ms": percentiles(given.durations_ms),
        "recall@100": _mean_recall(oracle, bars, given.found),
        "filtered_latency_ms": percentiles(given.filtered_ms) if given.filtered_ms else None,
        "filtered_recall@100": _mean_recall(oracle, filtered_bars, given.filtered_found),
    }


def _mean_recall(oracle: Oracle, bars: Sequence[Bar], found: Sequence[Rows]) -> float | None:
    values = [recall(oracle, question, bars[question], rows) for question, rows in enumerate(found)]
    known = [value for value in values if value is not None]
    return round(float(np.mean(known)), 4) if known else None


def _processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The processor's own name."""
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
