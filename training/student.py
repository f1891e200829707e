"""The cross-encoder while it is taught: pairs in, logits with their graph out, and its weights in groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor
from torch.nn import Parameter

from models.crossencoder import CrossEncoder
from models.pairs import Pair, PairTokenizer, collate

GROUPS = ("lora", "gate", "head")


class Student:
    """A cross-encoder on a device, in training mode unless `evaluating`."""

    def __init__(self, network: CrossEncoder, tokenizer: PairTokenizer, device: str = "cpu") -> None:
        self.network = network.to(device).train()
        self.tokenizer = tokenizer
        self.device = device

    def pairs(self, query: str, texts: Sequence[str]) -> list[Pair]:
        """Each text beside the query, cut to what the network reads."""
        return self.tokenizer.pairs(query, texts)

    def logits(self, pairs: Sequence[Pair], timings: Tensor) -> Tensor:
        """(n,) float32 logits; timings (n, F) float32."""
        batch = collate(pairs, self.tokenizer.framing).to(self.device)
        logits: Tensor = self.network(batch, timings.to(self.device))
        return logits

    def groups(self) -> Mapping[str, list[Parameter]]:
        """What is trained: lora (inside the backbone), gate (all that hears time), head. Empty groups are left out."""
        found: dict[str, list[Parameter]] = {name: [] for name in GROUPS}
        for name, parameter in self.network.named_parameters():
            if parameter.requires_grad:
                found[_GROUP_OF[name.partition(".")[0]]].append(parameter)
        return {name: parameters for name, parameters in found.items() if parameters}

    @contextmanager
    def evaluating(self) -> Iterator[None]:
        """Logits inside are those that the finished model gives: no dropout, no graph."""
        self.network.eval()
        try:
            with torch.no_grad():
                yield
        finally:
            self.network.train()


# The first part of a parameter's name in the cross-encoder.
_GROUP_OF: Mapping[str, str] = {"network": "lora", "time": "gate", "gates": "gate", "head": "head"}
