"""Weights that come in an installed package: where its files lie, and which version it is."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from pathlib import Path

from models.errors import ModelMissing


def package_folder(name: str, module: str, package: str) -> Path:
    """The folder of `module`. Raises ModelMissing, with the command that installs it, for the model `name`."""
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        raise ModelMissing(f"{name} needs the package {package}: pip install {package}")
    return Path(found.origin).parent


def package_version(package: str) -> str:
    """The installed version; "" when it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""
