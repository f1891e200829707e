"""The reranker's network: a backbone with adapters, a time gate, a small head. Pairs and timings to logits.

    hidden = embed(ids)                  (B, T, H)
    hidden = input_gate(hidden, z)       what can be applied for colours every token
    hidden = encode(hidden)              the backbone's layers, with LoRA
    pooled = [first ; mean ; likeness]   (B, 3H), or without the likeness (B, 2H)
    pooled = pooled_gate(pooled, z)      and weighs the verdict once more
    logit  = head(pooled)                (B,)

A logit is comparable inside one query only. Without its gate the network judges the texts alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import torch
from torch import Tensor, nn

from models.backbone import Backbone, embed, encode, freeze
from models.gate import TimeEncoder, TimeGatedFFN
from models.lora import LoraSettings, Share, add_lora, merge_lora, share
from models.pairs import PairBatch

GatePosition = Literal["input", "pooled"]
Pooling = Literal["first_mean", "segments"]


@dataclass(frozen=True, slots=True)
class CrossSettings:
    """The shape of what stands on a backbone.

    features: F of the timings. gates: where time gates stand; () for none. pooling: "first_mean" is the first
    token and the mean of all; "segments" adds the product of the query's mean and the document's, in which a
    backbone trained as a bi-encoder already sees likeness. Widths are of hidden layers.
    """

    features: int
    gates: tuple[GatePosition, ...] = ("input", "pooled")
    pooling: Pooling = "segments"
    time_width: int = 64
    gate_width: int = 96
    head_width: int = 128
    dropout: float = 0.1
    lora: LoraSettings | None = field(default_factory=LoraSettings)


class Head(nn.Module):
    """(B, P) → (B,): a normalised hidden layer, then one number."""

    def __init__(self, width: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.hidden = nn.Linear(width, inner)
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(inner, 1)

    def forward(self, pooled: Tensor) -> Tensor:
        """(B,)."""
        inner = nn.functional.gelu(self.hidden(self.dropout(self.norm(pooled))))
        logits: Tensor = self.out(self.dropout(inner)).squeeze(-1)
        return logits


class CrossEncoder(nn.Module):
    """See above. Takes the backbone over: its weights are frozen, and adapters put into it.

    Parameters outside `network`, and the adapters inside, are what is trained and kept in a checkpoint. `encoder`,
    where it is set, computes the layers in the backbone's place: hidden (B, T, H), mask (B, T) → (B, T, H).
    """

    def __init__(self, backbone: Backbone, settings: CrossSettings) -> None:
        super().__init__()
        self.backbone = backbone
        self.settings = settings
        self.network = backbone.network
        freeze(self.network)
        if settings.lora is not None:
            add_lora(backbone, settings.lora)
        width = backbone.width
        pooled = width * (2 if settings.pooling == "first_mean" else 3)
        self.time = TimeEncoder(settings.features, settings.time_width) if settings.gates else None
        widths = {"input": width, "pooled": pooled}
        self.gates = nn.ModuleDict(
            {
                position: TimeGatedFFN(widths[position], settings.gate_width, settings.time_width)
                for position in settings.gates
            }
        )
        self.head = Head(pooled, settings.head_width, settings.dropout)
        self.encoder: Callable[[Tensor, Tensor], Tensor] | None = None

    def forward(self, batch: PairBatch, timings: Tensor, gated: bool = True) -> Tensor:
        """(B,) float32 logits. timings: (B, F); `gated` False leaves the time gate out."""
        time = self.time(timings) if gated and self.time is not None else None
        hidden = embed(
            self.network, batch.ids, batch.segments if self.backbone.segments else None
        )  # (B, T, H)
        hidden = self._gate("input", hidden, time)
        layers = self.encoder or partial(encode, self.network)
        hidden = layers(hidden, batch.mask)  # (B, T, H)
        pooled = self._gate("pooled", self._pool(hidden, batch), time)  # (B, P)
        logits: Tensor = self.head(pooled).float()
        return logits

    def merge(self) -> CrossEncoder:
        """Itself, in evaluation mode, with its adapters merged. Raises ModelDamaged on a weight that is not finite."""
        merge_lora(self.network)
        return self.eval()

    def share(self) -> Share:
        """The trained parameters, of all."""
        table = self.network.get_input_embeddings()
        packed = (
            0
            if isinstance(table, nn.Embedding)
            else int(self.network.config.vocab_size) * self.backbone.width
        )
        return share(self, packed)

    def _gate(self, position: GatePosition, hidden: Tensor, time: Tensor | None) -> Tensor:
        if time is None or position not in self.gates:
            return hidden
        gated: Tensor = self.gates[position](hidden, time)
        return gated

    def _pool(self, hidden: Tensor, batch: PairBatch) -> Tensor:
        """(B, T, H) → (B, P)."""
        mask = batch.mask.unsqueeze(-1).to(hidden.dtype)
        whole = _mean(hidden, mask)
        if self.settings.pooling == "first_mean":
            return torch.cat([hidden[:, 0], whole], dim=-1)
        document = batch.segments.unsqueeze(-1).to(hidden.dtype)
        likeness = _mean(hidden, mask * (1.0 - document)) * _mean(hidden, document)
        return torch.cat([hidden[:, 0], whole, likeness * hidden.shape[-1] ** 0.5], dim=-1)


def _mean(hidden: Tensor, weight: Tensor) -> Tensor:
    """Mean over tokens: (B, T, H), (B, T, 1) → (B, H)."""
    mean: Tensor = (hidden * weight).sum(1) / weight.sum(1).clamp_min(1.0)
    return mean
