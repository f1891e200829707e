"""Which of the 250,002 pieces of the XLM-R vocabulary the cut backbone keeps.

Scholarships here are written in Latin script, Chinese, Korean, Japanese and Thai: of these scripts the pieces are kept
(of Latin the commoner ones, for its many rare pieces are of languages far from here), of every other script only the
commonest and the single characters, so that a word falls into small pieces before it falls to "unknown". What the
catalogue, the development records and their queries contain is kept in any case. `pieces.bin` is the outcome.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Collection, Sequence
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from models.errors import ModelDamaged

_FILE = "pieces.bin"
_SPACED = "LATIN"
_WHOLE = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "THAI"})
# Ids ascend from common to rare.
_COMMON_LATIN, _COMMON_OTHER = 80_000, 30_000
_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")


def kept_pieces() -> NDArray[np.int64]:
    """(K,) ascending ids of the pieces that are kept. Raises ModelDamaged when the shipped list is broken."""
    try:
        packed = zlib.decompress(files("models").joinpath(_FILE).read_bytes())
    except (OSError, zlib.error) as error:
        raise ModelDamaged(f"{_FILE}: {error}") from error
    return np.flatnonzero(np.unpackbits(np.frombuffer(packed, np.uint8)))


def pack_pieces(kept: NDArray[np.int64], total: int) -> bytes:
    """The content of `pieces.bin` for the ids `kept`, of `total`."""
    bits = np.zeros(total, np.uint8)
    bits[kept] = 1
    return zlib.compress(np.packbits(bits).tobytes(), 9)


def choose_pieces(pieces: Sequence[str], used: Collection[int]) -> NDArray[np.int64]:
    """(K,) ascending ids by the rule above; `used` are ids that our own texts contain."""
    wanted = set(used)
    kept = [at for at, piece in enumerate(pieces) if at in wanted or _keeps(at, piece)]
    return np.array(kept, np.int64)


def _keeps(at: int, piece: str) -> bool:
    letters = piece.lstrip("▁")
    if piece in _SPECIAL or len(letters) <= 1:
        return True
    scripts = {_script(letter) for letter in letters if letter.isalpha() or unicodedata.combining(letter)}
    if scripts <= _WHOLE:
        return True
    return at < (_COMMON_LATIN if scripts <= _WHOLE | {_SPACED} else _COMMON_OTHER)


def _script(letter: str) -> str:
    """The first word of a character's Unicode name, which is its script; Thai and Latin marks among them."""
    return unicodedata.name(letter, "").split(" ", 1)[0].removesuffix(",")
