"""The self-test of the rungs: what each really does on this machine, and whether that earns it a place on the ladder.

Every rung scores the same probe lists. One that gives no number, ranks otherwise than the reference or is no faster
than a more exact rung is left out, and the verdict says why. Which rung is the fast one is never taken on trust.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.agreement import overlap
from models.rung import RUNGS, Rung

Why = Literal["untested", "reference", "passed", "missing", "failed", "not-finite", "disagrees", "slower"]


@dataclass(frozen=True, slots=True)
class ProbeList:
    """One query and its candidates. timings: (n, F) float32. grades: (n,) 0 to 3, None = nobody judged them."""

    query: str
    texts: tuple[str, ...]
    timings: NDArray[np.float32]
    grades: tuple[int, ...] | None = None


Score = Callable[[ProbeList], NDArray[np.float32]]
"""(n,) logits of one list."""


@dataclass(frozen=True, slots=True)
class Bar:
    """What is asked of a rung: the top-5 agreement, and how many times as fast as the next more exact one it is."""

    agreement: float = 0.9
    gain: float = 1.05


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the test found of one rung.

    agreement: mean overlap of the top 5 with the reference. order: mean rank correlation (Spearman) with it.
    ms_per_pair: the best of the rounds. gain: how many times as fast as the reference. detail: for people.
    """

    rung: Rung
    on_ladder: bool
    why: Why
    detail: str
    agreement: float | None = None
    order: float | None = None
    ms_per_pair: float | None = None
    gain: float | None = None


@dataclass(slots=True)
class _Trial:
    logits: list[NDArray[np.float32]]
    seconds: float = float("inf")
    fault: str | None = None


def self_test(
    engines: Mapping[Rung, Score],
    missing: Mapping[Rung, str],
    lists: Sequence[ProbeList],
    clock: Callable[[], float],
    rounds: int = 2,
    bar: Bar = Bar(),
) -> tuple[Verdict, ...]:
    """One verdict a rung, the most exact first.

    engines: in any order; the most exact one is the reference. missing: rungs that could not be opened, and why.
    clock: seconds. Rounds are interleaved, so that a busy moment of the machine meets every rung. Raises ValueError
    without an engine or a list.
    """
    if not engines or not lists:
        raise ValueError("a self-test needs an engine and something to score")
    order = [rung for rung in RUNGS if rung in engines]
    trials = {rung: _Trial([]) for rung in order}
    # With nothing to hold it against, once is enough to see that it works.
    for _ in range(rounds if len(order) > 1 else 1):
        for rung in order:
            if trials[rung].fault is None:
                _try(engines[rung], lists, trials[rung], clock)
    pairs = sum(len(one.texts) for one in lists)
    verdicts: dict[Rung, Verdict] = {}
    for rung in order:
        verdicts[rung] = _judged(rung, trials, verdicts, pairs, bar)
    for rung, why in missing.items():
        verdicts.setdefault(rung, Verdict(rung, False, "missing", why))
    return tuple(verdicts[rung] for rung in RUNGS if rung in verdicts)


def on_ladder(verdicts: Sequence[Verdict]) -> tuple[Rung, ...]:
    """The rungs that passed, the most exact first; at least the reference, where it works."""
    return tuple(verdict.rung for verdict in verdicts if verdict.on_ladder)


def _try(score: Score, lists: Sequence[ProbeList], trial: _Trial, clock: Callable[[], float]) -> None:
    began = clock()
    try:
        trial.logits = [np.asarray(score(one), np.float32) for one in lists]
    except Exception as error:  # a kernel for another processor can fail in any way
        trial.fault = f"{type(error).__name__}: {error}"
        return
    trial.seconds = min(trial.seconds, clock() - began)


def _judged(
    rung: Rung, trials: Mapping[Rung, _Trial], known: Mapping[Rung, Verdict], pairs: int, bar: Bar
) -> Verdict:
    trial, reference = trials[rung], next(iter(trials))
    if trial.fault is not None:
        return Verdict(rung, False, "failed", trial.fault)
    ms = trial.seconds * 1e3 / pairs
    if not all(np.isfinite(logits).all() for logits in trial.logits):
        return Verdict(rung, False, "not-finite", "a score is not a number", ms_per_pair=ms)
    if rung == reference:
        return Verdict(rung, True, "reference", "what the others are held against", 1.0, 1.0, ms, 1.0)
    base = trials[reference]
    if not known[reference].on_ladder:
        return Verdict(rung, False, "failed", f"the reference, {reference}, does not work", ms_per_pair=ms)
    shares = [overlap(a, b) for a, b in zip(base.logits, trial.logits, strict=True)]
    share = float(np.mean([one for one in shares if one is not None] or [1.0]))
    order = float(np.mean([spearman(a, b) for a, b in zip(base.logits, trial.logits, strict=True)]))
    gain = base.seconds / trial.seconds if trial.seconds else float("inf")
    found = (share, order, ms, gain)
    if share < bar.agreement:
        return Verdict(
            rung,
            False,
            "disagrees",
            f"{share:.2f} of its top 5 are the reference's, {bar.agreement:g} are asked",
            *found,
        )
    above = [verdict for verdict in known.values() if verdict.on_ladder and verdict.ms_per_pair is not None]
    for verdict in above:
        if ms * bar.gain > (verdict.ms_per_pair or 0.0):
            words = f"{ms:.2f} ms a pair, no faster than {verdict.rung} with {verdict.ms_per_pair:.2f}"
            return Verdict(rung, False, "slower", words, *found)
    return Verdict(rung, True, "passed", f"{gain:.2f} times as fast as the reference", *found)


def spearman(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    """Rank correlation in [-1, 1], ties at their mean rank; 1 when either has no order at all."""
    ranks = [_ranks(values) for values in (a, b)]
    spread = [float(values.std()) for values in ranks]
    if min(spread) == 0.0:
        return 1.0
    centred = [values - values.mean() for values in ranks]
    return float((centred[0] * centred[1]).mean() / (spread[0] * spread[1]))


def _ranks(values: NDArray[np.float32]) -> NDArray[np.float64]:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: NDArray[np.float64] = (ends - (counts - 1) / 2.0)[inverse]
    return ranks
