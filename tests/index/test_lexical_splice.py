"""A lexical leg over edited documents against one built anew from what the edits leave: equal to the last bit."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from index.lexical import Lexical, LexicalLeg
from index.lexical_splice import LexicalSplice
from index.splice import Splice

K1, B = 1.5, 0.85
WORDS = ["nsf", "grant", "phd", "奖学", "ocean", "a", "b"]
TERMS = st.lists(st.sampled_from(WORDS), max_size=12)
IDS = st.sampled_from([f"d{at:02}" for at in range(16)])
CORPUS = st.dictionaries(IDS, TERMS, max_size=12)
# None deletes the document, a list replaces or adds it.
EDITS = st.dictionaries(IDS, st.none() | TERMS, max_size=12)

Corpus = dict[str, list[str]]
Edits = dict[str, list[str] | None]


def spliced(corpus: Corpus, edits: Edits, base: Lexical) -> LexicalSplice:
    added = sorted(doc_id for doc_id, terms in edits.items() if terms is not None)
    gone = {doc_id for doc_id, terms in edits.items() if terms is None}
    terms = [edits[doc_id] or [] for doc_id in added]
    return LexicalSplice.of(base, Splice.of(sorted(corpus), gone, added), terms, K1, B)


def built(corpus: Corpus) -> Lexical:
    return Lexical.build([corpus[doc_id] for doc_id in sorted(corpus)], K1, B)


def after(corpus: Corpus, edits: Edits) -> Corpus:
    merged: dict[str, list[str] | None] = {**corpus, **edits}
    return {doc_id: terms for doc_id, terms in merged.items() if terms is not None}


def agree(live: LexicalLeg, rebuilt: LexicalLeg, query: list[str], depth: int, mask_seed: int) -> None:
    assert live.documents == rebuilt.documents
    mask = np.random.default_rng(mask_seed).random(rebuilt.documents) < 0.7
    for mine, theirs in (
        (live.search(query, depth), rebuilt.search(query, depth)),
        (live.search(query, depth, mask), rebuilt.search(query, depth, mask)),
        (live.phrase(query), rebuilt.phrase(query)),
    ):
        assert mine.rows.tolist() == theirs.rows.tolist()
        assert mine.scores.dtype == theirs.scores.dtype == np.float32
        assert mine.scores.tobytes() == theirs.scores.tobytes()
    for term in [*WORDS, "unheard"]:
        for mine_part, theirs_part in zip(live.postings(term), rebuilt.postings(term), strict=True):
            assert mine_part.dtype == theirs_part.dtype
            assert mine_part.tolist() == theirs_part.tolist()


@given(
    CORPUS, EDITS, st.lists(st.sampled_from([*WORDS, "unheard"]), max_size=5), st.integers(1, 20),
    st.integers(0, 9),
)  # fmt: skip
@example({}, {"d01": ["a"]}, ["a", "a"], 1, 0)  # nothing was built
@example({"d01": ["a"]}, {"d01": None}, ["a"], 1, 0)  # nothing is left
@example({"d01": ["a"]}, {}, ["a"], 1, 0)  # nothing changed
@example({"d01": ["a"], "d02": ["b"]}, {"d01": ["b"]}, ["a", "b"], 1, 0)  # a term lost its only document
@example({"d01": ["a"]}, {"d00": ["b", "b"], "d02": []}, ["b"], 3, 0)  # a term came with an added document
@example({"d01": []}, {"d02": []}, ["b"], 3, 0)  # documents without a term
def test_edited_equals_rebuilt(corpus: Corpus, edits: Edits, query: list[str], depth: int, seed: int) -> None:
    agree(spliced(corpus, edits, built(corpus)), built(after(corpus, edits)), query, depth, seed)


@given(CORPUS, EDITS)
def test_a_saved_leg_can_be_edited(
    tmp_path_factory: pytest.TempPathFactory, corpus: Corpus, edits: Edits
) -> None:
    folder: Path = tmp_path_factory.mktemp("lexical")
    built(corpus).save(folder)
    base = Lexical.load(folder, len(corpus))
    agree(spliced(corpus, edits, base), built(after(corpus, edits)), WORDS, 9, 0)


def test_many_documents_of_many_lengths() -> None:
    """Thousands of scores: one step in another order or number type would show in some last bit."""
    rng = np.random.default_rng(7)
    words = [f"w{at}" for at in range(300)]

    def text() -> list[str]:
        size = int(rng.integers(0, 400))
        return [words[at] for at in rng.zipf(1.3, size) % len(words)]

    corpus = {f"d{at:04}": text() for at in range(600)}
    edits: Edits = {f"d{at:04}": text() if at % 3 else None for at in rng.integers(0, 700, 150).tolist()}
    live, rebuilt = spliced(corpus, edits, built(corpus)), built(after(corpus, edits))
    for _ in range(100):
        query = rng.choice(words, 4).tolist()
        mine, theirs = live.scores(query), rebuilt.scores(query)
        assert mine is not None
        assert theirs is not None
        assert mine.tobytes() == theirs.tobytes()
