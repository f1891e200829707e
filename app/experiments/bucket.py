"""Which of 10,000 buckets a unit falls into: a pure function that any client can compute.

    bucket(salt, unit) = int.from_bytes(blake2b(message, digest_size=8), "big") mod 10,000
    message = len(salt bytes) as 2 bytes big-endian ‖ salt bytes ‖ unit bytes, both UTF-8

The length in front makes the joint plain: no two pairs of salt and unit give one message. 2^64 is so much larger than
10,000 that the modulus favours no bucket by more than 5·10⁻¹⁶. docs/experiments.md has values to check a client with.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from hashlib import blake2b

BUCKETS = 10_000
_DIGEST_BYTES = 8
_LENGTH_BYTES = 2


def bucket(salt: str, unit: str) -> int:
    """The bucket of `unit` under `salt`, 0 .. 9,999. Raises OverflowError for a salt of 64 KiB or more."""
    name = salt.encode()
    message = len(name).to_bytes(_LENGTH_BYTES, "big") + name + unit.encode()
    return int.from_bytes(blake2b(message, digest_size=_DIGEST_BYTES).digest(), "big") % BUCKETS


def place(bucket: int, bounds: Sequence[int]) -> int:
    """Which stretch a bucket is in; stretch i ends before `bounds[i]`, and the last bound is 10,000."""
    return bisect_right(bounds, bucket)
