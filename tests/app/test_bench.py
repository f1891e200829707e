"""The benchmark's own parts: what it makes up is like what it learned from, and its judge is right."""

from __future__ import annotations

import json
import time
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.bench.collection import Collection, make_collection
from app.bench.contender import DEPTH
from app.bench.lexical_contenders import LEXICAL
from app.bench.oracle import DenseOracle, LexicalOracle, recall
from app.bench.retrieval import bench_retrieval
from app.bench.specimen import Specimen, specimen_of
from app.bench.stopwatch import peak_bytes, percentiles, resident_bytes, timed_ms
from app.library import Library
from index.build import build
from index.document import Document
from index.settings import AWARDS
from index.storage import open_snapshot
from models.hashing import HashingEncoder


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def specimen() -> Specimen:
    rng = np.random.default_rng(5)
    words = [f"w{at}" for at in range(60)]
    term_lists = [[str(w) for w in rng.choice(words, size=int(rng.integers(3, 30)))] for _ in range(80)]
    term_lists.append([])
    centres = rng.standard_normal((8, 16))
    vectors = unit(centres[rng.integers(8, size=80)] + 0.3 * rng.standard_normal((80, 16)))
    queries = [["w1", "w2"], ["w3"], ["nowhere"], ["w4", "w4", "w5"]]
    return specimen_of(term_lists, vectors, queries, vectors[:4], rng)


@pytest.fixture(scope="module")
def collection(specimen: Specimen, tmp_path_factory: pytest.TempPathFactory) -> Collection:
    folder = tmp_path_factory.mktemp("collection")
    return make_collection(folder, specimen, 1_500, np.random.default_rng(6))


def test_a_specimen_holds_the_documents_as_they_are(specimen: Specimen) -> None:
    assert len(specimen.offsets) == 81  # the empty document teaches nothing
    assert specimen.offsets[-1] == len(specimen.terms)
    assert set(specimen.vocabulary) == {f"w{at}" for at in range(60)}
    assert 0 <= specimen.novelty < 1
    assert ((specimen.neighbour_cosines > 0) & (specimen.neighbour_cosines < 0.9999)).all()


def test_nothing_can_be_learned_from_documents_without_terms() -> None:
    with pytest.raises(ValueError, match="no terms"):
        specimen_of([[], []], np.eye(2, dtype=np.float32), [], np.eye(2), np.random.default_rng(0))


def test_made_up_documents_have_real_lengths_and_mostly_real_terms(
    specimen: Specimen, collection: Collection
) -> None:
    lists = collection.term_lists(specimen.vocabulary)
    assert {len(terms) for terms in lists} <= set(np.diff(specimen.offsets).tolist())
    known = np.asarray(collection.terms) < len(specimen.vocabulary)
    assert known.mean() > 0.9
    # The commonest terms stay the commonest.
    real = np.bincount(specimen.terms, minlength=60)
    made = np.bincount(collection.terms[known], minlength=60)
    assert np.corrcoef(real, made)[0, 1] > 0.85


def test_the_first_documents_can_be_had_alone(specimen: Specimen, collection: Collection) -> None:
    assert collection.term_lists(specimen.vocabulary, 7) == collection.term_lists(specimen.vocabulary)[:7]


def test_made_up_vectors_lie_as_close_to_a_real_one_as_real_ones_to_each_other(
    specimen: Specimen, collection: Collection
) -> None:
    vectors = collection.vectors
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    nearest = (vectors @ specimen.vectors.T).max(axis=1)
    assert nearest.min() >= specimen.neighbour_cosines.min() - 1e-4
    # To its parent exactly as far as was drawn; another real vector may happen to be nearer.
    assert np.median(nearest) == pytest.approx(np.median(specimen.neighbour_cosines), abs=0.05)


def test_the_same_seed_makes_the_same_collection(specimen: Specimen, tmp_path: Path) -> None:
    made = [make_collection(tmp_path / name, specimen, 50, np.random.default_rng(3)) for name in "ab"]
    assert np.array_equal(made[0].terms, made[1].terms)
    assert np.array_equal(made[0].vectors, made[1].vectors)


def test_the_judge_agrees_with_a_library_on_bm25(specimen: Specimen, collection: Collection) -> None:
    engine = bm25s.BM25(k1=AWARDS.k1, b=AWARDS.b, method="lucene")
    engine.index(collection.term_lists(specimen.vocabulary), show_progress=False)
    oracle = LexicalOracle(collection, specimen.vocabulary, specimen.queries)
    for number, query in enumerate(specimen.queries):
        ids = [engine.vocab_dict[term] for term in query if term in engine.vocab_dict]
        theirs = engine.get_scores_from_ids(ids) if ids else np.zeros(collection.documents)
        ours = oracle.at(number, np.arange(collection.documents))
        assert np.allclose(np.where(np.isfinite(ours), ours, 0), theirs, atol=1e-4)


