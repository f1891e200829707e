import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.lexical import Lexical
from index.okapi import Okapi

K1, B = 1.5, 0.75
WORDS = st.sampled_from(["nsf", "grant", "phd", "奖学", "ocean"])
CORPUS = st.lists(st.lists(WORDS, max_size=12), min_size=1, max_size=12)


def bm25(corpus: list[list[str]], query: list[str]) -> dict[int, float]:
    """Lucene's BM25, written from its definition; only documents that share a term."""
    average = sum(map(len, corpus)) / len(corpus)
    scores: dict[int, float] = {}
    for term in query:
        holding = [row for row, terms in enumerate(corpus) if term in terms]
        idf = math.log(1 + (len(corpus) - len(holding) + 0.5) / (len(holding) + 0.5))
        for row in holding:
            tf = Counter(corpus[row])[term]
            length = 1 - B + B * len(corpus[row]) / average
            scores[row] = scores.get(row, 0.0) + idf * tf / (tf + K1 * length)
    return scores


@given(CORPUS, st.lists(WORDS, min_size=1, max_size=4))
def test_scores_are_bm25(corpus: list[list[str]], query: list[str]) -> None:
    found = Lexical.build(corpus, K1, B).search(query, len(corpus))
    expected = bm25(corpus, query) if any(corpus) else {}
    assert set(found.rows.tolist()) == set(expected)
    for row, score in zip(found.rows.tolist(), found.scores.tolist(), strict=True):
        assert score == pytest.approx(expected[row], rel=1e-4)


@given(CORPUS, st.lists(WORDS, min_size=1, max_size=3))
def test_both_implementations_find_the_same_documents(corpus: list[list[str]], query: list[str]) -> None:
    ours = Lexical.build(corpus, K1, B).search(query, 99)
    other = Okapi.build(corpus).search(query, 99)
    assert sorted(ours.rows.tolist()) == sorted(other.rows.tolist())


@given(CORPUS, st.lists(WORDS, min_size=1, max_size=3))
def test_a_phrase_needs_all_of_its_terms(corpus: list[list[str]], query: list[str]) -> None:
    leg = Lexical.build(corpus, K1, B)
    found = leg.phrase(query)
    holding = [row for row, terms in enumerate(corpus) if set(query) <= set(terms)]
    assert found.rows.tolist() == holding
    whole = leg.search(list(dict.fromkeys(query)), 99)
    scores = dict(zip(whole.rows.tolist(), whole.scores.tolist(), strict=True))
    assert found.scores.tolist() == pytest.approx([scores[row] for row in holding], rel=1e-5)


def test_a_term_in_half_of_the_documents_still_counts() -> None:
    found = Lexical.build([["nsf", "grant"], ["daad", "award"]], K1, B).search(["nsf"], 10)
    assert found.rows.tolist() == [0]
    assert found.scores[0] > 0


def test_more_asked_than_there_is_gives_what_there_is() -> None:
    assert len(Lexical.build([["a"], ["a", "b"]], K1, B).search(["a"], 10)) == 2


@pytest.mark.parametrize("corpus", [[], [[]], [[], []]])
def test_a_corpus_without_terms_answers_nothing(corpus: list[list[str]], tmp_path: Path) -> None:
    leg = Lexical.build(corpus, K1, B)
    leg.save(tmp_path / "lexical")
    for one in (leg, Lexical.load(tmp_path / "lexical", len(corpus)), Okapi.build(corpus)):
        assert len(one.search(["nsf"], 10)) == 0


def test_words_outside_the_vocabulary_find_nothing() -> None:
    assert len(Lexical.build([["a"], ["b"]], K1, B).search(["zzqx"], 10)) == 0


def test_a_mask_comes_before_the_cut() -> None:
    leg = Lexical.build([["a"], ["a"], ["a", "b"]], K1, B)
    assert leg.search(["a"], 1, np.array([False, False, True])).rows.tolist() == [2]


def test_a_loaded_index_answers_as_the_built_one(tmp_path: Path) -> None:
    corpus = [["奖学", "学金"], ["grant", "phd"], ["grant"]]
    built = Lexical.build(corpus, K1, B)
    built.save(tmp_path)
    loaded = Lexical.load(tmp_path, len(corpus))
    for query in (["grant"], ["学金", "phd"]):
        assert built.search(query, 9).rows.tolist() == loaded.search(query, 9).rows.tolist()
        assert built.search(query, 9).scores.tolist() == loaded.search(query, 9).scores.tolist()
