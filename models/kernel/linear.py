"""A linear map in few bits: its weights as the kernel reads them.

8 bits: w = scale · q, one scale an output, q in [-127, 127]. 4 bits: w = scale · (q - zero), q in [0, 15], one scale
and one zero point for each output and group of 128 inputs; the range of a group is shrunk where that brings its weights
closer to what they were, errors counting as their inputs do on average where that is known.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .library import LinearStruct

Bits = Literal[8, 4]
Floats = NDArray[np.float32]
GROUP, CHUNK, HALF = 128, 64, 32
MOST_INPUTS = 64 * GROUP
_SHRINKS = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7)


@dataclass(frozen=True, slots=True)
class QuantisedLinear:
    """`out` rows of `inputs` weights. q: (out, inputs) int8, or (out, inputs / 2) uint8 with two weights a byte.

    scale, zero: (out,) for 8 bits, (out, inputs / 128) for 4. sums: (out,) int32 of each row of q, 8 bits alone.
    """

    bits: Bits
    inputs: int
    q: NDArray[np.int8] | NDArray[np.uint8]
    scale: Floats
    zero: Floats
    bias: Floats
    sums: NDArray[np.int32]

    @property
    def weight_bytes(self) -> int:
        """Bytes of the weights with their scales; the bias, which stays as it was, is not counted."""
        return self.q.nbytes + self.scale.nbytes + (self.zero.nbytes if self.bits == 4 else 0)

    def weights(self) -> Floats:
        """(out, inputs): the weights that the integers stand for."""
        if self.bits == 8:
            return (self.q * self.scale[:, None]).astype(np.float32)
        groups = unpacked(self.q.view(np.uint8)).reshape(len(self.q), -1, GROUP)
        return (
            ((groups - self.zero[..., None]) * self.scale[..., None])
            .reshape(len(self.q), -1)
            .astype(np.float32)
        )

    def struct(self) -> LinearStruct:
        """What the kernel is told; it points into the arrays of this object, which has to outlive it."""
        floats, ints = ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_int32)
        return LinearStruct(
            *(self.inputs, len(self.q), self.bits, 0, self.q.ctypes.data),
            *(array.ctypes.data_as(floats) for array in (self.scale, self.zero, self.bias)),
            self.sums.ctypes.data_as(ints),
        )


def quantised(weight: Floats, bias: Floats, bits: Bits, importance: Floats | None = None) -> QuantisedLinear:
    """The map of (out, inputs) weights in few bits. importance: (inputs,) mean square of each input, 1 if not given.

    Raises ValueError for a number of inputs that is no multiple of 128 up to 8192, or a weight that is not finite.
    """
    out, inputs = weight.shape
    if not 0 < inputs <= MOST_INPUTS or inputs % GROUP:
        raise ValueError(f"{inputs} inputs are no multiple of {GROUP} up to {MOST_INPUTS}")
    if not np.isfinite(weight).all() or not np.isfinite(bias).all():
        raise ValueError("a weight is not finite")
    biased = np.ascontiguousarray(bias, np.float32)
    if bits == 8:
        most = np.abs(weight).max(axis=1)
        scale = np.where(most > 0, most / 127.0, 1.0).astype(np.float32)
        q = np.clip(np.rint(weight / scale[:, None]), -127, 127).astype(np.int8)
        sums = q.sum(axis=1, dtype=np.int32)
        return QuantisedLinear(
            8, inputs, np.ascontiguousarray(q), scale, np.zeros(1, np.float32), biased, sums
        )
    groups = weight.reshape(out, -1, GROUP).astype(np.float32)
    matters = np.ones(inputs, np.float32) if importance is None else importance
    codes, scales, zeros = _searched(groups, matters.reshape(1, -1, GROUP))
    return QuantisedLinear(
        4, inputs, packed(codes.reshape(out, inputs)), scales, zeros, biased, np.zeros(1, np.int32)
    )


def packed(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(out, inputs / 2): two codes a byte, of each 64 the first 32 low and the others high."""
    chunks = codes.reshape(len(codes), -1, 2, HALF)
    return np.ascontiguousarray((chunks[:, :, 0] | chunks[:, :, 1] << 4).reshape(len(codes), -1))


def unpacked(q: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(out, inputs): the codes again."""
    chunks = q.reshape(len(q), -1, HALF)
    return np.stack([chunks & 15, chunks >> 4], axis=2).reshape(len(q), -1)


def _searched(groups: Floats, matters: Floats) -> tuple[NDArray[np.uint8], Floats, Floats]:
    """Codes, scales and zero points of (out, G, 128) weights: of several ranges, the one of least weighed error."""
    low, high = groups.min(axis=-1, keepdims=True), groups.max(axis=-1, keepdims=True)
    middle, reach = (low + high) / 2, (high - low) / 2
    best = np.full(groups.shape[:2], np.inf, np.float32)
    codes = np.zeros(groups.shape, np.uint8)
    scales, zeros = (np.zeros(groups.shape[:2], np.float32) for _ in range(2))
    for shrink in _SHRINKS:
        scale = np.where(reach > 0, 2 * reach * shrink / 15, 1.0).astype(np.float32)
        zero = (-(middle - reach * shrink) / scale).astype(np.float32)
        tried = np.clip(np.rint(groups / scale + zero), 0, 15)
        error = (((tried - zero) * scale - groups) ** 2 * matters).sum(axis=-1)
        better = error < best
        best = np.where(better, error, best)
        codes[better] = tried[better].astype(np.uint8)
        scales[better], zeros[better] = scale[better, 0], zero[better, 0]
    return codes, scales, zeros
