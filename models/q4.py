"""Q4_0 blocks: 32 weights in an fp16 scale and 16 bytes.

Low nibbles hold weights 0-15 of the block, high nibbles 16-31; w = (q - 8) * scale. The layout is
that of the GGML family; the reference is the description of the weight package that uses it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BLOCK = 32
BLOCK_BYTES = 18


def dequantise(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The weights of Q4_0 blocks.

    blocks: (..., n_blocks * 18) uint8, the last axis one row of a matrix. Returns (..., n_blocks * 32).
    Raises ValueError when the last axis is not a whole number of blocks.
    """
    *lead, width = blocks.shape
    if width % BLOCK_BYTES:
        raise ValueError(f"a Q4_0 row must be a multiple of {BLOCK_BYTES} bytes, got {width}")
    packed = blocks.reshape(*lead, width // BLOCK_BYTES, BLOCK_BYTES)
    scale = np.ascontiguousarray(packed[..., :2]).view("<f2").astype(np.float32)  # (..., n, 1)
    nibbles = packed[..., 2:]
    quants = np.concatenate([nibbles & 0x0F, nibbles >> 4], axis=-1).astype(np.float32)  # (..., n, 32)
    weights: NDArray[np.float32] = (quants - 8.0) * scale
    return weights.reshape(*lead, width // BLOCK_BYTES * BLOCK)
