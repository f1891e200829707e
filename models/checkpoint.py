"""A trained cross-encoder on disk: what was trained, and a manifest that says what it belongs to.

    manifest.json               backbone, settings, fingerprints, and what the trainer wants remembered
    weights-<hash>.safetensors  adapters, gates and head in fp16; never the backbone, which comes by its name

Tensors are read by safetensors alone: nothing in a checkpoint is run. The manifest is replaced last and names the
weights it belongs to, so a break while writing leaves the former checkpoint whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from models.backbones import load_backbone
from models.crossencoder import CrossEncoder
from models.errors import ModelDamaged
from models.manifest import MANIFEST, Manifest, read_manifest, write_manifest


def save_checkpoint(
    folder: Path,
    network: CrossEncoder,
    *,
    name: str,
    timing: str,
    portrait: str,
    max_document_tokens: int,
    metadata: Mapping[str, object],
) -> Manifest:
    """The manifest of what was written to `folder`, which is made when it is not there.

    timing, portrait: fingerprints of the features and of the document texts it was trained on. metadata: JSON values.
    Raises ModelDamaged, and writes nothing, when a weight is not finite in fp16 or the adapters are merged already.
    """
    trained = {key: value.detach().half().cpu().contiguous() for key, value in _trained(network).items()}
    for key, value in trained.items():
        if not torch.isfinite(value).all():
            raise ModelDamaged(f"{key} is not finite in fp16; not saved")
    content = save(trained)
    manifest = Manifest(
        name=name,
        backbone=network.backbone.name,
        backbone_fingerprint=network.backbone.fingerprint,
        settings=network.settings,
        max_document_tokens=max_document_tokens,
        timing=timing,
        portrait=portrait,
        weights_sha256=sha256(content).hexdigest(),
        metadata=metadata,
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / manifest.weights).write_bytes(content)
    write_manifest(folder / MANIFEST, manifest)
    for other in folder.glob("weights-*.safetensors"):
        if other.name != manifest.weights:
            other.unlink()
    return manifest


def load_checkpoint(folder: Path, backbone: str | None = None) -> CrossEncoder:
    """The network kept in `folder`, its adapters merged, in evaluation mode.

    `backbone` takes the place of the manifest's name, for one that lies in a folder. Raises ModelDamaged when the files
    are not whole or belong to another backbone, and what `load_backbone` raises.
    """
    return resume_checkpoint(folder, backbone).merge()


def resume_checkpoint(folder: Path, backbone: str | None = None) -> CrossEncoder:
    """As `load_checkpoint`, but with the adapters beside their weights: to be trained further."""
    manifest = read_manifest(folder)
    weights = _read(folder / manifest.weights, manifest)
    found = load_backbone(backbone or manifest.backbone)
    if found.fingerprint != manifest.backbone_fingerprint:
        raise ModelDamaged(
            f"{folder} stands on the backbone {manifest.backbone_fingerprint}, here is {found.fingerprint}"
        )
    network = CrossEncoder(found, manifest.settings)
    expected = _trained(network)
    if wrong := sorted(expected.keys() ^ weights.keys()):
        raise ModelDamaged(f"{folder}: {wrong[0]} is missing or not expected")
    for key, value in expected.items():
        if value.shape != weights[key].shape:
            raise ModelDamaged(f"{folder}: {key} is {tuple(weights[key].shape)}, not {tuple(value.shape)}")
    network.load_state_dict({key: value.float() for key, value in weights.items()}, strict=False)
    return network


def _trained(network: CrossEncoder) -> dict[str, Tensor]:
    """What a checkpoint keeps, by name: all outside the backbone, and the adapters inside."""
    state = network.state_dict()
    found = {key: value for key, value in state.items() if not key.startswith("network.") or ".lora_" in key}
    if network.settings.lora is not None and not any(".lora_" in key for key in found):
        raise ModelDamaged("the adapters are merged already; a checkpoint keeps them apart")
    return found


def _read(path: Path, manifest: Manifest) -> dict[str, Tensor]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelDamaged(f"{path}: {error.strerror}") from error
    if sha256(content).hexdigest() != manifest.weights_sha256:
        raise ModelDamaged(f"{path} is not the file that its manifest names")
    try:
        weights: dict[str, Tensor] = load(content)
    except SafetensorError as error:
        raise ModelDamaged(f"{path}: {error}") from error
    return weights
