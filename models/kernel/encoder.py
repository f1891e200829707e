"""A backbone's layers in few bits, called like the backbone's own: hidden states in, hidden states out."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.backbone import Backbone
from models.errors import ModelDamaged, ModelMissing

from .library import PATHS, Instructions, LayerStruct, best_path, library
from .linear import Bits, Floats, QuantisedLinear, quantised

ROLES = ("query", "key", "value", "attention_output", "up", "down")
_STRUCT_NAMES = dict(zip(ROLES, ("query", "key", "value", "joined", "up", "down"), strict=True))
_NORMS = ("attention.output.LayerNorm", "output.LayerNorm")
_NORM_FIELDS = (("attention_gain", "attention_shift"), ("output_gain", "output_shift"))

Mix = Callable[[int, str], Bits]
"""The bits of the map of a role in a layer, both as `ROLES` and from 0."""


@dataclass(frozen=True, slots=True)
class QuantisedLayer:
    """The maps of one layer by role, and its two norms as (gain, shift)."""

    maps: Mapping[str, QuantisedLinear]
    norms: tuple[tuple[Floats, Floats], tuple[Floats, Floats]]

    def struct(self) -> LayerStruct:
        """What the kernel is told."""
        found = LayerStruct(**{_STRUCT_NAMES[role]: one.struct() for role, one in self.maps.items()})
        floats = ctypes.POINTER(ctypes.c_float)
        for names, values in zip(_NORM_FIELDS, self.norms, strict=True):
            for name, value in zip(names, values, strict=True):
                setattr(found, name, value.ctypes.data_as(floats))
        return found


class QuantisedEncoder:
    """The layers, ready. Safe to call from several threads: each call has a scratch of its own."""

    def __init__(
        self, layers: Sequence[QuantisedLayer], heads: int, eps: float, path: Instructions | None = None
    ) -> None:
        self._layers = tuple(layers)
        self._structs = (LayerStruct * len(layers))(*(one.struct() for one in layers))
        self._heads, self._eps = heads, eps
        self._width = layers[0].maps["query"].inputs
        self._inner = layers[0].maps["down"].inputs
        self.path: Instructions = path or best_path()

    @property
    def weight_bytes(self) -> int:
        """Bytes of all quantised weights with their scales."""
        return sum(one.weight_bytes for layer in self._layers for one in layer.maps.values())

    def __call__(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """(B, T, H) of the last layer, 0 where there is no token. hidden: (B, T, H); mask: (B, T), 1 for tokens."""
        there = mask.bool()
        packed: NDArray[np.float32] = np.ascontiguousarray(hidden[there].float().numpy())
        self.run(packed, there.sum(dim=1).numpy())
        found = torch.zeros_like(hidden)
        found[there] = torch.from_numpy(packed).to(hidden.dtype)
        return found

    def run(self, packed: NDArray[np.float32], lengths: NDArray[np.int64]) -> None:
        """Nothing; `packed` (tokens, H), texts of `lengths` tokens side by side, becomes the last layer's output."""
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        tokens, longest = int(starts[-1]), int(lengths.max(initial=0))
        kernel = library()
        sizes = (tokens, longest, self._width, self._inner, self._heads)
        scratch = np.empty(kernel.ss_scratch(*sizes), np.uint8)
        kernel.ss_encode(
            *(
                ctypes.addressof(self._structs),
                len(self._layers),
                self._heads,
                self._width,
                self._inner,
                self._eps,
            ),
            *(
                starts.ctypes.data,
                len(lengths),
                packed.ctypes.data,
                scratch.ctypes.data,
                PATHS.index(self.path),
            ),
        )


def quantised_encoder(
    backbone: Backbone,
    mix: Mix,
    importance: Mapping[str, Floats] | None = None,
    path: Instructions | None = None,
) -> QuantisedEncoder:
    """The layers of a backbone whose adapters are merged, each map in the bits that `mix` says.

    importance: mean square of each input of a map, by the map's name in the network. Raises ModelMissing for a
    backbone of another family, or where the kernel was not built; ModelDamaged for weights that are not finite.
    """
    library()
    layers = []
    for at in range(backbone.layers):
        modules = {role: _module(backbone, backbone.linear(role)[at]) for role in ROLES}
        maps = {}
        for role, module in modules.items():
            weight, bias = (_floats(part) for part in (module.weight, module.bias))
            known = None if importance is None else importance.get(backbone.linear(role)[at])
            try:
                maps[role] = quantised(weight, bias, mix(at, role), known)
            except ValueError as fault:
                raise ModelDamaged(f"layer {at}, {role}: {fault}") from fault
        stem = backbone.linear("query")[at].removesuffix(backbone.maps["query"])
        norms = [_module(backbone, stem + name) for name in _NORMS]
        pairs = [(_floats(norm.weight), _floats(norm.bias)) for norm in norms]
        layers.append(QuantisedLayer(maps, (pairs[0], pairs[1])))
    config = backbone.network.config
    return QuantisedEncoder(layers, int(config.num_attention_heads), float(config.layer_norm_eps), path)


def importances(backbone: Backbone, run: Callable[[], object]) -> dict[str, Floats]:
    """The mean square of each input of every map, by the map's name, over what `run` puts through the network."""
    sums: dict[str, Tensor] = {}
    counts: dict[str, int] = {}
    hooks = []
    for name in backbone.linear("all-linear"):

        def note(_module: nn.Module, inputs: tuple[Tensor, ...], name: str = name) -> None:
            rows = inputs[0].detach().float().reshape(-1, inputs[0].shape[-1])
            sums[name] = sums.get(name, torch.zeros(rows.shape[-1])) + rows.square().sum(dim=0)
            counts[name] = counts.get(name, 0) + len(rows)

        hooks.append(_module(backbone, name).register_forward_pre_hook(note))
    try:
        run()
    finally:
        for hook in hooks:
            hook.remove()
    return {name: (total / counts[name]).numpy().astype(np.float32) for name, total in sums.items()}


def _module(backbone: Backbone, name: str) -> nn.Module:
    try:
        found: nn.Module = backbone.network.get_submodule(name)
    except AttributeError as fault:
        raise ModelMissing(f"the native kernel knows no layers like those of {backbone.name}") from fault
    return found


def _floats(values: Tensor | nn.Module) -> Floats:
    if not isinstance(values, Tensor):
        raise ModelMissing("the native kernel knows no such layers")
    return np.ascontiguousarray(values.detach().float().numpy())
