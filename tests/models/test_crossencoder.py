"""The network: gate and adapters change nothing at birth, can be switched off, and are merged without a trace."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from models.backbone import embed, encode
from models.backbones import load_backbone
from models.crossencoder import CrossEncoder, CrossSettings
from models.errors import ModelDamaged, UnknownModel
from models.lora import LoraSettings, merge_lora
from models.pairs import PairBatch, PairTokenizer, collate

FEATURES = 6
SETTINGS = CrossSettings(features=FEATURES)
EVERY = ("query", "key", "value", "attention_output", "up", "down")


def made(settings: CrossSettings = SETTINGS, seed: int = 0) -> CrossEncoder:
    torch.manual_seed(seed)
    return CrossEncoder(load_backbone("tiny"), settings).eval()


def shaken(settings: CrossSettings = SETTINGS, seed: int = 0, scale: float = 0.2) -> CrossEncoder:
    """A network whose trained parts are all away from their birth."""
    network = made(settings, seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.requires_grad:
                parameter += scale * torch.randn(parameter.shape, generator=generator)
    return network


def some(network: CrossEncoder, count: int = 4) -> tuple[PairBatch, Tensor]:
    texts = [f"award {'x' * at} for study" for at in range(count)]
    batch = collate(PairTokenizer(network.backbone).pairs("a query", texts), network.backbone.framing)
    return batch, torch.rand(count, FEATURES, generator=torch.Generator().manual_seed(1)) * 2 - 1


def test_embedding_and_encoding_apart_are_the_backbones_own_forward_pass():
    network = made()
    batch, _ = some(network)
    apart = encode(network.network, embed(network.network, batch.ids, batch.segments), batch.mask)
    whole = network.network(
        input_ids=batch.ids, attention_mask=batch.mask, token_type_ids=batch.segments
    ).last_hidden_state
    assert torch.equal(apart, whole)


@pytest.mark.parametrize("gates", [("input",), ("pooled",), ("input", "pooled")])
@pytest.mark.parametrize("pooling", ["first_mean", "segments"])
def test_gate_and_adapters_change_nothing_at_birth(gates, pooling):
    network = made(replace(SETTINGS, gates=gates, pooling=pooling))
    batch, timings = some(network)
    found = network(batch, timings)
    assert found.shape == (4,)
    assert found.dtype == torch.float32
    assert torch.equal(found, network(batch, timings, gated=False))
    bare = made(replace(SETTINGS, gates=(), lora=None, pooling=pooling))
    bare.head.load_state_dict(network.head.state_dict())
    assert torch.allclose(found, bare(batch, timings), atol=1e-6)


@pytest.mark.parametrize("gates", [("input",), ("pooled",), ("input", "pooled")])
def test_a_trained_gate_hears_time_and_can_be_switched_off(gates):
    network = shaken(replace(SETTINGS, gates=gates))
    batch, timings = some(network)
    assert (network(batch, timings) - network(batch, -timings)).abs().min() > 1e-4
    assert torch.equal(network(batch, timings, gated=False), network(batch, -timings, gated=False))


def test_the_gradient_reaches_adapters_gates_and_head_and_nothing_else():
    network = made().train()
    batch, timings = some(network)
    network(batch, timings).square().sum().backward()
    touched = {
        name for name, value in network.named_parameters() if value.grad is not None and value.grad.any()
    }
    assert any(".lora_B." in name for name in touched)
    assert {"gates.input.down.weight", "gates.pooled.down.weight", "head.out.weight"} <= touched
    assert not any(name.startswith("network.") and ".lora_" not in name for name in touched)


@pytest.mark.parametrize("targets", [("query", "key", "value"), EVERY, ("all-linear",)])
def test_merged_scores_are_the_unmerged_ones(targets):
    network = shaken(replace(SETTINGS, lora=LoraSettings(targets=targets, rank=4)), scale=0.05)
    batch, timings = some(network)
    before = network(batch, timings)
    merged = network.merge()(batch, timings)
    assert torch.allclose(before, merged, atol=1e-5)
    assert not any(".lora_" in name for name in network.state_dict())
    assert (before - made()(batch, timings)).abs().max() > 1e-2  # and the adapters were not idle


def test_the_merge_is_base_plus_scaled_product():
    settings = LoraSettings(targets=("value",), rank=2, alpha=6)
    network = shaken(replace(SETTINGS, lora=settings))
    state = network.state_dict()
    key = "network.encoder.layer.1.attention.self.value"
    expected = state[f"{key}.base_layer.weight"] + 3.0 * (
        state[f"{key}.lora_B.default.weight"] @ state[f"{key}.lora_A.default.weight"]
    )
    assert torch.allclose(network.merge().state_dict()[f"{key}.weight"], expected, atol=1e-6)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_weight_that_is_not_finite_is_refused_before_anything_is_merged(value):
    network = shaken()
    broken = network.network.get_submodule("encoder.layer.1.attention.self.value")
    with torch.no_grad():
        broken.lora_A["default"].weight[0, 0] = value
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    with pytest.raises(ModelDamaged, match=r"layer\.1\.attention\.self\.value"):
        merge_lora(network.network)
    after = network.state_dict()
    assert all(torch.equal(before[name], after[name]) or not before[name].isfinite().all() for name in before)


def test_an_unknown_target_is_named():
    with pytest.raises(UnknownModel, match=r"'querry'.*known: all-linear"):
        made(replace(SETTINGS, lora=LoraSettings(targets=("querry",))))


def test_targets_of_one_name_do_not_catch_another():
    # "output.dense" is also the end of "attention.output.dense".
    network = made(replace(SETTINGS, lora=LoraSettings(targets=("down",))))
    adapted = {name.rpartition(".lora_")[0] for name in network.state_dict() if ".lora_" in name}
    assert adapted == {f"network.encoder.layer.{layer}.output.dense" for layer in range(2)}


def test_the_share_counts_what_is_trained():
    network = made(replace(SETTINGS, gates=()))
    adapters = 2 * 3 * 2 * 8 * 32  # layers, targets, two matrices, rank, width
    head = sum(parameter.numel() for parameter in network.head.parameters())
    assert network.share().trained == adapters + head
    backbone = sum(parameter.numel() for parameter in load_backbone("tiny").network.parameters())
    assert network.share().total == backbone + adapters + head
    assert str(network.share()).endswith("%)")


def test_a_score_does_not_depend_on_its_batch_mates():
    network = shaken(replace(SETTINGS, pooling="segments"))
    batch, timings = some(network, 6)
    together = network(batch, timings)
    pairs = PairTokenizer(network.backbone).pairs(
        "a query", [f"award {'x' * at} for study" for at in range(6)]
    )
    for at, pair in enumerate(pairs):
        alone = network(collate([pair], network.backbone.framing), timings[at : at + 1])
        assert torch.allclose(alone[0], together[at], atol=1e-5)
