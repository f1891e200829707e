"""Which bits each rung takes, and a network put on it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from torch import nn

from models.crossencoder import CrossEncoder
from models.errors import ModelMissing
from models.rung import Rung

from .encoder import Mix, quantised_encoder
from .library import Instructions

MIXES: Mapping[Rung, Mix] = MappingProxyType(
    {"int8": lambda _layer, _role: 8, "int4": lambda _layer, _role: 4}
)


def quantise_layers(network: CrossEncoder, rung: Rung, path: Instructions | None = None) -> None:
    """Nothing; `network`, whose adapters are merged, computes its layers on `rung` and lets the float ones go.

    Raises ModelMissing for a rung or a backbone the kernel does not know, or where it was not built; ModelDamaged for a
    weight that is not finite.
    """
    mix = MIXES.get(rung)
    if mix is None:
        raise ModelMissing(f"the native kernel does not compute in {rung}")
    network.encoder = quantised_encoder(network.backbone, mix, path=path)
    network.network.encoder = nn.Identity()
