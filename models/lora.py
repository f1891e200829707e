"""Low-rank adapters (by `peft`) on a backbone: put in, counted, merged.

Merging is done in float before anything is quantised, and a weight that is not finite is refused: it would spread
to every score without a word.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from peft import LoraConfig, inject_adapter_in_model
from peft.tuners.lora import LoraLayer
from torch import nn

from models.backbone import Backbone
from models.errors import ModelDamaged, UnknownModel


@dataclass(frozen=True, slots=True)
class LoraSettings:
    """targets: roles of `models.backbone.BERT_MAPS`, or "all-linear" alone. rank, alpha, dropout: as in LoRA."""

    targets: tuple[str, ...] = ("query", "key", "value")
    rank: int = 8
    alpha: int = 16
    dropout: float = 0.0


@dataclass(frozen=True, slots=True)
class Share:
    """How many parameters are trained, of how many."""

    trained: int
    total: int

    def __str__(self) -> str:
        """E.g. "110,592 of 22,573,056 parameters (0.49 %)"."""
        return f"{self.trained:,} of {self.total:,} parameters ({100.0 * self.trained / self.total:.2f} %)"


def add_lora(backbone: Backbone, settings: LoraSettings) -> None:
    """Nothing; the backbone's network gets adapters that change nothing yet (B is zero), the rest is frozen.

    Raises UnknownModel when a target is no linear map of this backbone.
    """
    known = {"all-linear", *backbone.maps}
    if unknown := sorted(set(settings.targets) - known):
        raise UnknownModel(
            f"no LoRA target {unknown[0]!r} in {backbone.name}; known: {', '.join(sorted(known))}"
        )
    names = [name for target in settings.targets for name in backbone.linear(target)]
    config = LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules=names,
        bias="none",
    )
    inject_adapter_in_model(config, backbone.network)


def merge_lora(network: nn.Module) -> None:
    """Nothing; every adapter is added to the weight it stands beside, and gone.

    Raises ModelDamaged, before anything is changed, when a weight or its adapter is not finite.
    """
    adapted = [(name, module) for name, module in network.named_modules() if isinstance(module, LoraLayer)]
    for name, module in adapted:
        if not all(bool(torch.isfinite(value).all()) for value in module.parameters()):
            raise ModelDamaged(f"{name}: a weight is not finite; not merged")
    for name, module in adapted:
        module.merge(safe_merge=True)
        parent, _, child = name.rpartition(".")
        setattr(network.get_submodule(parent), child, module.get_base_layer())


def share(module: nn.Module, total: int = 0) -> Share:
    """Of all parameters of `module` (and `total` more that are none, as a packed word table), the trained ones."""
    sizes = [(parameter.numel(), parameter.requires_grad) for parameter in module.parameters()]
    return Share(sum(size for size, trained in sizes if trained), total + sum(size for size, _ in sizes))
