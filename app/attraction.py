"""How earlier searchers took each programme, learned from the log by `scholarsearch learn attraction`.

A file of its own beside the snapshot: ids and numbers, no query and nobody's name. It changes a ranking only under a
plan that heeds it (`Plan.attraction`).
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from evaluation.replay.attraction import heeded
from index.types import RankedList, ordered

FILE_NAME = "attraction.json"
log = logging.getLogger("scholarsearch")


@dataclass(frozen=True, slots=True)
class Attraction:
    """values: id of a record → its attraction, 0 where it is not named. The rest says what it was learned from.

    examination: the chance that each rank is looked at, from rank 1. until: the instant of the last search, ISO 8601.
    """

    values: Mapping[str, float]
    examination: tuple[float, ...]
    strength: float
    searches: int
    until: str

    @property
    def fingerprint(self) -> str:
        """Changes with every value."""
        return sha256(json.dumps(dict(self.values), sort_keys=True).encode()).hexdigest()[:16]


def heed(ranked: RankedList, ids: Sequence[str], attraction: Attraction, weight: float) -> RankedList:
    """`ranked` in the order of its scores with the attraction of each document heeded; ids: of all rows."""
    taken = np.array([attraction.values.get(ids[row], 0.0) for row in ranked.rows.tolist()])
    scores = heeded(ranked.scores.astype(np.float64), taken, weight)
    return ordered(ranked.rows, scores.astype(np.float32))


def write_attraction(attraction: Attraction, path: Path) -> None:
    """Nothing; the file is replaced whole, so a reader never sees half of it."""
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(asdict(attraction), ensure_ascii=False), encoding="utf-8")
    part.replace(path)


def read_attraction(path: Path) -> Attraction | None:
    """What was learned; None where nothing was, or, with a line in the log, where the file is none of ours."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        values = {str(key): float(value) for key, value in told["values"].items()}
        if not all(map(math.isfinite, values.values())):
            raise ValueError("a value is not finite")
        looked = tuple(float(value) for value in told["examination"])
        return Attraction(values, looked, float(told["strength"]), int(told["searches"]), str(told["until"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        log.warning("%s cannot be read, so clicks change no ranking: %s", path, fault)
        return None
