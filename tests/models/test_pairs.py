"""Pairs: the query whole, the document cut and said to be, the tokens of a document kept, batches by cost."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import processors

from models.backbones import load_backbone
from models.pairs import PairTokenizer, by_cost, collate

BACKBONE = load_backbone("tiny")
CLS, SEP, PAD = (BACKBONE.tokenizer.token_to_id(mark) for mark in ("[CLS]", "[SEP]", "[PAD]"))
letters = st.text(st.characters(codec="latin-1"), max_size=80)


@given(query=letters, document=letters)
def test_a_pair_is_what_the_tokenizers_own_template_makes(query, document):
    tokenizer = PairTokenizer(BACKBONE)
    reference = BACKBONE.tokenizer.from_str(BACKBONE.tokenizer.to_str())
    reference.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[("[CLS]", CLS), ("[SEP]", SEP)],
    )
    expected = reference.encode(query, document)
    (pair,) = tokenizer.pairs(query, [document])
    batch = collate([pair], BACKBONE.framing)
    assert pair.ids.tolist() == expected.ids
    assert batch.segments[0].tolist() == expected.type_ids
    assert not pair.truncated


@given(query=letters, document=st.text("ab", max_size=400), most=st.integers(1, 60))
def test_only_the_document_is_cut_and_a_cut_is_said(query, document, most):
    tokenizer = PairTokenizer(BACKBONE, max_document_tokens=most)
    asked = BACKBONE.tokenizer.encode(query, add_special_tokens=False).ids
    (pair,) = tokenizer.pairs(query, [document])
    assert pair.ids.tolist()[1 : 1 + len(asked)] == asked
    kept = len(pair) - len(asked) - len(BACKBONE.framing)
    assert kept == min(len(document), most)
    assert pair.truncated == (len(document) > most)
    assert pair.ids[-1] == SEP


def test_a_query_longer_than_the_network_leaves_the_document_some_room_and_says_so():
    (pair,) = PairTokenizer(BACKBONE).pairs("q" * 600, ["d" * 100])
    assert len(pair) == BACKBONE.max_tokens
    assert pair.truncated
    assert len(pair) - pair.start - 1 == 32


def test_unpaired_surrogates_do_not_break_it():
    assert len(PairTokenizer(BACKBONE).pairs("a\ud800b", ["\udfff", ""])) == 2


def test_documents_are_tokenised_once_and_forgotten_in_order(monkeypatch):
    tokenizer = PairTokenizer(BACKBONE, kept=2)
    asked: list[str] = []
    plain = tokenizer._encode

    def counting(texts: list[str]) -> list[np.ndarray]:
        asked.extend(texts)
        return plain(texts)

    monkeypatch.setattr(tokenizer, "_encode", counting)
    first = tokenizer.pairs("q", ["one", "two"])
    again = tokenizer.pairs("q", ["two", "one"])
    assert asked == ["q", "one", "two", "q"]
    assert [pair.ids.tolist() for pair in again] == [pair.ids.tolist() for pair in reversed(first)]
    tokenizer.pairs("q", ["three"])  # "two" was used before "one"
    tokenizer.pairs("q", ["one", "two"])
    assert asked == ["q", "one", "two", "q", "q", "three", "q", "two"]


@given(lengths=st.lists(st.integers(1, 200), max_size=60), budget=st.integers(1, 1000))
def test_batches_hold_every_pair_once_within_their_cost(lengths, budget):
    batches = by_cost(lengths, budget)
    assert sorted(at for batch in batches for at in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or max(lengths[at] for at in batch) * len(batch) <= budget
    order = [lengths[at] for batch in batches for at in batch]
    assert order == sorted(order, reverse=True)


def test_padding_is_masked_and_neither_query_nor_document():
    pairs = PairTokenizer(BACKBONE).pairs("ab", ["c", "defg"])
    batch = collate(pairs, BACKBONE.framing)
    assert batch.ids.dtype == torch.int64
    assert batch.mask.sum(1).tolist() == [len(pair) for pair in pairs]
    assert batch.ids[0, len(pairs[0]) :].tolist() == [PAD] * 3
    assert batch.segments.sum(1).tolist() == [2, 5]
