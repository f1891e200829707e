"""A service that learns from the clicks on its own pages, round after round.

Every round, users search and see the first ten of the present ranking, neighbours swapped now and then; what they did
is added to the log; the ranker learns from the whole log anew. Rankers differ in what they make of it:

    none       learns nothing; the first stage stays
    naive      takes clicks as they come
    debiased   weighs them by how often their rank is looked at, as harvested from the swaps in the same log
    knowing    is told the true grades of every query asked; what `pairs` could reach

and in how they use it: `pairs` learns weights of features with the trainer's own listwise cost, `attraction` adds how
earlier searchers took each document to the first stage's score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch

from evaluation.metrics import judge
from evaluation.replay.attraction import attractions, heeded
from evaluation.replay.position import Shows, harvested
from evaluation.replay.users import Behaviour, Users
from training.feedback.world import CANDIDATES, Codes, Values, World
from training.implicit import click_grades, click_weights
from training.losses import listwise

Kind = Literal["none", "naive", "debiased", "knowing"]
Use = Literal["pairs", "attraction"]

SHOWN = 10
_SWAP_CHANCE = 0.2
_ATTRACTION_WEIGHT = 0.3
_RIDGE = 1e-3


@dataclass(frozen=True, slots=True)
class Log:
    """n searches of ten hits. queries: (n,). shown: (n, 10) columns of the query's candidates, best rank first."""

    queries: Codes
    shown: Codes
    behaviour: Behaviour

    def with_more(self, other: Log) -> Log:
        """This log and the other behind it."""
        join = np.concatenate
        own, new = self.behaviour, other.behaviour
        return Log(
            join([self.queries, other.queries]),
            join([self.shown, other.shown]),
            Behaviour(
                join([own.clicked, new.clicked]),
                join([own.dwell_ms, new.dwell_ms]),
                join([own.applied, new.applied]),
            ),
        )


@dataclass(frozen=True, slots=True)
class Round:
    """ndcg: nDCG@10 on queries nobody asked. inertia: see `inertia`. steepness: of the bias as estimated, or NaN."""

    ndcg: float
    inertia: float
    steepness: float


def rounds(
    world: World, users: Users, kind: Kind, use: Use, count: int, searches: int, seed: int
) -> list[Round]:
    """What each round begins with, the first stage's own ranking first: `count` + 1 of them."""
    rng = np.random.default_rng(seed)
    scores, told = world.first, [Round(ndcg(world, world.first), 1.0, float("nan"))]
    log: Log | None = None
    for _ in range(count):
        fresh = _searched(world, users, scores, searches, rng)
        log = fresh if log is None else log.with_more(fresh)
        looked = _examination(log, kind)
        scores = _TEACH[use](world, log, kind, looked)
        told.append(Round(ndcg(world, scores), inertia(world, scores), _steepness(looked)))
    return told


def ndcg(world: World, scores: Values) -> float:
    """The mean nDCG@10 over the held queries, with the grades as linear gains."""
    qrels = {str(q): {f"{d:02}": int(world.grades[q, d]) for d in range(CANDIDATES)} for q in world.held}
    run = {str(q): [(f"{d:02}", float(scores[q, d])) for d in range(CANDIDATES)] for q in world.held}
    return judge(qrels, run, 2).mean("ndcg@10")


def inertia(world: World, scores: Values) -> float:
    """Of held candidates of equal grade, how often the first stage's order of two is still theirs: 0.5 = forgotten.

    What a ranker that merely repeats where things once stood keeps high, whatever its nDCG.
    """
    kept = pairs = 0.0
    for query in world.held:
        alike = world.grades[query][:, None] == world.grades[query]
        before = world.first[query][:, None] > world.first[query]
        after = scores[query][:, None] > scores[query]
        kept += float((alike & before & after).sum())
        pairs += float((alike & before).sum())
    return kept / pairs


