"""The manifest of a checkpoint: what it stands on, what it was trained to read, and how it came about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from models.crossencoder import CrossSettings
from models.errors import ModelDamaged, ModelForeign
from models.lora import LoraSettings

MANIFEST = "manifest.json"
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything that belongs to a checkpoint but its weights.

    name: what the reranker is called. timing, portrait: fingerprints of what it was trained to read. metadata: the
    trainer's own remarks (data hashes, seed, versions, scores), JSON values; they change no score.
    """

    name: str
    backbone: str
    backbone_fingerprint: str
    settings: CrossSettings
    max_document_tokens: int
    timing: str
    portrait: str
    weights_sha256: str
    metadata: Mapping[str, object]

    @property
    def weights(self) -> str:
        """The name of the file that holds the weights."""
        return f"weights-{self.weights_sha256[:12]}.safetensors"

    @property
    def fingerprint(self) -> str:
        """Changes with everything that changes a logit."""
        judged = _plain(replace(self, name="", metadata={}))
        return f"{self.name}-{sha256(json.dumps(judged, sort_keys=True).encode()).hexdigest()[:12]}"

    def expect(self, timing: str, portrait: str) -> None:
        """Nothing, when it was trained on these features and texts. Raises ModelForeign otherwise."""
        for what, own, here in (("timing", self.timing, timing), ("portrait", self.portrait, portrait)):
            if own != here:
                raise ModelForeign(
                    f"{self.name} was trained on {what} {own}; here it is {here}: train it anew"
                )


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Nothing; a break leaves the former file or this one."""
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(_plain(manifest), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    part.replace(path)


def remember(folder: Path, remarks: Mapping[str, object]) -> None:
    """Nothing; `remarks` are added to the metadata of the checkpoint in `folder`, or replace those of their name."""
    manifest = read_manifest(folder)
    write_manifest(folder / MANIFEST, replace(manifest, metadata={**manifest.metadata, **remarks}))


def read_manifest(folder: Path) -> Manifest:
    """The manifest in `folder`. Raises ModelDamaged when there is none, or none that this version can read."""
    path = folder / MANIFEST
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelDamaged(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise ModelDamaged(f"{path}: {error}") from error
    try:
        if raw.pop("format") != _FORMAT:
            raise ModelDamaged(f"{path}: written by another version")
        manifest = Manifest(**{**raw, "settings": _settings(dict(raw["settings"]))})
        _check(manifest)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ModelDamaged(f"{path}: not a manifest of a cross-encoder ({error})") from error
    return manifest


def _plain(manifest: Manifest) -> dict[str, Any]:
    """The JSON form."""
    return {"format": _FORMAT, **asdict(replace(manifest, metadata={})), "metadata": dict(manifest.metadata)}


def _settings(raw: dict[str, Any]) -> CrossSettings:
    lora = raw.pop("lora")
    if lora is not None:
        lora = LoraSettings(**{**lora, "targets": tuple(lora["targets"])})
    return CrossSettings(**{**raw, "gates": tuple(raw["gates"]), "lora": lora})


def _check(manifest: Manifest) -> None:
    """Raises ValueError where a value could not be used; the file name is made of one of them."""
    texts = (
        manifest.name,
        manifest.backbone,
        manifest.backbone_fingerprint,
        manifest.timing,
        manifest.portrait,
        manifest.weights_sha256,
    )
    if not all(isinstance(text, str) for text in texts) or not isinstance(manifest.metadata, Mapping):
        raise ValueError("a text is no text")
    if len(manifest.weights_sha256) != 64 or set(manifest.weights_sha256) - set("0123456789abcdef"):
        raise ValueError("weights_sha256 is no SHA-256")
    if manifest.max_document_tokens < 1 or manifest.settings.features < 1:
        raise ValueError("a size below 1")
