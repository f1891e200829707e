"""What answers are made with: one snapshot, its encoder, the judge that reranks, a clock, and the key of cursors."""

from __future__ import annotations

from dataclasses import dataclass

from index.snapshot import Snapshot
from index.types import Encoder
from models.rung import Rung

from .attraction import Attraction
from .judging import Judges
from .plan import Reranking
from .reranking import Judge
from .trace import Clock


@dataclass(frozen=True, slots=True)
class Library:
    """The same for every request of one snapshot.

    Without `judges` nothing is reranked; without `attraction` clicks change no ranking.
    """

    snapshot: Snapshot
    encoder: Encoder | None
    clock: Clock
    cursor_key: str
    judges: Judges | None = None
    attraction: Attraction | None = None

    @property
    def judge(self) -> Judge | None:
        """What reranks now, opened now if it is not yet; None when there is none. Ask only when a plan reranks."""
        return None if self.judges is None else self.judges.pick()

    def judge_for(self, plan: Reranking | None, text: str, rung: Rung | None = None) -> Judge | None:
        """The judge of one search under its plan, on `rung` where a former page was; None when nothing reranks."""
        if plan is None or self.judges is None:
            return None
        return self.judges.pick(plan.rung or rung, plan.floor, text)