def test_a_question_without_a_hit_is_not_judged(specimen: Specimen, collection: Collection) -> None:
    oracle = LexicalOracle(collection, specimen.vocabulary, specimen.queries)
    bar = oracle.bars(None)[2]
    assert bar == (0.0, 0)
    assert recall(oracle, 2, bar, np.arange(3)) is None


@given(share=st.floats(0, 1), taken=st.integers(0, DEPTH))
def test_recall_is_the_share_of_the_best_that_was_found(
    specimen: Specimen, collection: Collection, share: float, taken: int
) -> None:
    oracle = DenseOracle(collection, specimen.query_vectors)
    mask = np.random.default_rng(1).random(collection.documents) < share
    scores = np.where(mask, collection.vectors @ specimen.query_vectors[0], -np.inf)
    best = np.argsort(-scores, kind="stable")[: min(DEPTH, int(mask.sum()))]
    bar = oracle.bars(mask)[0]
    assert bar[1] == len(best)
    if len(best):
        expected = min(taken, len(best)) / len(best)
        assert recall(oracle, 0, bar, best[:taken]) == pytest.approx(expected)


def test_an_answer_that_ties_with_the_last_place_is_right(tmp_path: Path, specimen: Specimen) -> None:
    collection = make_collection(tmp_path, specimen, 300, np.random.default_rng(2))
    same = np.tile(specimen.vectors[:1], (300, 1))
    np.save(tmp_path / "vectors.npy", same)
    oracle = DenseOracle(collection, specimen.query_vectors)
    assert recall(oracle, 0, oracle.bars(None)[0], np.arange(200, 300)) == 1.0


def test_each_lexical_contender_finds_what_the_judge_calls_right(
    specimen: Specimen, collection: Collection, tmp_path: Path
) -> None:
    oracle = LexicalOracle(collection, specimen.vocabulary, specimen.queries)
    bars = oracle.bars(None)
    for contender in LEXICAL[:2]:
        folder = tmp_path / contender.name
        assert contender.prepare is not None
        contender.prepare(collection, specimen.vocabulary, folder)
        ask = contender.open(collection, specimen.vocabulary, folder)
        everything = np.ones(collection.documents, bool)
        found = [
            recall(oracle, at, bars[at], ask(query, everything)) for at, query in enumerate(specimen.queries)
        ]
        assert found == [1.0, 1.0, None, 1.0], contender.name


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50))
def test_percentiles_are_ordered_and_within_the_measured(values: list[float]) -> None:
    found = percentiles(values)
    assert min(values) - 1e-3 <= found["p50"] <= found["p95"] <= found["p99"] <= max(values) + 1e-3


def test_a_call_is_timed_by_the_given_clock() -> None:
    ticks = iter([10.0, 10.25])
    assert timed_ms(lambda: None, lambda: next(ticks)) == 250.0


def test_memory_that_is_held_is_seen(tmp_path: Path) -> None:
    assert resident_bytes(tmp_path / "absent") is None
    before = resident_bytes()
    held = np.ones(8_000_000)
    after = resident_bytes()
    if before is None or after is None:
        pytest.skip("this system does not tell how much memory a process holds")
    assert after - before > 0.9 * held.nbytes
    peak = peak_bytes()
    assert peak is not None
    assert peak >= held.nbytes


@pytest.mark.slow
def test_the_whole_benchmark_judges_every_contender(tmp_path: Path, twelve: tuple[Document, ...]) -> None:
    encoder = HashingEncoder()
    built = build(twelve, tmp_path / "home", encoder)
    library = Library(open_snapshot(built.folder, encoder.fingerprint), encoder, time.perf_counter, "key")
    told = bench_retrieval(library, [400], 5, tmp_path / "scratch", lambda _step, _done, _total: None)
    told = json.loads(json.dumps(told))  # plain values only
    (size,) = told["sizes"]
    assert [row["name"] for row in size["lexical"]] == ["ours", "bm25s", "rank-bm25"]
    exact = {row["name"]: row["recall@100"] for row in (*size["lexical"], *size["dense"])}
    assert (
        exact["ours"] == exact["bm25s"] == exact["ours exact"] == exact["numpy"] == exact["faiss flat"] == 1.0
    )
    assert all(row["latency_ms"]["p50"] > 0 for row in (*size["lexical"], *size["dense"]))
    assert all(row["disk_bytes"] > 0 for row in size["dense"] if row["name"] != "numpy")
