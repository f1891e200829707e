"""Checkpoints: what comes back scores as what was saved; what is damaged or foreign is refused by name."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from models.backbones import BACKBONES, load_backbone
from models.checkpoint import load_checkpoint, resume_checkpoint, save_checkpoint
from models.crossencoder import CrossEncoder, CrossSettings
from models.errors import ModelDamaged, ModelForeign
from models.lora import LoraSettings
from models.manifest import MANIFEST, Manifest, read_manifest
from models.pairs import PairTokenizer, collate

SETTINGS = CrossSettings(features=6, lora=LoraSettings(targets=("all-linear",), rank=2, alpha=4))
METADATA = {"data": {"train": "ab12"}, "seed": 7, "scores": {"mrr@5": 0.5}}


def trained(settings: CrossSettings = SETTINGS) -> CrossEncoder:
    """A network whose trained weights are numbers that fp16 holds exactly."""
    torch.manual_seed(0)
    network = CrossEncoder(load_backbone("tiny"), settings).eval()
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.requires_grad:
                parameter += 0.2 * torch.randn(parameter.shape, generator=generator)
                parameter.copy_(parameter.half().float())
    return network


def logits(network: CrossEncoder) -> torch.Tensor:
    pairs = PairTokenizer(network.backbone).pairs("a query", ["an award", "quite another award"])
    with torch.no_grad():
        found: torch.Tensor = network(
            collate(pairs, network.backbone.framing), torch.linspace(-1, 1, 12).view(2, 6)
        )
    return found


def saved(folder: Path, network: CrossEncoder) -> Manifest:
    return save_checkpoint(
        folder, network, name="test", timing="timing-1", portrait="portrait-1", max_document_tokens=96,
        metadata=METADATA,
    )  # fmt: skip


def test_what_comes_back_scores_as_what_was_saved(tmp_path):
    network = trained()
    manifest = saved(tmp_path, network)
    assert read_manifest(tmp_path) == manifest
    assert manifest.metadata == METADATA
    loaded = load_checkpoint(tmp_path)
    assert not loaded.training
    assert not any(".lora_" in name for name in loaded.state_dict())
    assert torch.allclose(logits(loaded), logits(network), atol=1e-5)


def test_it_can_be_trained_further(tmp_path):
    network = trained()
    saved(tmp_path, network)
    resumed = resume_checkpoint(tmp_path)
    assert any(".lora_" in name for name in resumed.state_dict())
    assert torch.equal(logits(resumed.eval()), logits(network))


def test_only_what_was_trained_is_kept_in_fp16(tmp_path):
    network = trained()
    manifest = saved(tmp_path, network)
    weights = load_file(tmp_path / manifest.weights)
    assert {value.dtype for value in weights.values()} == {torch.float16}
    assert sum(value.numel() for value in weights.values()) == network.share().trained
    assert sorted(file.name for file in tmp_path.iterdir()) == [MANIFEST, manifest.weights]


def test_the_fingerprint_follows_weights_and_settings_and_not_remarks(tmp_path):
    first = saved(tmp_path / "a", trained())
    again = save_checkpoint(
        tmp_path / "b", trained(), name="test", timing="timing-1", portrait="portrait-1",
        max_document_tokens=96, metadata={},
    )  # fmt: skip
    assert first.fingerprint == again.fingerprint
    assert replace(first, max_document_tokens=95).fingerprint != first.fingerprint
    other = trained()
    with torch.no_grad():
        other.head.out.bias.fill_(1.5)
    assert saved(tmp_path / "c", other).fingerprint != first.fingerprint


def test_a_newer_one_takes_the_place_of_the_older(tmp_path):
    saved(tmp_path, trained())
    other = trained()
    with torch.no_grad():
        other.head.out.bias.fill_(1.5)
    manifest = saved(tmp_path, other)
    assert sorted(file.name for file in tmp_path.iterdir()) == [MANIFEST, manifest.weights]
    assert torch.allclose(logits(load_checkpoint(tmp_path)), logits(other), atol=1e-5)


def test_a_break_before_the_manifest_leaves_the_former_checkpoint(tmp_path, monkeypatch):
    network = trained()
    saved(tmp_path, network)
    other = trained()
    with torch.no_grad():
        other.head.out.bias.fill_(1.5)

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("models.checkpoint.write_manifest", stopped)
    with pytest.raises(KeyboardInterrupt):
        saved(tmp_path, other)
    assert torch.allclose(logits(load_checkpoint(tmp_path)), logits(network), atol=1e-5)


def test_other_features_or_texts_are_foreign(tmp_path):
    manifest = saved(tmp_path, trained())
    manifest.expect("timing-1", "portrait-1")
    with pytest.raises(ModelForeign, match="timing-2"):
        manifest.expect("timing-2", "portrait-1")
    with pytest.raises(ModelForeign, match="portrait-2"):
        manifest.expect("timing-1", "portrait-2")


def test_another_backbone_is_refused(tmp_path, monkeypatch):
    saved(tmp_path, trained())
    grown = replace(load_backbone("tiny"), fingerprint="tiny-of-next-year")
    specs = {"tiny": replace(BACKBONES["tiny"], load=lambda _: grown)}
    monkeypatch.setattr("models.backbones.BACKBONES", specs)
    with pytest.raises(ModelDamaged, match="tiny-of-next-year"):
        load_checkpoint(tmp_path)


@pytest.mark.parametrize("value", [float("nan"), 1e6])
def test_what_fp16_cannot_hold_is_not_saved(tmp_path, value):
    network = trained()
    with torch.no_grad():
        network.head.out.bias.fill_(value)
    with pytest.raises(ModelDamaged, match=r"head\.out\.bias"):
        saved(tmp_path / "new", network)
    assert not (tmp_path / "new").exists()


def test_a_merged_network_is_not_saved(tmp_path):
    with pytest.raises(ModelDamaged, match="merged already"):
        saved(tmp_path, trained().merge())


def rewrite(folder: Path, **changes: object) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(manifest | changes))


def cut_weights(folder: Path) -> None:
    path = folder / read_manifest(folder).weights
    path.write_bytes(path.read_bytes()[:-8])


def lose_weights(folder: Path) -> None:
    (folder / read_manifest(folder).weights).unlink()


def drop_tensor(folder: Path) -> None:
    from hashlib import sha256

    manifest = read_manifest(folder)
    weights = load_file(folder / manifest.weights)
    del weights["head.out.bias"]
    save_file(weights, folder / "new")
    digest = sha256((folder / "new").read_bytes()).hexdigest()
    (folder / "new").rename(folder / f"weights-{digest[:12]}.safetensors")
    rewrite(folder, weights_sha256=digest)


def pickle_weights(folder: Path) -> None:
    from hashlib import sha256

    torch.save({"head": torch.zeros(1)}, folder / "new")
    digest = sha256((folder / "new").read_bytes()).hexdigest()
    (folder / "new").rename(folder / f"weights-{digest[:12]}.safetensors")
    rewrite(folder, weights_sha256=digest)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda folder: (folder / MANIFEST).unlink(), "No such file"),
        (lambda folder: (folder / MANIFEST).write_text("{"), "manifest.json"),
        (lambda folder: (folder / MANIFEST).write_text("[]"), "not a manifest"),
        (lambda folder: rewrite(folder, format=2), "another version"),
        (lambda folder: rewrite(folder, settings={}), "not a manifest"),
        (lambda folder: rewrite(folder, weights_sha256="../../etc/passwd"), "SHA-256"),
        (lambda folder: rewrite(folder, max_document_tokens="many"), "not a manifest"),
        (lambda folder: rewrite(folder, surprise=1), "surprise"),
        (cut_weights, "not the file"),
        (lose_weights, "No such file"),
        (drop_tensor, "head.out.bias is missing"),
        (pickle_weights, "weights-"),
    ],
)
def test_damage_is_told(tmp_path, damage, told):
    saved(tmp_path, trained())
    damage(tmp_path)
    with pytest.raises(ModelDamaged, match=told):
        load_checkpoint(tmp_path)


def test_other_shapes_are_told(tmp_path):
    saved(tmp_path, trained())
    settings = json.loads((tmp_path / MANIFEST).read_text())["settings"]
    rewrite(tmp_path, settings=settings | {"head_width": 64})
    with pytest.raises(ModelDamaged, match="head"):
        load_checkpoint(tmp_path)
