"""Scoring for service: the same logits in every company, order and number of threads; failures shown, not hidden."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from models.backbones import load_backbone
from models.checkpoint import save_checkpoint
from models.crossencoder import CrossEncoder, CrossSettings
from models.errors import ModelDamaged
from models.pairs import PairTokenizer, collate
from models.reranking import CrossReranker, open_reranker

FEATURES = 4
QUERY = "doctoral grants by the sea"


def network() -> CrossEncoder:
    made = CrossEncoder(load_backbone("tiny"), CrossSettings(features=FEATURES)).eval()
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in made.parameters():
            if parameter.requires_grad:
                parameter += 0.2 * torch.randn(parameter.shape, generator=generator)
    return made


NETWORK = network()


def reranker(workers: int = 2, batch_tokens: int = 256) -> CrossReranker:
    return CrossReranker(
        "test", "test-1", NETWORK, PairTokenizer(NETWORK.backbone, 50), workers, batch_tokens
    )


def plain(query: str, documents: list[str], timings: np.ndarray, gated: bool = True) -> np.ndarray:
    """The second implementation: one pair a forward pass."""
    pairs = PairTokenizer(NETWORK.backbone, 50).pairs(query, documents)
    with torch.no_grad():
        return np.array(
            [
                NETWORK(
                    collate([pair], NETWORK.backbone.framing), torch.from_numpy(timing[None]), gated
                ).item()
                for pair, timing in zip(pairs, timings, strict=True)
            ]
        )


@given(
    documents=st.lists(st.text("abc ", max_size=90), min_size=1, max_size=25),
    workers=st.integers(1, 3),
    batch_tokens=st.integers(1, 600),
    gated=st.booleans(),
)
def test_a_logit_depends_on_its_own_pair_alone(documents, workers, batch_tokens, gated):
    timings = (
        np.random.default_rng(len(documents)).uniform(-1, 1, (len(documents), FEATURES)).astype(np.float32)
    )
    found = reranker(workers, batch_tokens).score(QUERY, documents, timings, gated)
    assert found.logits.dtype == np.float32
    assert np.abs(found.logits - plain(QUERY, documents, timings, gated)).max() < 1e-5
    asked = [len(text.replace(" ", "")) > 50 for text in documents]
    assert found.truncated.tolist() == asked


def test_nothing_is_scored_as_nothing():
    found = reranker().score(QUERY, [], np.empty((0, FEATURES), np.float32))
    assert (len(found), found.logits.dtype, found.truncated.dtype) == (0, np.float32, np.bool_)


@pytest.mark.parametrize("shape", [(1, FEATURES), (2, FEATURES + 1), (2,)])
def test_timings_of_another_shape_are_refused(shape):
    with pytest.raises(ValueError, match="timings must be"):
        reranker().score(QUERY, ["a", "b"], np.zeros(shape, np.float32))


def test_a_score_that_is_not_finite_is_handed_on_and_harms_no_neighbour():
    documents = ["one", "two", "three"]
    timings = np.zeros((3, FEATURES), np.float32)
    healthy = reranker().score(QUERY, documents, timings).logits
    timings[1, 0] = np.nan
    found = reranker(batch_tokens=10_000).score(QUERY, documents, timings).logits
    assert np.isnan(found[1])
    assert np.allclose(found[[0, 2]], healthy[[0, 2]], atol=1e-5)


def test_several_callers_at_once_get_what_each_would_get_alone():
    one = reranker()
    timings = np.zeros((12, FEATURES), np.float32)
    queries = [f"query number {at}" for at in range(8)]
    documents = [f"award {'y' * at}" for at in range(12)]
    alone = [one.score(query, documents, timings).logits for query in queries]
    with ThreadPoolExecutor(4) as callers:
        together = list(callers.map(lambda query: one.score(query, documents, timings).logits, queries))
    assert all(np.allclose(a, b, atol=1e-5) for a, b in zip(alone, together, strict=True))


def test_a_checkpoint_becomes_a_reranker(tmp_path):
    manifest = save_checkpoint(
        tmp_path, NETWORK, name="tiny-one", timing="t", portrait="p", max_document_tokens=50, metadata={}
    )
    opened = open_reranker(tmp_path, workers=1)
    assert (opened.name, opened.fingerprint) == ("tiny-one", manifest.fingerprint)
    timings = np.full((2, FEATURES), 0.5, np.float32)
    found = opened.score(QUERY, ["an award", "x" * 80], timings)
    # The weights went through fp16: eleven bits, through some layers and a norm.
    assert np.allclose(found.logits, plain(QUERY, ["an award", "x" * 80], timings), atol=2e-2)
    assert found.truncated.tolist() == [False, True]


def test_no_checkpoint_is_told(tmp_path):
    with pytest.raises(ModelDamaged, match="No such file"):
        open_reranker(tmp_path)
