"""What a driver tells, by a binding that is made up, and when the rungs are to be tried anew."""

from __future__ import annotations

import pytest

from models.health import DeviceReading, HealthState, watch
from models.nvml import Nvml
from models.recalibration import Calibration, RecalibrationRules, due


class DriverError(Exception):
    pass


class Binding:
    """The part of the driver's library that is asked."""

    NVMLError = DriverError
    NVML_TEMPERATURE_GPU, NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_VOLATILE_ECC = 0, 1, 0

    def __init__(self, temperature: int = 60, ecc: int | None = 0) -> None:
        self.temperature, self.ecc, self.up, self.opened = temperature, ecc, True, 0

    def nvmlInit(self) -> None:  # noqa: N802
        self._asked()
        self.opened += 1

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802
        self._asked()
        return index

    def nvmlDeviceGetTemperature(self, handle: int, sensor: int) -> int:  # noqa: N802
        self._asked()
        return self.temperature

    def nvmlDeviceGetTotalEccErrors(self, handle: int, kind: int, counter: int) -> int:  # noqa: N802
        self._asked()
        if self.ecc is None:
            raise DriverError("not supported")
        return self.ecc

    def _asked(self) -> None:
        if not self.up:
            raise DriverError("GPU is lost")


def test_it_reads_temperature_and_memory_errors() -> None:
    assert Nvml(Binding(71, 3)).read() == DeviceReading(71.0, 3, 0)
    assert Nvml(Binding(71, None)).read() == DeviceReading(71.0, 0, 0)


def test_a_driver_that_comes_back_was_reset_and_is_opened_again() -> None:
    binding = Binding()
    device = Nvml(binding)
    assert device.read() == DeviceReading(60.0, 0, 0)
    binding.up = False
    assert device.read() is None
    assert device.read() is None
    binding.up = True
    assert device.read() == DeviceReading(60.0, 0, 1)
    assert device.read() == DeviceReading(60.0, 0, 1)
    assert binding.opened == 2


def test_a_machine_without_a_device_has_nothing_to_tell() -> None:
    binding = Binding()
    binding.up = False
    device = Nvml(binding)
    assert device.read() is None
    binding.up = True  # the driver is loaded later: that is no reset
    assert device.read() == DeviceReading(60.0, 0, 0)


@pytest.mark.parametrize("temperature", [None, 20.0, 94.99])
def test_up_to_95_degrees_is_well(temperature) -> None:
    assert watch(HealthState(), DeviceReading(temperature), 0.0).health == "ok"


def test_hot_from_95_and_until_it_is_cool() -> None:
    state = HealthState()
    for temperature, health in ((95.0, "hot"), (88.0, "hot"), (87.9, "ok"), (90.0, "ok"), (97.0, "hot")):
        state = watch(state, DeviceReading(temperature), 0.0)
        assert state.health == health


def test_counters_that_a_reset_put_back_are_no_negative_news() -> None:
    state = watch(HealthState(), DeviceReading(60.0, 9, 0), 0.0)
    state = watch(state, DeviceReading(60.0, 0, 1), 1.0)
    assert state.health == "reset"
    state = watch(state, DeviceReading(60.0, 0, 1), 2.0)
    assert state.health == "ok"
    state = watch(state, DeviceReading(60.0, 2, 1), 3.0)
    assert state.health == "ecc"
    assert watch(state, DeviceReading(60.0, 2, 1), 602.9).health == "ecc"
    assert watch(state, DeviceReading(60.0, 2, 1), 603.0).health == "ok"


WEEK = [f"query {i}" for i in range(30)]


@pytest.mark.parametrize(
    ("last", "week", "left", "now", "cause"),
    [
        (Calibration(0.0), WEEK, False, 4000.0, "first"),
        (Calibration(0.0), WEEK[:19], False, 4000.0, None),
        (Calibration(0.0), WEEK, False, 3599.0, None),
        (Calibration(0.0, frozenset(WEEK)), WEEK, False, 4000.0, None),
        (Calibration(0.0, frozenset(WEEK)), WEEK, True, 4000.0, "quality"),
        (Calibration(0.0, frozenset(WEEK)), WEEK, True, 3000.0, None),
        (Calibration(0.0, frozenset(WEEK[:14])), WEEK, False, 4000.0, "drift"),
        (Calibration(0.0, frozenset(WEEK[:15])), WEEK, False, 4000.0, None),
        (Calibration(0.0, frozenset(WEEK)), WEEK, False, 7 * 86400.0, "age"),
    ],
)
def test_when_the_rungs_are_tried_anew(last, week, left, now, cause) -> None:
    assert due(last, week, left, now, RecalibrationRules()) == cause
