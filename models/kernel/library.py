"""The C library as Python sees it. Nothing is built here: `hatch_build.py` does that at install."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Literal

from models.errors import ModelMissing

Instructions = Literal["portable", "avx2", "vnni"]
"""Instructions that give the same integer sums, the later ones faster where the processor has them."""

PATHS: tuple[Instructions, ...] = ("portable", "avx2", "vnni")
_VERSION = 2
FILE = Path(__file__).with_name("_encoder.so")
_FLOATS, _INTS = ctypes.POINTER(ctypes.c_float), ctypes.POINTER(ctypes.c_int32)


class LinearStruct(ctypes.Structure):
    """`linear` of encoder.c."""

    _fields_ = [
        ("inputs", ctypes.c_int32),
        ("outputs", ctypes.c_int32),
        ("bits", ctypes.c_int32),
        ("unused", ctypes.c_int32),
        ("q", ctypes.c_void_p),
        ("scale", _FLOATS),
        ("zero", _FLOATS),
        ("bias", _FLOATS),
        ("sums", _INTS),
    ]


class LayerStruct(ctypes.Structure):
    """`layer` of encoder.c."""

    _fields_ = [
        *((name, LinearStruct) for name in ("query", "key", "value", "joined", "up", "down")),
        *((name, _FLOATS) for name in ("attention_gain", "attention_shift", "output_gain", "output_shift")),
    ]


@cache
def library() -> ctypes.CDLL:
    """The loaded library. Raises ModelMissing where it was not built, cannot be loaded or is of other sources."""
    if not FILE.exists():
        raise ModelMissing("the native kernel was not built: install a C compiler, then ScholarSearch again")
    try:
        found = ctypes.CDLL(str(FILE))
    except OSError as fault:
        raise ModelMissing(
            f"the native kernel cannot be loaded here ({fault}): install ScholarSearch again"
        ) from fault
    if not hasattr(found, "ss_version") or found.ss_version() != _VERSION:
        raise ModelMissing("the native kernel was built from other sources: install ScholarSearch again")
    found.ss_best_path.restype = ctypes.c_int
    found.ss_scratch.argtypes = [ctypes.c_int] * 5
    found.ss_scratch.restype = ctypes.c_size_t
    found.ss_encode.argtypes = [
        *(ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_float),
        *(ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int),
    ]
    found.ss_encode.restype = None
    found.ss_sums.argtypes = [
        *(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    ]
    found.ss_sums.restype = None
    return found


def best_path() -> Instructions:
    """The fastest path that this processor has."""
    return PATHS[int(library().ss_best_path())]
