"""The health of an NVIDIA device as its driver tells it; nothing is asked of a machine without one."""

from __future__ import annotations

import importlib
from typing import Any

from models.health import DeviceReading


class Nvml:
    """A `Device` by `nvidia-ml-py`. binding: the library, None = as installed; index: which device.

    A driver that stops answering and then does again was reset; until it does, nothing is told.
    """

    def __init__(self, binding: Any = None, index: int = 0) -> None:  # noqa: ANN401 - it ships no types
        self._binding = binding
        self._index = index
        self._handle: Any = None
        self._opened = False
        self._lost = False
        self._resets = 0

    def read(self) -> DeviceReading | None:
        """What the device reports; None without driver or device, or while it does not answer."""
        binding = self._binding = self._binding or importlib.import_module("pynvml")
        try:
            if self._handle is None:
                self._open(binding)
            temperature = binding.nvmlDeviceGetTemperature(self._handle, binding.NVML_TEMPERATURE_GPU)
        except binding.NVMLError:
            self._lost = self._lost or self._opened
            self._handle = None
            return None
        if self._lost:
            self._lost, self._resets = False, self._resets + 1
        return DeviceReading(float(temperature), self._ecc_errors(binding), self._resets)

    def _open(self, binding: Any) -> None:  # noqa: ANN401
        binding.nvmlInit()
        self._handle = binding.nvmlDeviceGetHandleByIndex(self._index)
        self._opened = True

    def _ecc_errors(self, binding: Any) -> int:  # noqa: ANN401
        """Uncorrected memory errors since the driver was loaded; 0 for memory that does not count them."""
        try:
            return int(
                binding.nvmlDeviceGetTotalEccErrors(
                    self._handle, binding.NVML_MEMORY_ERROR_TYPE_UNCORRECTED, binding.NVML_VOLATILE_ECC
                )
            )
        except binding.NVMLError:
            return 0
