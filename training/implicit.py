"""Grades and weights read off what searchers did: a click, a click that was read, an application.

    3  applied for, or saved
    2  clicked and read for at least `READ_MS`
    1  clicked
    0  shown and left

A click says nothing of hits that were not looked at. So a grade at rank k stands for 1 / examination(k) grades, as
many as there would have been had everybody looked there; above `MOST_WEIGHT` the weight is cut, which trades some of
the bias back for less noise. An example counts as its weighed gains do beside those of the others, so that the sum over
examples is what full knowledge of the grades would give on average.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evaluation.replay.searches import READ_MS, LoggedSearch
from training.candidate import candidate_sides
from training.example import Candidate, Example
from training.first_stage import FirstStage, Retrieved

MOST_WEIGHT = 10.0
TASK = "clicks"
_DEPTH = 200
_BLOCK = 64

Values = NDArray[np.float64]


def click_grades(clicked: NDArray[np.bool_], dwell_ms: Values, applied: NDArray[np.bool_]) -> Values:
    """The grade of each hit, in the shape given; dwell_ms is NaN where it is not known."""
    read = clicked & (np.nan_to_num(dwell_ms) >= READ_MS)
    return np.where(applied, 3.0, np.where(read, 2.0, np.where(clicked, 1.0, 0.0)))


def click_weights(ranks: NDArray[np.int64], examination: Values, most: float = MOST_WEIGHT) -> Values:
    """For how many grades one at each of `ranks` (from 1) stands; ranks beyond the estimate count as its last."""
    looked = examination[np.minimum(ranks, len(examination)) - 1]
    return np.asarray(np.minimum(1.0 / np.maximum(looked, 1e-9), most))


def click_examples(
    searches: Sequence[LoggedSearch],
    first_stage: FirstStage,
    examination: Values,
    progress: Callable[[str, int, int], None],
    most: float = MOST_WEIGHT,
) -> Iterator[Example]:
    """An example of every search that may be learned from: consented words, and something clicked.

    Hits are read as the service would hand them to a reranker today; those that have left the catalogue, or that the
    first stage does not find any more, are left out. The weights of all examples average 1.
    """
    usable = [
        one for one in searches if (one.text or "").strip() and any(d.clicked for d in one.deeds.values())
    ]
    made = []
    for start in range(0, len(usable), _BLOCK):
        block = usable[start : start + _BLOCK]
        vectors = first_stage.encoded([one.text or "" for one in block], lambda *_: None)
        for one, vector in zip(block, vectors, strict=True):
            found = first_stage.retrieve(one.text or "", vector, _DEPTH)
            candidates = _candidates(one, first_stage, found, examination, most)
            if len({candidate.grade for candidate in candidates}) > 1:
                made.append(_example(one, candidates, found.language))
        progress("examples from clicks", min(start + _BLOCK, len(usable)), len(usable))
    average = float(np.mean([example.weight for example in made])) if made else 1.0
    for example in made:
        yield replace(example, weight=example.weight / average)


def _candidates(
    one: LoggedSearch, first_stage: FirstStage, found: Retrieved, examination: Values, most: float
) -> tuple[Candidate, ...]:
    corpus = first_stage.snapshot.corpus
    fused: Mapping[int, float] = dict(
        zip(found.ranked.rows.tolist(), found.ranked.scores.tolist(), strict=True)
    )
    hits = [(row, hit) for hit in one.hits if (row := corpus.row(hit.doc_id)) is not None and row in fused]
    sides = candidate_sides(first_stage, found, (row for row, _ in hits), one.text or "")
    candidates = []
    for (row, hit), side in zip(hits, sides, strict=True):
        deed = one.deed(hit.doc_id)
        stay = np.array(np.nan if deed.dwell_ms is None else deed.dwell_ms)
        grade = float(click_grades(np.array(deed.clicked), stay, np.array(deed.applied)))
        weight = float(click_weights(np.array([hit.rank]), examination, most)[0]) if grade else 1.0
        candidates.append(replace(side.on(one.at.date(), grade, fused[row]), weight=weight))
    return tuple(candidates)


def _example(one: LoggedSearch, candidates: tuple[Candidate, ...], language: str) -> Example:
    gains = sum(candidate.weight * (2.0**candidate.grade - 1.0) for candidate in candidates)
    return Example(
        query=one.text or "",
        candidates=candidates,
        task=TASK,
        language=language,
        as_of=one.at.date().isoformat(),
        group=f"{TASK}:{one.query}",
        weight=gains,
    )
