"""The ladder of the shipped fake: the real one, of rungs without engines."""

from __future__ import annotations

from models.errors import ModelMissing
from models.rung import Rung
from models.selftest import Verdict

from .judging import LateJudge
from .precision.keeper import Keeper
from .precision.rest import resting
from .reranking import Judge

_FOUND = (
    Verdict("fp16", True, "reference", "made up", 1.0, 1.0, 4.0, 1.0),
    Verdict("int8", True, "passed", "made up", 0.97, 0.99, 2.0, 2.0),
    Verdict("int4", False, "disagrees", "made up", 0.7, 0.9, 1.0, 4.0),
)


def fake_ladder() -> Keeper:
    """A ladder of two rungs and one that failed; it moves only when it is told to."""

    def open_(rung: Rung) -> Judge:
        raise ModelMissing(f"the fake has no {rung}")

    ladder = resting(LateJudge(open_))
    ladder.take(_FOUND)
    return ladder
