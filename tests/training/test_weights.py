"""Weights of grades read off clicks: plain loops, files, and what they are for, by counting out every click."""

from __future__ import annotations

import gzip
import math
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from training.errors import ExampleError
from training.example import Candidate, Example, read_examples, write_examples
from training.losses import listwise, margin
from training.objective import Objective, RankedPairs, lists_of
from training.sampler import Draw
from training.settings import LossSettings

LIST = st.lists(
    st.tuples(st.floats(-5, 5, width=32), st.sampled_from([0.0, 1.0, 3.0]), st.floats(0.5, 9, width=32)),
    min_size=2,
    max_size=6,
)


@given(LIST)
def test_weighted_costs_are_those_of_a_plain_loop(candidates: list[tuple[float, float, float]]) -> None:
    logits, grades, weights = (torch.tensor([column]) for column in zip(*candidates, strict=True))
    mask = torch.ones_like(grades, dtype=torch.bool)
    if len({grade for _, grade, _ in candidates}) < 2:
        return
    gain = [weight * (2**grade - 1) for _, grade, weight in candidates]
    log_sum = math.log(math.fsum(math.exp(logit) for logit, _, _ in candidates))
    expected = math.fsum(
        one / sum(gain) * (math.log(one / sum(gain)) - (logit - log_sum))
        for one, (logit, _, _) in zip(gain, candidates, strict=True)
        if one > 0
    )
    assert float(listwise(logits, grades, mask, "exponential", weights)) == pytest.approx(expected, abs=1e-4)
    pairs = [
        weight * max(0.0, better - worse - (high - low))
        for high, better, weight in candidates
        for low, worse, _ in candidates
        if better > worse
    ]
    assert float(margin(logits, grades, mask, 1.0, weights)) == pytest.approx(
        math.fsum(pairs) / len(pairs), rel=1e-4, abs=1e-4
    )


def test_one_over_the_chance_of_a_look_gives_the_gradient_that_full_knowledge_would() -> None:
    """Every outcome of looking at three relevant hits, with its chance; a fourth hit is never clicked.

    The mean gradient of weighted clicks is that of grades known for all; that of plain clicks is not.
    """
    looks, scores = (1.0, 0.5, 0.2), [[0.3, -0.2, 0.9, 0.0]]
    mask = torch.ones((1, 4), dtype=torch.bool)

    def gradient(grades: list[float], weights: list[float], weight: float) -> torch.Tensor:
        logits = torch.tensor(scores, requires_grad=True)
        cost = listwise(logits, torch.tensor([grades]), mask, "linear", torch.tensor([weights])) * weight
        cost.sum().backward()
        assert logits.grad is not None
        return logits.grad[0]

    full = gradient([1.0, 1.0, 1.0, 0.0], [1.0] * 4, 3.0)
    weighted, naive = torch.zeros(4), torch.zeros(4)
    for clicks in product((0.0, 1.0), repeat=3):
        if not any(clicks):
            continue
        chance = math.prod(look if click else 1 - look for look, click in zip(looks, clicks, strict=True))
        weights = [1 / look for look in looks]
        total = sum(click * weight for click, weight in zip(clicks, weights, strict=True))
        weighted += chance * gradient([*clicks, 0.0], [*weights, 1.0], total)
        naive += chance * gradient([*clicks, 0.0], [1.0] * 4, sum(clicks))
    torch.testing.assert_close(weighted, full, atol=1e-5, rtol=1e-4)
    assert (naive - full).abs().max() > 0.3


def ranked(grades: list[float], **weights: object) -> RankedPairs:
    size = len(grades)
    return RankedPairs(
        [], torch.zeros(size, 1), torch.tensor(grades), torch.full((size,), math.nan), **weights
    )  # type: ignore[arg-type]


def test_an_objective_without_weights_costs_to_the_last_bit_what_weights_of_one_cost() -> None:
    objective = Objective(LossSettings(margin=0.3))
    logits = [torch.randn(3, generator=torch.Generator().manual_seed(at)) for at in range(2)]
    plain = objective.costs(logits, [RankedPairs([()] * 3, *_parts(r)) for r in _two()])
    ones = objective.costs(logits, [RankedPairs([()] * 3, *_parts(r), torch.ones(3), 1.0) for r in _two()])
    assert {name: cost.item() for name, cost in plain.items()} == {n: c.item() for n, c in ones.items()}
    double = objective.costs(logits, [RankedPairs([()] * 3, *_parts(r), None, 2.0) for r in _two()])
    assert double["listwise"].item() == pytest.approx(2 * plain["listwise"].item())


def _two() -> list[RankedPairs]:
    return [ranked([0.0, 1.0, 3.0]), ranked([2.0, 0.0, 0.0])]


def _parts(one: RankedPairs) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return one.timings, one.grades, one.teacher


CANDIDATES = (Candidate("t", (0.5,), 2.0, "d", None, (), 4.0), Candidate("u", (0.0,), 0.0, "e"))
EXAMPLE = Example("q", CANDIDATES, "clicks", "en", "", "g", 1.5)


def test_weights_survive_the_file_and_where_there_are_none_the_file_is_the_old_one(tmp_path: Path) -> None:
    write_examples(tmp_path / "w.gz", [EXAMPLE])
    assert list(read_examples(tmp_path / "w.gz")) == [EXAMPLE]
    plain = replace(EXAMPLE, weight=1.0, candidates=tuple(replace(c, weight=1.0) for c in EXAMPLE.candidates))
    write_examples(tmp_path / "p.gz", [plain])
    told = gzip.decompress((tmp_path / "p.gz").read_bytes())
    assert b"weight" not in told
    assert b'["d",2.0,"t",[0.5],null,[]]' in told


@pytest.mark.parametrize("weight", [-1, "Infinity"])
def test_a_weight_that_is_none_is_refused(tmp_path: Path, weight: object) -> None:
    facts = '"query":"q","task":"t","language":"en","as_of":"","group":"g"'
    line = f'{{{facts},"candidates":[["d",1,"t",[],null,[],{weight}]]}}\n'
    with gzip.open(tmp_path / "x.gz", "wt") as file:
        file.write(line)
    with pytest.raises(ExampleError, match=r"x\.gz:1"):
        list(read_examples(tmp_path / "x.gz"))


class Words:
    """Stands for a student: a pair is its words."""

    def pairs(self, query: str, texts: list[str]) -> list[tuple[str, str]]:
        return [(query, text) for text in texts]


def test_lists_keep_the_weights_of_the_candidates_that_were_drawn() -> None:
    candidates = tuple(Candidate(f"t{at}", (0.0,), float(at), f"d{at}", weight=1.0 + at) for at in range(4))
    weighed = Example("q", candidates, "clicks", "en", "", "g", 2.5)
    plain = replace(weighed, weight=1.0, candidates=tuple(replace(c, weight=1.0) for c in candidates))
    first, second = lists_of([Draw(0, (3, 1)), Draw(1, (0, 2))], [weighed, plain], Words(), {})  # type: ignore[arg-type]
    assert first.weights is not None
    assert first.weights.tolist() == [4.0, 2.0]
    assert first.weight == 2.5
    assert (second.weights, second.weight) == (None, 1.0)
    costs = Objective(LossSettings(margin=0.0)).costs([torch.zeros(2), torch.zeros(2)], [first, second])
    # Shares of gain 28 : 2 and 0 : 3 against one half each, the first list counting 2.5 times.
    shares = [28 / 30, 2 / 30]
    expected = 2.5 * sum(share * math.log(2 * share) for share in shares) + math.log(2)
    assert float(costs["listwise"]) == pytest.approx(expected, rel=1e-5)
