"""The ladder of a real service: engines and their probe, the gradient's stream, the device, the record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from models.nvml import Nvml
from models.selftest import ProbeList
from models.shipped import CHECKPOINT

from .judging import LateJudge
from .library import Library
from .precision.gradient import Gradient, ProbeStream, TrainerStream
from .precision.keeper import GradientSource, Keeper, Parts
from .precision.probe import MOST_LISTS, STREAM, Probe
from .precision.record import Record
from .precision.rest import Nothing
from .precision.setup import Setup, setup_of
from .probing import probe_lists
from .settings import Settings


class _Probed:
    """The stream of a probe that is tended whenever it is read."""

    def __init__(self, stream: ProbeStream, probe: Probe) -> None:
        self._stream, self._probe = stream, probe

    def reading(self, now: float) -> Gradient:
        """What the probe found."""
        self._probe.tend()
        return self._stream.reading(now)


def open_ladder(settings: Settings, library: Callable[[], Library]) -> Keeper:
    """The ladder of `settings`, not begun. library: the one that is searched when it is asked for.

    Raises ValueError where thresholds contradict one another.
    """
    setup = setup_of(settings)
    source, probe = _gradient(setup)

    def lists(queries: Sequence[str]) -> Sequence[ProbeList]:
        held = library()
        if probe is not None and not queries:
            probe.write(probe_lists(held, most=MOST_LISTS))
        return probe_lists(held, queries)

    record = None if setup.folder is None else Record(setup.folder)
    parts = Parts(LateJudge(), lists, source, Nvml(), record)
    if probe is not None:
        parts = replace(parts, close=probe.close, begun=probe.hold)
    return Keeper(setup, parts)


def _gradient(setup: Setup) -> tuple[GradientSource, Probe | None]:
    if setup.gradient_log is not None:
        return TrainerStream(setup.gradient_log), None
    if setup.folder is None or not setup.probes:
        return Nothing(), None
    probe = Probe(setup.folder, CHECKPOINT)
    return _Probed(ProbeStream(setup.folder / STREAM), probe), probe
