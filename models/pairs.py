"""A query and a document as one row of token ids. The query is kept whole; the document is cut at its end."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.backbone import Backbone, Framing

Tokens = NDArray[np.int32]
MAX_DOCUMENT_TOKENS = 128
# Of the network's positions, what a query may not take from the document.
_LEAST_DOCUMENT_TOKENS = 32
_KEPT_DOCUMENTS = 20_000


@dataclass(frozen=True, slots=True)
class Pair:
    """One input. ids: (n,) int32. start: where the document begins. truncated: something was left out."""

    ids: Tokens
    start: int
    truncated: bool

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class PairBatch:
    """Inputs of one forward pass: (B, T) int64 each.

    mask: 1 for real tokens. segments: 1 for the document and the marks after it.
    """

    ids: Tensor
    mask: Tensor
    segments: Tensor

    def to(self, device: torch.device | str) -> PairBatch:
        """The same on `device`."""
        return PairBatch(self.ids.to(device), self.mask.to(device), self.segments.to(device))

    def __len__(self) -> int:
        return len(self.ids)


class PairTokenizer:
    """Texts to pairs for one backbone; the tokens of recent documents are kept. Safe to use from several threads.

    max_document_tokens bounds the document side, marks not counted.
    """

    def __init__(
        self,
        backbone: Backbone,
        max_document_tokens: int = MAX_DOCUMENT_TOKENS,
        kept: int = _KEPT_DOCUMENTS,
    ) -> None:
        self.framing = backbone.framing
        self.max_tokens = backbone.max_tokens
        self.max_document_tokens = max_document_tokens
        self._tokenizer = backbone.tokenizer
        self._kept = kept
        self._documents: OrderedDict[bytes, Tokens] = OrderedDict()
        self._lock = Lock()

    def pairs(self, query: str, documents: Sequence[str]) -> list[Pair]:
        """One pair a document, in order."""
        asked = self._encode([query])[0]
        room = self.max_tokens - len(self.framing) - _LEAST_DOCUMENT_TOKENS
        # A query longer than the network can read at all is the only one that is ever cut, and said to be.
        return [
            self._pair(asked[:room], tokens, len(asked) > room) for tokens in self._document_tokens(documents)
        ]

    def _pair(self, query: Tokens, document: Tokens, truncated: bool) -> Pair:
        marks = self.framing
        room = min(self.max_document_tokens, self.max_tokens - len(marks) - len(query))
        ids = np.concatenate([marks.opening, query, marks.between, document[:room], marks.closing]).astype(
            np.int32
        )
        start = len(marks.opening) + len(query) + len(marks.between)
        return Pair(ids, start, truncated or len(document) > room)

    def _document_tokens(self, documents: Sequence[str]) -> list[Tokens]:
        keys = [blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in documents]
        with self._lock:
            found = {key: self._documents[key] for key in keys if key in self._documents}
            for key in found:
                self._documents.move_to_end(key)
        missing = {key: text for key, text in zip(keys, documents, strict=True) if key not in found}
        if missing:
            found |= dict(zip(missing, self._encode(list(missing.values())), strict=True))
            self._keep({key: found[key] for key in missing})
        return [found[key] for key in keys]

    def _keep(self, fresh: dict[bytes, Tokens]) -> None:
        with self._lock:
            self._documents.update(fresh)
            while len(self._documents) > self._kept:
                self._documents.popitem(last=False)

    def _encode(self, texts: list[str]) -> list[Tokens]:
        """Token ids without marks; a little more than is ever used, so that a cut is noticed."""
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        encodings = self._tokenizer.encode_batch(clean, add_special_tokens=False)
        return [np.array(encoding.ids[: self.max_tokens + 1], np.int32) for encoding in encodings]


def collate(pairs: Sequence[Pair], framing: Framing) -> PairBatch:
    """The pairs as one batch, padded to the longest."""
    width = max(len(pair) for pair in pairs)
    ids = np.full((len(pairs), width), framing.pad, np.int64)
    mask = np.zeros((len(pairs), width), np.int64)
    segments = np.zeros((len(pairs), width), np.int64)
    for row, pair in enumerate(pairs):
        ids[row, : len(pair)] = pair.ids
        mask[row, : len(pair)] = 1
        segments[row, pair.start : len(pair)] = 1
    return PairBatch(torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(segments))


def by_cost(lengths: Sequence[int], batch_tokens: int) -> list[list[int]]:
    """Positions in batches of at most `batch_tokens` padded tokens, at least one each, the longest first.

    lengths: of each input, in tokens. Alike lengths share a batch, so that little is padded.
    """
    batches: list[list[int]] = []
    longest = 0
    for at in sorted(range(len(lengths)), key=lambda at: (-lengths[at], at)):
        if batches and longest * (len(batches[-1]) + 1) <= batch_tokens:
            batches[-1].append(at)
        else:
            batches.append([at])
            longest = lengths[at]
    return batches
