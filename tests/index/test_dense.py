from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import index.dense
from index.centring import SHARE, Centring
from index.dense import Dense, Kind
from index.splice import Splice

ALL_KINDS: tuple[Kind, ...] = ("exact", "hnsw", "ivf", "pq")


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def cloud(count: int, dimension: int = 64, seed: int = 7) -> np.ndarray:
    return unit(np.random.default_rng(seed).normal(size=(count, dimension)))


def naive(
    vectors: np.ndarray, owners: np.ndarray, query: np.ndarray, mask: np.ndarray, depth: int
) -> list[int]:
    """Rows by their best passage, written as slowly as possible."""
    best: dict[int, float] = {}
    for vector, owner in zip(vectors, owners.tolist(), strict=True):
        if mask[owner]:
            best[owner] = max(best.get(owner, -9.0), float(vector @ query))
    return sorted(best, key=lambda row: (-best[row], row))[:depth]


@given(st.integers(1, 40), st.integers(1, 12), st.integers(0, 2**16))
def test_exact_search_is_the_definition(passages: int, depth: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = cloud(passages, 8, seed)
    owners = np.sort(rng.integers(0, max(1, passages // 2), passages))
    owners = np.unique(owners, return_inverse=True)[1].astype(np.int64)
    mask = rng.random(owners.max() + 1) < 0.7
    query = cloud(1, 8, seed + 1)[0]
    hits = Dense.build(vectors, owners, ["en"] * passages).search(query, "en", depth, mask)
    assert hits.exact
    assert hits.ranked.rows.tolist() == naive(vectors, owners, query, mask, depth)
    for row, passage, score in zip(hits.ranked.rows, hits.passages, hits.ranked.scores, strict=True):
        assert owners[passage] == row
        assert score == pytest.approx(float(vectors[passage] @ query), abs=1e-5)


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_every_kind_finds_a_known_neighbour(kind: Kind) -> None:
    vectors = cloud(600)
    leg = Dense.build(vectors, np.arange(600), ["en"] * 600, kind)
    for row in (0, 17, 599):
        assert leg.search(vectors[row], "en", 3).ranked.rows[0] == row


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_more_asked_than_there_is_never_invents_a_row(kind: Kind) -> None:
    vectors = cloud(300)
    hits = Dense.build(vectors, np.arange(300), ["en"] * 300, kind).search(vectors[0], "en", 5000)
    assert sorted(hits.ranked.rows.tolist()) == sorted(set(hits.ranked.rows.tolist()))
    assert set(hits.ranked.rows.tolist()) <= set(range(300))


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_only_allowed_rows_come_back_however_few(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = cloud(400)
    leg = Dense.build(vectors, np.arange(400), ["en"] * 400, kind)
    only = np.zeros(400, bool)
    only[1] = True
    assert leg.search(vectors[300], "en", 10, only).ranked.rows.tolist() == [1]
    assert leg.search(vectors[300], "en", 10, np.zeros(400, bool)).ranked.rows.tolist() == []
    monkeypatch.setattr(index.dense, "FEW_ALLOWED", 0)  # now the approximate index itself has to obey
    some = np.arange(400) % 40 == 0
    hits = leg.search(vectors[300], "en", 10, some)
    assert len(hits.ranked) == 10
    assert all(some[row] for row in hits.ranked.rows)


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_loaded_leg_answers_as_the_built_one(kind: Kind, tmp_path: Path) -> None:
    vectors = cloud(300).astype(np.float16)
    built = Dense.build(vectors.astype(np.float32), np.arange(300), ["en", "zh"] * 150, kind)
    built.save(tmp_path)
    loaded = Dense.load(tmp_path)
    assert loaded.kind == kind
    query = cloud(1, seed=9)[0]
    same = np.mean(built.search(query, "zh", 20).ranked.rows == loaded.search(query, "zh", 20).ranked.rows)
    assert same >= 0.9  # vectors are stored in half precision, so near ties may swap


def test_nothing_to_search_gives_nothing() -> None:
    leg = Dense.build(np.empty((0, 8), np.float32), np.empty(0, np.int64), [])
    assert len(leg.search(cloud(1, 8)[0], "en", 5).ranked) == 0


def test_one_language_is_left_alone() -> None:
    vectors = cloud(120)
    centring = Centring.of(vectors, ["en"] * 120)
    assert centring.passages(vectors, ["en"] * 120) is not None
    assert np.array_equal(centring.passages(vectors, ["en"] * 120), vectors)
    assert np.array_equal(centring.query(vectors[0], "zh"), vectors[0])


def test_a_share_of_each_language_mean_is_taken_away() -> None:
    tags = ["en"] * 60 + ["zh"] * 60 + ["th"] * 2
    vectors = cloud(122)
    centring = Centring.of(vectors, tags)
    assert set(centring.means) == {"", "en", "zh"}  # two Thai passages make no mean to trust
    expected = vectors[60] - SHARE * vectors[60:120].mean(0)
    got = centring.passages(vectors, tags)[60]
    assert got == pytest.approx(expected / np.linalg.norm(expected), abs=1e-5)
    thai = vectors[121] - SHARE * vectors.mean(0)
    assert centring.passages(vectors, tags)[121] == pytest.approx(thai / np.linalg.norm(thai), abs=1e-5)


def test_centring_brings_languages_together() -> None:
    """Vectors that are meaning plus a language offset: a query finds its meaning across languages only when centred."""
    rng = np.random.default_rng(3)
    meaning = rng.normal(size=(100, 32))
    offset = {"en": 3 * rng.normal(size=32), "zh": 3 * rng.normal(size=32)}
    tags = ["en"] * 50 + ["zh"] * 50
    vectors = unit(meaning + np.stack([offset[tag] for tag in tags]))
    query = unit(meaning[3] + offset["zh"])  # a Chinese question whose answer is the English document 3
    plain = np.argsort(-(vectors @ query))
    centred = Dense.build(vectors, np.arange(100), tags).search(query, "zh", 100).ranked.rows
    assert np.flatnonzero(centred == 3)[0] < np.flatnonzero(plain == 3)[0]


@given(st.integers(0, 2**16))
def test_a_score_does_not_depend_on_where_a_passage_lies(seed: int) -> None:
    """A matrix product adds up in another order at its edges; an edited leg must score as a built one."""
    rng = np.random.default_rng(seed)
    vectors, query = cloud(97, 384, seed), cloud(1, 384, seed + 1)[0]
    whole = Dense.build(vectors, np.arange(97), ["en"] * 97).search(query, "en", 97).ranked
    scores = dict(zip(whole.rows.tolist(), whole.scores.tolist(), strict=True))
    some = np.flatnonzero(rng.random(97) < rng.random())
    part = Dense.build(vectors[some], np.arange(len(some)), ["en"] * len(some)).search(query, "en", 97).ranked
    assert {int(some[row]): score for row, score in zip(part.rows, part.scores.tolist(), strict=True)} == {
        row: scores[row] for row in some.tolist()
    }


@pytest.mark.parametrize("kind", ALL_KINDS)
@pytest.mark.parametrize("few", [0, 5000])
def test_every_kind_forgets_what_went_and_finds_what_came(
    kind: Kind, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index.dense, "FEW_ALLOWED", few)
    vectors, came = cloud(600).astype(np.float16).astype(np.float32), cloud(40, seed=8)
    names = [f"{at:04}a" for at in range(600)]
    added = [f"{at:04}b" for at in range(0, 600, 15)]
    gone = {names[at] for at in range(0, 600, 3)}
    documents = Splice.of(names, gone, added)  # one passage a document: documents and passages go alike
    encoded = np.flatnonzero(np.arange(40) % 4)
    leg = Dense.build(vectors, np.arange(600), ["en"] * 600, kind).spliced(
        documents, np.arange(documents.size), encoded, came[encoded], ["en"] * len(encoded)
    )
    known = np.setdiff1d(np.arange(documents.size), documents.placed[::4])
    everything = documents.merged(vectors, came.astype(np.float16).astype(np.float32))
    mask = np.arange(documents.size) % 5 != 0
    for query in (vectors[1], vectors[3], came[5], came[4]):
        for allowed in (None, mask):
            hits = leg.search(query, "en", 20, allowed)
            whole = np.isin(np.arange(documents.size), known) & (True if allowed is None else mask)
            best = naive(everything, np.arange(documents.size), query, whole, 20)
            assert len(hits.ranked) == 20
            assert hits.ranked.rows[0] == best[0]
            assert whole[hits.ranked.rows].all()
            assert len(set(best) & set(hits.ranked.rows.tolist())) >= (20 if hits.exact else 15)
            assert hits.passages.tolist() == hits.ranked.rows.tolist()
            assert hits.ranked.scores == pytest.approx(everything[hits.passages] @ query, abs=1e-5)


def test_a_leg_that_lost_everything_finds_nothing() -> None:
    leg = Dense.build(cloud(3, 8), np.arange(3), ["en"] * 3)
    names = ["a", "b", "c"]
    empty = leg.spliced(
        Splice.of(names, names, []),
        np.empty(0, np.int64),
        np.empty(0, np.int64),
        np.empty((0, 8), np.float32),
        [],
    )
    assert len(empty.search(cloud(1, 8)[0], "en", 5).ranked) == 0