def _searched(world: World, users: Users, scores: Values, searches: int, rng: np.random.Generator) -> Log:
    queries = rng.choice(world.taught, searches)
    shown = np.argsort(-scores[queries], axis=1, kind="stable")[:, :SHOWN]
    # As `app.exploration` swaps: one pairing of neighbours a page, each pair with the same chance.
    start = rng.integers(0, 2, searches)
    for at in range(SHOWN - 1):
        swap = (start == at % 2) & (rng.random(searches) < _SWAP_CHANCE)
        shown[swap, at : at + 2] = shown[swap, at : at + 2][:, ::-1]
    return Log(queries, shown, users.browse(world.grades[queries[:, None], shown], rng))


def _examination(log: Log, kind: Kind) -> Values:
    """(10,) how often each rank is looked at, as this ranker believes."""
    if kind != "debiased":
        return np.ones(SHOWN)
    pairs = (log.queries[:, None] * CANDIDATES + log.shown).ravel()
    ranks = np.tile(np.arange(1, SHOWN + 1), len(log.queries))
    shows = Shows(pairs, ranks, log.behaviour.clicked.ravel(), np.ones(len(ranks)))
    return harvested(shows, SHOWN)


def _steepness(looked: Values) -> float:
    """The exponent of rank^-x that fits the belief best; NaN where there is none."""
    if (looked == 1).all():
        return float("nan")
    # A rank without a click is believed never to be looked at; its logarithm has to stop somewhere.
    seen = np.log(np.maximum(looked, 1e-3))
    return -float(np.polyfit(np.log(np.arange(1, SHOWN + 1)), seen, 1)[0])


def _pairs(world: World, log: Log, kind: Kind, looked: Values) -> Values:
    """(Q, D) scores by weights of the features that the listwise cost of the log's clicks asks for."""
    if kind == "none":
        return world.first
    if kind == "knowing":
        features, grades = world.features[world.taught], world.grades[world.taught].astype(np.float64)
        return world.features @ _least_cost(features, grades, np.ones_like(grades))
    done = log.behaviour
    grades = click_grades(done.clicked, done.dwell_ms, done.applied)
    teaches = grades.max(axis=1) > 0
    features = world.features[log.queries[:, None], log.shown][teaches]
    weights = np.broadcast_to(click_weights(np.arange(1, SHOWN + 1), looked), grades.shape)[teaches]
    return world.features @ _least_cost(features, grades[teaches], weights)


def _least_cost(features: Values, grades: Values, weights: Values) -> Values:
    """(F,) the weights of least listwise cost plus a ridge, each list counting as much as its weighed gains."""
    inputs, graded = torch.from_numpy(features).float(), torch.from_numpy(grades).float()
    weighed = torch.from_numpy(np.ascontiguousarray(weights)).float()
    mask = torch.ones_like(graded, dtype=torch.bool)
    gains = (weighed * (torch.exp2(graded) - 1)).sum(dim=1)
    counts = gains / gains.mean()
    found = torch.zeros(features.shape[2], requires_grad=True)
    search = torch.optim.LBFGS([found], max_iter=40, line_search_fn="strong_wolfe")

    def cost() -> float:
        search.zero_grad()
        value = (listwise(inputs @ found, graded, mask, "exponential", weighed) * counts).mean()
        value = value + _RIDGE * (found @ found)
        value.backward()  # type: ignore[no-untyped-call]
        return float(value.detach())

    search.step(cost)  # type: ignore[no-untyped-call]
    return found.detach().double().numpy()


def _attraction(world: World, log: Log, kind: Kind, looked: Values) -> Values:
    """(Q, D) the first stage's scores, and how each document was taken."""
    if kind == "none":
        return world.first
    documents = world.documents[log.queries[:, None], log.shown].ravel()
    ranks = np.tile(np.arange(1, SHOWN + 1), len(log.queries))
    done = log.behaviour
    taken = (click_grades(done.clicked, done.dwell_ms, done.applied) >= 2).ravel()
    found = attractions(documents, ranks, taken, looked, world.document_count)
    # Scores of the service begin at 0, where the worst candidate of a query stands.
    standing = world.first - world.first.min(axis=1, keepdims=True)
    return heeded(standing, found[world.documents], _ATTRACTION_WEIGHT)


_TEACH: Mapping[Use, Callable[[World, Log, Kind, Values], Values]] = {
    "pairs": _pairs,
    "attraction": _attraction,
}
