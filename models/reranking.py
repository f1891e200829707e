"""Scoring for service: one query and its documents to logits, as fast as a few cores allow.

Pairs of like length share a batch, so that little is padded; a batch is computed by one thread, and several threads
compute several batches, which beats several threads on one. A logit does not depend on what else is in its batch
beyond float rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from models.checkpoint import load_checkpoint
from models.cpu import available_cpus
from models.crossencoder import CrossEncoder
from models.kernel.rungs import quantise_layers
from models.manifest import read_manifest
from models.pairs import Pair, PairTokenizer, by_cost, collate
from models.rung import Rung
from models.scores import NOTHING, Scores

Logits = NDArray[np.float32]
BATCH_TOKENS = 1024
"""Padded tokens in one forward pass: enough to keep a core busy, few enough to stay in its cache."""


class CrossReranker:
    """A trained cross-encoder, its adapters merged. Safe to use from several threads.

    workers: threads that compute batches; as many as this process may use when None.
    """

    def __init__(
        self,
        name: str,
        fingerprint: str,
        network: CrossEncoder,
        tokenizer: PairTokenizer,
        workers: int | None = None,
        batch_tokens: int = BATCH_TOKENS,
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self._network = network.eval()
        self._tokenizer = tokenizer
        self._workers = workers or available_cpus()
        self._batch_tokens = batch_tokens

    def score(
        self, query: str, documents: Sequence[str], timings: NDArray[np.float32], gated: bool = True
    ) -> Scores:
        """The logits of one query against n documents; timings: (n, F). `gated` False leaves the time gate out.

        Raises ValueError when timings and documents do not match, or a timing is not what the network was trained on.
        """
        features = self._network.settings.features
        if timings.shape != (len(documents), features):
            raise ValueError(f"timings must be ({len(documents)}, {features}), got {timings.shape}")
        if not documents:
            return NOTHING
        pairs = self._tokenizer.pairs(query, documents)
        logits = self._logits(pairs, np.ascontiguousarray(timings, np.float32), gated)
        return Scores(logits, np.array([pair.truncated for pair in pairs], np.bool_))

    def _logits(self, pairs: list[Pair], timings: Logits, gated: bool) -> Logits:
        lengths = [len(pair) for pair in pairs]
        # Few pairs are shared out too: a worker without a batch helps nobody.
        fair = -(-sum(lengths) // self._workers)
        batches = by_cost(lengths, min(self._batch_tokens, max(fair, max(lengths))))
        logits = np.empty(len(pairs), np.float32)

        def compute(batch: list[int]) -> None:
            logits[batch] = self._forward([pairs[at] for at in batch], timings[batch], gated)

        if len(batches) == 1 or self._workers == 1:
            for batch in batches:
                compute(batch)
        else:
            with ThreadPoolExecutor(self._workers) as workers:
                list(workers.map(compute, batches))
        return logits

    def _forward(self, pairs: list[Pair], timings: Logits, gated: bool) -> Logits:
        torch.set_num_threads(1)  # of this thread's own pool
        with torch.inference_mode():
            batch = collate(pairs, self._tokenizer.framing)
            found: Logits = self._network(batch, torch.from_numpy(timings), gated).numpy()
        return found


def open_reranker(
    folder: Path, backbone: str | None = None, workers: int | None = None, rung: Rung = "fp16"
) -> CrossReranker:
    """The reranker kept in `folder`, ready; `backbone` says where its backbone lies if not under its own name.

    rung: int8 and int4 compute the layers with the native kernel, embeddings, gate and head as they were. Raises
    UnknownModel, ModelMissing (also where the kernel was not built) or ModelDamaged.
    """
    manifest = read_manifest(folder)
    network = load_checkpoint(folder, backbone)
    if rung != "fp16":
        quantise_layers(network, rung)
    tokenizer = PairTokenizer(network.backbone, manifest.max_document_tokens)
    return CrossReranker(manifest.name, manifest.fingerprint, network, tokenizer, workers)
