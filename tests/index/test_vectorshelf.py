"""A shelf beside books: what a build has written is found, what it adds is taken by the next build."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from index.types import Vector
from index.vectorbook import VectorBook
from index.vectorshelf import VectorShelf
from models.hashing import HashingEncoder

TEXTS = [f"passage {number} 奖学金" for number in range(700)]


class Mute(HashingEncoder):
    """An encoder that must not be needed."""

    def encode_passages(self, texts: Sequence[str], progress: object = None) -> Vector:
        raise AssertionError(f"encoded {len(texts)} known texts")


@pytest.fixture
def shelf(tmp_path: Path) -> VectorShelf:
    return VectorShelf(HashingEncoder().fingerprint, (tmp_path / "home", tmp_path / "shipped"))


def test_a_shelf_finds_what_a_book_holds_wherever_it_stands(shelf: VectorShelf, tmp_path: Path) -> None:
    assert shelf.find(TEXTS) == {}
    VectorBook(HashingEncoder(), [tmp_path / "shipped"]).vectors(TEXTS[:600])
    made = VectorBook(HashingEncoder(), [tmp_path / "home"]).vectors(TEXTS[500:])
    found = shelf.find([*TEXTS, "unknown"])
    assert found.keys() == set(TEXTS)
    assert np.array_equal(np.stack([found[text] for text in TEXTS[500:]]), made)


def test_what_a_shelf_adds_is_never_encoded_again(shelf: VectorShelf, tmp_path: Path) -> None:
    vectors = HashingEncoder().encode_passages(TEXTS).astype(np.float16)
    shelf.add(TEXTS[:3], vectors[:3])
    shelf.add(TEXTS[3:], vectors[3:])
    assert np.array_equal(VectorBook(Mute(), [tmp_path / "home"]).vectors(TEXTS), vectors)
    again = VectorShelf(HashingEncoder().fingerprint, (tmp_path / "home",))
    assert np.array_equal(again.find(["nope", TEXTS[5]])[TEXTS[5]], vectors[5])


def test_small_chunks_become_one_and_nothing_is_lost(shelf: VectorShelf, tmp_path: Path) -> None:
    vectors = HashingEncoder().encode_passages(TEXTS).astype(np.float16)
    for at in range(0, 100, 5):
        shelf.add(TEXTS[at : at + 5], vectors[at : at + 5])
    neighbour = VectorShelf(HashingEncoder().fingerprint, (tmp_path / "home",))
    assert len(neighbour.find(TEXTS)) == 100
    shelf.add(TEXTS[100:], vectors[100:])  # 600 at once: already as long as a chunk should be
    assert shelf.merge() == 20
    assert shelf.merge() == 0
    assert len(list((tmp_path / "home").rglob("*.keys.npy"))) == 2
    assert not list((tmp_path / "home").rglob("*.draft"))
    for one in (shelf, neighbour):
        found = one.find(TEXTS)
        assert np.array_equal(np.stack([found[text] for text in TEXTS]), vectors)
