"""Many worlds, two kinds of users, every ranker: what learning from clicks brings, and what its bias costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.replay.users import Cascade, PositionBased, Users
from evaluation.significance import intervals
from training.feedback.rounds import Kind, Use, rounds
from training.feedback.world import Values, make_world

Progress = Callable[[str, int, int], None]

USERS: Mapping[str, Users] = {"position-based": PositionBased(), "cascade": Cascade()}
RANKERS: Mapping[Use, tuple[Kind, ...]] = {
    "pairs": ("none", "naive", "debiased", "knowing"),
    # What it is to know every grade is not defined for a sum over documents.
    "attraction": ("none", "naive", "debiased"),
}
COMPARED: tuple[tuple[Kind, Kind], ...] = (("debiased", "none"), ("debiased", "naive"))


@dataclass(frozen=True, slots=True)
class Course:
    """What became of one ranker: (W, R + 1) of W worlds before the first and after each of R rounds.

    steepness: of the position bias as estimated after the last round, mean over worlds; NaN where none was.
    """

    users: str
    use: Use
    kind: Kind
    ndcg: Values
    inertia: Values
    steepness: float


@dataclass(frozen=True, slots=True)
class Gain:
    """How much higher the nDCG@10 of one ranker ends than another's, over the same worlds, with its 95 % interval."""

    users: str
    use: Use
    of: Kind
    over: Kind
    mean: float
    low: float
    high: float


def courses(worlds: int, count: int, searches: int, seed: int, progress: Progress) -> Iterator[Course]:
    """The course of every ranker under all users: `count` rounds of `searches` in each of `worlds` worlds."""
    plans = [(users, use, kind) for users in USERS for use in RANKERS for kind in RANKERS[use]]
    for done, (name, use, kind) in enumerate(plans, start=1):
        # The same worlds and the same first searches for all, so that they can be compared pair by pair.
        told = [
            rounds(
                make_world(np.random.default_rng((seed, at))),
                USERS[name],
                kind,
                use,
                count,
                searches,
                seed + at,
            )
            for at in range(worlds)
        ]
        progress("learning from clicks", done, len(plans))
        yield Course(
            users=name,
            use=use,
            kind=kind,
            ndcg=np.array([[one.ndcg for one in course] for course in told]),
            inertia=np.array([[one.inertia for one in course] for course in told]),
            steepness=float(np.mean([course[-1].steepness for course in told])),
        )


def gains(found: list[Course], seed: int) -> list[Gain]:
    """The differences that are told, of the last round."""
    by_key = {(course.users, course.use, course.kind): course for course in found}
    told = []
    for users in USERS:
        for use in RANKERS:
            for of, over in COMPARED:
                apart = by_key[users, use, of].ndcg[:, -1] - by_key[users, use, over].ndcg[:, -1]
                ((low, high),) = intervals(apart[None, :], np.random.default_rng(seed))
                told.append(Gain(users, use, of, over, float(apart.mean()), float(low), float(high)))
    return told


def figures(found: list[Course], told: list[Gain]) -> dict[str, Any]:
    """All of it as JSON has it; nDCG@10 and inertia as means over the worlds, by round."""
    return {
        "worlds": len(found[0].ndcg),
        "courses": [
            {
                "users": course.users,
                "use": course.use,
                "ranker": course.kind,
                "ndcg@10": [round(value, 5) for value in course.ndcg.mean(axis=0).tolist()],
                "inertia": [round(value, 5) for value in course.inertia.mean(axis=0).tolist()],
                "steepness": None if np.isnan(course.steepness) else round(course.steepness, 4),
            }
            for course in found
        ],
        "gains": [
            {
                "users": one.users,
                "use": one.use,
                "of": one.of,
                "over": one.over,
                "ndcg@10": round(one.mean, 5),
                "ci95": [round(one.low, 5), round(one.high, 5)],
            }
            for one in told
        ],
    }
