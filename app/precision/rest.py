"""A ladder at rest: for whoever searches once, and for engines that have no rungs."""

from __future__ import annotations

from app.judging import LateJudge
from models.health import DeviceReading
from models.ladder import Rules

from .gradient import UNKNOWN, Gradient
from .keeper import Keeper, Parts
from .setup import Setup


class Nothing:
    """Neither a gradient nor a device."""

    def reading(self, now: float) -> Gradient:
        """Not known."""
        del now
        return UNKNOWN

    def read(self) -> DeviceReading | None:
        """There is none."""
        return None


def resting(judges: LateJudge) -> Keeper:
    """A ladder over `judges` that nothing moves but a pin, and that writes nothing."""
    return Keeper(Setup(Rules(), shadow=0.0), Parts(judges, lambda _: [], Nothing(), Nothing()))
