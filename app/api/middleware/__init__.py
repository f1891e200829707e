"""Pure ASGI middleware, outermost first; each does one thing in about thirty lines."""

from __future__ import annotations

from .body_limit import BodyLimit
from .correlation import Correlation
from .measurement import Measurement
from .safety import SafetyHeaders
from .shield import HeadAsGet, Shield

__all__ = ["BodyLimit", "Correlation", "HeadAsGet", "Measurement", "SafetyHeaders", "Shield"]
