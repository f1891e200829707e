"""What the health of an accelerator means for the ladder, as a pure function of what its driver reports.

Hot, or with memory errors: nothing is quantised further and the last good rung serves. A driver that was reset has
lost the engines: they are to be loaded again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

Health = Literal["absent", "ok", "hot", "ecc", "reset"]


@dataclass(frozen=True, slots=True)
class HealthRules:
    """hot_c: from here on the device is hot, and until it is below cool_c. ecc_calm_s: silence after a memory error."""

    hot_c: float = 95.0
    cool_c: float = 88.0
    ecc_calm_s: float = 600.0


@dataclass(frozen=True, slots=True)
class DeviceReading:
    """temperature_c: None = not told. ecc_errors: uncorrected ones, counted since some start. resets: of the driver."""

    temperature_c: float | None = None
    ecc_errors: int = 0
    resets: int = 0


@dataclass(frozen=True, slots=True)
class HealthState:
    """What is known of the device. ecc_at: when the last new memory error was seen."""

    health: Health = "absent"
    hot: bool = False
    ecc_at: float | None = None
    last: DeviceReading | None = None

    @property
    def sound(self) -> bool:
        """Whether the ladder may go further down."""
        return self.health in ("absent", "ok")


class Device(Protocol):
    """An accelerator as its driver tells of it."""

    def read(self) -> DeviceReading | None:
        """What it reports now; None = there is none, or it does not answer."""


def watch(
    state: HealthState, reading: DeviceReading | None, now: float, rules: HealthRules = HealthRules()
) -> HealthState:
    """The state after `reading`; "reset" is said once for each reset."""
    if reading is None:
        return (
            HealthState()
            if state.last is None
            else HealthState("absent", state.hot, state.ecc_at, state.last)
        )
    last = state.last
    hot = reading.temperature_c is not None and reading.temperature_c >= (
        rules.cool_c if state.hot else rules.hot_c
    )
    # A counter that fell was set back by a reset, and what it shows now is new.
    errors = last is not None and reading.ecc_errors > (
        last.ecc_errors if reading.resets == last.resets else 0
    )
    ecc_at = now if errors else state.ecc_at
    health: Health = "ok"
    if last is not None and reading.resets != last.resets:
        health = "reset"
    elif ecc_at is not None and now - ecc_at < rules.ecc_calm_s:
        health = "ecc"
    elif hot:
        health = "hot"
    return HealthState(health, hot, ecc_at, reading)
