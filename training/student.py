"""The cross-encoder while it is taught: pairs in, logits with their graph out, and its weights in groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from peft.tuners.lora import LoraLayer
from torch import Tensor, nn
from torch.nn import Parameter

from models.crossencoder import CrossEncoder
from models.pairs import Pair, PairTokenizer, collate
from training.settings import Precision

GROUPS = ("lora", "gate", "head")
_DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


class Student:
    """A cross-encoder on a device, in training mode unless `evaluating`.

    In mixed precision the frozen matrices are kept in it, as they would be turned in every pass otherwise; what is
    trained stays in float32. The frozen backbone has no dropout: what cannot learn needs no noise.
    """

    def __init__(
        self,
        network: CrossEncoder,
        tokenizer: PairTokenizer,
        device: str = "cpu",
        precision: Precision = "fp32",
    ) -> None:
        self.network = network.to(device)
        self.tokenizer = tokenizer
        self.device = device
        self._dtype = _DTYPES[precision]
        # Short rows: plain matrix products have the faster backward pass on a CPU.
        network.network.set_attn_implementation("eager" if device == "cpu" else "sdpa")
        if precision != "fp32":
            for module in network.network.modules():
                if isinstance(module, nn.Linear) and not module.weight.requires_grad:
                    module.to(self._dtype)
        self._learn()

    def pairs(self, query: str, texts: Sequence[str]) -> list[Pair]:
        """Each text beside the query, cut to what the network reads."""
        return self.tokenizer.pairs(query, texts)

    def logits(self, pairs: Sequence[Pair], timings: Tensor) -> Tensor:
        """(n,) float32 logits; timings (n, F) float32."""
        batch = collate(pairs, self.tokenizer.framing).to(self.device)
        with torch.autocast(self.device, dtype=self._dtype, enabled=self._dtype != torch.float32):
            logits: Tensor = self.network(batch, timings.to(self.device))
        return logits.float()

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
            self._learn()

    def _learn(self) -> None:
        self.network.train()
        self.network.network.eval()
        for module in self.network.network.modules():
            if isinstance(module, LoraLayer):
                module.lora_dropout.train()


# The first part of a parameter's name in the cross-encoder.
_GROUP_OF: Mapping[str, str] = {"network": "lora", "time": "gate", "gates": "gate", "head": "head"}
