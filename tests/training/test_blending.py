from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.linear_model import LogisticRegression

from training.blending import _cost, _list, learn
from training.example import Candidate, Example
from training.validation import figures

NAMES = ("level", "place")


def examples(count: int = 60, seed: int = 3) -> tuple[list[Example], list[np.ndarray]]:
    """Lists whose grade follows the logit and the second feature; the first stage says nothing."""
    rng = np.random.default_rng(seed)
    made, logits = [], []
    for at in range(count):
        logit = rng.normal(size=8).astype(np.float32)
        fits = rng.integers(0, 2, size=(8, 2)).astype(float)
        worth = logit + 2.0 * fits[:, 1] + rng.normal(scale=0.2, size=8)
        grades = np.clip(np.round(worth), 0, 3)
        fused = rng.uniform(size=8)
        made.append(
            Example(
                f"q{at}",
                tuple(
                    Candidate("t", (), float(grade), f"d{i}", float(score), tuple(fit))
                    for i, (grade, score, fit) in enumerate(zip(grades, fused, fits.tolist(), strict=True))
                ),
                "award",
                "en",
                "",
                f"g{at}",
            )
        )
        logits.append(logit)
    return made, logits


def totals(made: list[Example], logits: list[np.ndarray], learned) -> list[np.ndarray]:
    weights = np.r_[learned.first, list(learned.fits.values()), learned.logit]
    return [_list(example, found).features @ weights for example, found in zip(made, logits, strict=True)]


def test_what_tells_the_grade_is_what_counts() -> None:
    made, logits = examples()
    learned = learn(made, logits, NAMES, "fit-x")
    assert learned.logit > 0.5
    assert learned.fits["place"] > 1.0
    assert abs(learned.fits["level"]) < 0.5 * learned.fits["place"]
    assert learned.first < 0.5 * learned.logit
    assert learned.record()["fit_fingerprint"] == "fit-x"
    # On other lists it ranks better than the logit alone.
    others, found = examples(seed=4)
    assert figures(others, totals(others, found, learned)).ndcg10 > figures(others, found).ndcg10 + 0.02


def test_the_gradient_is_the_slope_of_the_cost() -> None:
    made, logits = examples(count=5)
    lists = [_list(example, found) for example, found in zip(made, logits, strict=True)]
    at = np.array([0.3, -0.2, 0.7, 0.4])
    slope = approx_fprime(at, lambda weights: _cost(weights, lists, 0.01)[0], 1e-7)
    np.testing.assert_allclose(_cost(at, lists, 0.01)[1], slope, atol=1e-5)


def test_the_chance_agrees_with_a_logistic_regression() -> None:
    made, logits = examples()
    learned = learn(made, logits, NAMES, "fit-x")
    scores = np.concatenate(totals(made, logits, learned))[:, None]
    useful = np.concatenate([[c.grade >= 2 for c in example.candidates] for example in made])
    outside = LogisticRegression(C=np.inf, tol=1e-8).fit(scores, useful)
    assert learned.scale == pytest.approx(outside.coef_[0, 0], rel=0.02)
    assert learned.offset == pytest.approx(outside.intercept_[0], rel=0.02, abs=0.02)


def test_hardly_any_logit_exceeds_the_highest() -> None:
    made, logits = examples()
    learned = learn(made, logits, NAMES, "fit-x")
    every = np.concatenate(logits)
    assert (every > learned.highest_logit).mean() < 0.01
    assert learned.usual_logit < np.median(every)


def test_without_a_first_stage_there_is_nothing_to_learn() -> None:
    made, logits = examples(count=2)
    bare = [
        Example(
            e.query,
            tuple(Candidate("t", (), c.grade, c.doc_id) for c in e.candidates),
            e.task,
            e.language,
            "",
            "g",
        )
        for e in made
    ]
    with pytest.raises(ValueError, match="no example to learn"):
        learn(bare, logits, NAMES, "fit-x")
