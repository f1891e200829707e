"""What the operator decided of the ladder, out of the settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.settings import Settings
from models.ladder import Rules
from models.rung import Rung

from .record import FOLDER


@dataclass(frozen=True, slots=True)
class Setup:
    """rules: of the ladder. pin: the rung of the settings. shadow: the share of searches that is compared.

    folder: of the record, the pin and the probe; None = nothing is written. gradient_log: a trainer's; None = the
    service's own probe, if it `probes`.
    """

    rules: Rules
    folder: Path | None = None
    pin: Rung | None = None
    shadow: float = 0.02
    gradient_log: Path | None = None
    probes: bool = True


def setup_of(settings: Settings) -> Setup:
    """The decisions of `settings`. Raises ValueError where thresholds contradict one another."""
    rules = Rules(
        policy=settings.precision_policy,
        floor=settings.precision_floor,
        grad_norm_std=settings.precision_grad_std,
        qps_std=settings.precision_qps_std,
        queue_delay_ms=settings.precision_queue_ms,
        calm_delay_ms=settings.precision_calm_ms,
        down_after_s=settings.precision_down_s,
        up_after_s=settings.precision_up_s,
        dwell_s=settings.precision_dwell_s,
        agreement=settings.precision_agreement,
        recovery=max(settings.precision_agreement, Rules().recovery),
    )
    return Setup(
        rules,
        settings.home / FOLDER,
        settings.precision_pin,
        settings.precision_shadow,
        settings.precision_gradient_log,
        settings.precision_probe,
    )
