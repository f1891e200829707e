"""The unpacked multilingual-e5-small: its container, its blocks, and its vectors."""

import struct
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from models.e5 import PackedEmbedding
from models.e5_file import open_e5_file
from models.errors import ModelDamaged
from models.q4 import BLOCK, dequantise
from models.registry import REGISTRY, load_encoder


def pack(scale: float, quants: list[int]) -> bytes:
    """A Q4_0 block written from its description: fp16 scale, low nibbles 0-15, high nibbles 16-31."""
    return struct.pack("<e", scale) + bytes(quants[at] | quants[at + 16] << 4 for at in range(16))


@given(st.floats(-2, 2, width=16), st.lists(st.integers(0, 15), min_size=BLOCK, max_size=BLOCK))
def test_a_block_is_unpacked_as_described(scale: float, quants: list[int]) -> None:
    weights = dequantise(np.frombuffer(pack(scale, quants), np.uint8))
    assert weights.tolist() == [(quant - 8) * scale for quant in quants]


def test_rows_that_are_no_whole_blocks_are_refused() -> None:
    with pytest.raises(ValueError, match="18"):
        dequantise(np.zeros((2, 17), np.uint8))


def test_a_packed_table_looks_up_what_the_unpacked_one_does() -> None:
    rows = [pack(0.5 * (1 + at), [(at + weight) % 16 for weight in range(32)]) for at in range(7)]
    packed = PackedEmbedding(np.frombuffer(b"".join(rows), np.uint8).reshape(7, -1))
    ids = torch.tensor([[6, 0, 6], [3, 3, 1]])
    assert torch.equal(packed(ids), packed.unpacked()(ids))


@pytest.mark.parametrize("content", [b"", b"E5S1", b"PK\x03\x04" + bytes(200), b"E5S1" + bytes(60)])
def test_a_file_of_another_kind_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(content or b"\0")
    with pytest.raises(ModelDamaged, match=r"weights\.bin"):
        open_e5_file(path).vector("emb.pos")


def test_a_file_that_ends_early_is_refused(tmp_path: Path) -> None:
    whole = REGISTRY["e5-small"].folder() / "e5-small-q4.bin"
    path = tmp_path / "cut.bin"
    with whole.open("rb") as file:
        path.write_bytes(file.read(6_000_000))
    with pytest.raises(ModelDamaged, match=r"cut\.bin"):
        open_e5_file(path).matrix("l11.fo.w", 1536)


@pytest.mark.slow
def test_vectors_do_not_depend_on_the_batch() -> None:
    encoder = load_encoder("e5-small")
    texts = ["short", "a much longer passage about doctoral funding in Germany " * 6, "德国博士奖学金"]
    together = encoder.encode_passages(texts)
    alone = np.concatenate([encoder.encode_passages([text]) for text in texts])
    assert np.abs(together - alone).max() < 2e-5


@pytest.mark.slow
def test_minilm_agrees_with_sentence_transformers() -> None:
    from sentence_transformers import SentenceTransformer

    reference = SentenceTransformer(str(REGISTRY["minilm"].folder() / "model"), device="cpu")
    texts = ["Fully funded master's in Germany", "国家留学基金委", "grant " * 400, ""]
    ours = load_encoder("minilm").encode_passages(texts)
    theirs = reference.encode(texts, normalize_embeddings=True)
    assert np.abs((ours * theirs).sum(1) - 1).max() < 1e-4


@pytest.mark.slow
def test_a_long_text_is_cut_and_still_encoded() -> None:
    encoder = load_encoder("e5-small")
    long, longer = ("grant for engineers " * count for count in (300, 600))
    vectors = encoder.encode_passages([long, longer])
    assert vectors[0] @ vectors[1] > 0.9999  # what lies past the limit is not read
