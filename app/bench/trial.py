"""A contender tried in a process of its own, so that its memory is its own and is given back afterwards."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np

from index.types import Mask, Rows

from .collection import Collection
from .contender import Ask, Contender, Question
from .stopwatch import folder_bytes, peak_bytes, resident_bytes, timed_ms

P = ParamSpec("P")
T = TypeVar("T")

_WARM_UP = 3
_AT_LEAST = 20
# A slow contender answers fewer questions rather than holding up the others.
_BUDGET_S = 60.0
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class Prepared:
    """Making an index: seconds, bytes on disk, and the most memory the process ever held."""

    seconds: float
    disk_bytes: int
    peak_bytes: int | None


@dataclass(frozen=True, slots=True)
class Answered:
    """Opening and asking: what it took, and the rows each question found. resident_bytes is what opening added."""

    open_s: float
    resident_bytes: int | None
    durations_ms: list[float]
    found: list[Rows]
    filtered_ms: list[float]
    filtered_found: list[Rows]


def prepare(
    contender: Contender, collection: Collection, vocabulary: list[str], folder: Path
) -> Prepared | None:
    """The index of a contender in `folder`, made with every core; None for one that cannot be kept on disk."""
    if contender.prepare is None:
        return None
    return _elsewhere(_prepare, contender.leg, contender.name, collection, vocabulary, folder)


def answer(
    contender: Contender,
    collection: Collection,
    vocabulary: list[str],
    folder: Path,
    questions: Sequence[Question],
    mask: Mask,
) -> Answered:
    """The answers of a contender, on one thread: first without a filter, then within `mask` if it can."""
    arguments = (contender.leg, contender.name, collection, vocabulary, folder, questions, mask)
    with _one_thread():
        return _elsewhere(_answer, *arguments)


def _elsewhere(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(work, *arguments, **named).result()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Processes started in the block compute on one thread, as a service does that answers several people at once."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _named(leg: str, name: str) -> Contender:
    from .dense_contenders import DENSE
    from .lexical_contenders import LEXICAL

    return next(one for one in (*LEXICAL, *DENSE) if (one.leg, one.name) == (leg, name))


def _prepare(leg: str, name: str, collection: Collection, vocabulary: list[str], folder: Path) -> Prepared:
    contender = _named(leg, name)
    if contender.prepare is None:
        raise ValueError(f"{name} has no index to prepare")
    started = time.perf_counter()
    contender.prepare(collection, vocabulary, folder)
    seconds = time.perf_counter() - started
    return Prepared(seconds, folder_bytes(folder), peak_bytes())


def _answer(
    leg: str,
    name: str,
    collection: Collection,
    vocabulary: list[str],
    folder: Path,
    questions: Sequence[Question],
    mask: Mask,
) -> Answered:
    contender = _named(leg, name)
    gc.collect()
    before, started = resident_bytes(), time.perf_counter()
    ask = contender.open(collection, vocabulary, folder)
    open_s = time.perf_counter() - started
    for question in questions[:_WARM_UP]:
        ask(question, None)
    gc.collect()
    after = resident_bytes()
    added = None if before is None or after is None else after - before
    # The service always says which rows are allowed, also when all are.
    everything = np.ones(collection.documents, bool) if contender.ours else None
    durations_ms, found = _asked(ask, questions, everything)
    filtered_ms, filtered = _asked(ask, questions, mask) if contender.filters else ([], [])
    return Answered(open_s, added, durations_ms, found, filtered_ms, filtered)


def _asked(ask: Ask, questions: Sequence[Question], mask: Mask | None) -> tuple[list[float], list[Rows]]:
    durations_ms: list[float] = []
    found: list[Rows] = []
    ends = time.perf_counter() + _BUDGET_S
    for question in questions:
        if len(found) >= _AT_LEAST and time.perf_counter() > ends:
            break
        durations_ms.append(timed_ms(lambda: found.append(ask(question, mask)), time.perf_counter))  # noqa: B023
    return durations_ms, found
