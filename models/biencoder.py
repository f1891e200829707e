"""A bi-encoder over a transformer: texts to unit vectors, mean-pooled.

Three steps, as everywhere in `models`: *pre* (prompt, tokens), *core* (the network), *post* (pool, normalise).
Texts are encoded in order of length so that little is padded, and a vector does not depend on its batch-mates
beyond float rounding.

One thread computes one batch. Two threads on one batch gain little at these sizes, and their pool fights with the one
of numpy's linear algebra over the same cores: with both at two threads a query took 22 ms (95th percentile 96), with
one 14 (25). Cores are used by several queries, or several batches, at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer
from torch import Tensor, nn

from models.cpu import available_cpus

Vector = NDArray[np.float32]
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model was trained to see in front of a text; empty for models without prompts."""

    query: str = ""
    passage: str = ""


@dataclass(frozen=True, slots=True)
class TransformerEncoder:
    """Mean pooling over `network`'s last hidden state; implements the `Encoder` protocol of the index.

    max_tokens bounds a text, special tokens included; batch_tokens bounds padded tokens in one forward pass.
    """

    name: str
    fingerprint: str
    dimension: int
    network: nn.Module
    tokenizer: Tokenizer
    prompt: Prompt
    max_tokens: int
    pad_id: int
    batch_tokens: int = 1024

    def encode_queries(self, texts: Sequence[str]) -> Vector:
        """(n, D) float32, unit length."""
        return self._encode([self.prompt.query + text for text in texts])

    def encode_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vector:
        """(n, D) float32, unit length; `progress` is told how many texts each batch finished."""
        return self._encode([self.prompt.passage + text for text in texts], progress)

    def _encode(self, texts: list[str], progress: Progress | None = None) -> Vector:
        encodings = self.tokenizer.encode_batch(texts)
        order = sorted(range(len(texts)), key=lambda at: len(encodings[at].ids))
        vectors = np.empty((len(texts), self.dimension), np.float32)
        batches = self._batches(order, encodings)
        if len(batches) == 1:
            vectors[batches[0]] = self._forward([encodings[at].ids for at in batches[0]])
            return vectors
        with ThreadPoolExecutor(available_cpus()) as workers:
            computed = workers.map(lambda batch: self._forward([encodings[at].ids for at in batch]), batches)
            for batch, found in zip(batches, computed, strict=True):
                vectors[batch] = found
                if progress:
                    progress(len(batch))
        return vectors

    def _batches(self, order: list[int], encodings: list[Encoding]) -> list[list[int]]:
        """Runs of `order` whose padded size stays within `batch_tokens`; at least one text each."""
        batches: list[list[int]] = []
        for at in order:
            longest = min(
                len(encodings[at].ids), self.max_tokens
            )  # order is ascending: the newest is longest
            if batches and longest * (len(batches[-1]) + 1) <= self.batch_tokens:
                batches[-1].append(at)
            else:
                batches.append([at])
        return batches

    def _forward(self, token_ids: list[list[int]]) -> Vector:
        width = min(max(len(ids) for ids in token_ids), self.max_tokens)
        ids = np.full((len(token_ids), width), self.pad_id, np.int64)
        mask = np.zeros((len(token_ids), width), np.int64)
        for row, tokens in enumerate(token_ids):
            kept = tokens if len(tokens) <= width else [*tokens[: width - 1], tokens[-1]]  # keep the end mark
            ids[row, : len(kept)] = kept
            mask[row, : len(kept)] = 1
        torch.set_num_threads(1)  # of this thread's own pool; see above
        with torch.inference_mode():
            hidden = self.network(
                input_ids=torch.from_numpy(ids), attention_mask=torch.from_numpy(mask)
            ).last_hidden_state  # (B, T, H)
        return _pool(hidden, torch.from_numpy(mask))


def _pool(hidden: Tensor, mask: Tensor) -> Vector:
    """Mean over real tokens, then unit length: (B, T, H), (B, T) → (B, H)."""
    weight = mask.unsqueeze(-1).to(hidden.dtype)
    mean = (hidden * weight).sum(1) / weight.sum(1).clamp_min(1.0)
    unit: Vector = nn.functional.normalize(mean.float(), dim=-1).numpy()
    return unit
