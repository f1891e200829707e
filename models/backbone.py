"""What a cross-encoder stands on: a transformer encoder, its tokenizer, and how two texts become one input.

A pair is `opening query between document closing`: `[CLS] q [SEP] d [SEP]` for BERT, `<s> q </s></s> d </s>` for the
XLM-R family.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.masking_utils import create_bidirectional_mask

# The linear maps of a layer, by what they do; where they lie differs between families.
BERT_MAPS: Mapping[str, str] = MappingProxyType(
    {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "attention_output": "attention.output.dense",
        "up": "intermediate.dense",
        "down": "output.dense",
    }
)
MPNET_MAPS: Mapping[str, str] = MappingProxyType(
    {
        "query": "attention.attn.q",
        "key": "attention.attn.k",
        "value": "attention.attn.v",
        "attention_output": "attention.attn.o",
        "up": "intermediate.dense",
        "down": "output.dense",
    }
)


@dataclass(frozen=True, slots=True)
class Framing:
    """The marks around a pair, as token ids."""

    opening: tuple[int, ...]
    between: tuple[int, ...]
    closing: tuple[int, ...]
    pad: int

    def __len__(self) -> int:
        """How many marks a pair has."""
        return len(self.opening) + len(self.between) + len(self.closing)


XLMR_FRAMING = Framing(opening=(0,), between=(2, 2), closing=(2,), pad=1)


@dataclass(frozen=True, slots=True)
class Backbone:
    """A loaded encoder.

    name: in the registry. fingerprint: changes with weights, layers and vocabulary. max_tokens: positions of the
    network. segments: whether query and document are told apart by token types. maps: see `BERT_MAPS`.
    """

    name: str
    fingerprint: str
    network: PreTrainedModel
    tokenizer: Tokenizer
    framing: Framing
    max_tokens: int
    segments: bool
    maps: Mapping[str, str] = field(default_factory=lambda: BERT_MAPS)

    @property
    def width(self) -> int:
        """H, the length of a token's vector."""
        return int(self.network.config.hidden_size)

    @property
    def layers(self) -> int:
        """How many transformer layers."""
        return int(self.network.config.num_hidden_layers)

    def linear(self, role: str) -> list[str]:
        """The names, in the network, of the linear maps of a role, one a layer; of every role for "all-linear".

        Raises KeyError for an unknown role.
        """
        roles = list(self.maps) if role == "all-linear" else [role]
        return [f"encoder.layer.{layer}.{self.maps[at]}" for at in roles for layer in range(self.layers)]


def embed(network: PreTrainedModel, ids: Tensor, types: Tensor | None) -> Tensor:
    """What the first layer sees: (B, T) ids, and types where the network has them → (B, T, H)."""
    embedded: Tensor = network.embeddings(
        input_ids=ids, **({} if types is None else {"token_type_ids": types})
    )
    return embedded


def encode(network: PreTrainedModel, hidden: Tensor, mask: Tensor) -> Tensor:
    """What the last layer says: (B, T, H) after `embed`, (B, T) 1 for real tokens → (B, T, H)."""
    attention = create_bidirectional_mask(config=network.config, inputs_embeds=hidden, attention_mask=mask)
    encoded: Tensor = network.encoder(hidden, attention_mask=attention)[0]
    return encoded


def bert_framing(tokenizer: Tokenizer) -> Framing:
    """The marks of a BERT tokenizer. Raises ValueError when it lacks one."""
    found = {
        mark: at for mark in ("[CLS]", "[SEP]", "[PAD]") if (at := tokenizer.token_to_id(mark)) is not None
    }
    if len(found) < 3:
        raise ValueError(f"the tokenizer has only {', '.join(found) or 'none'} of [CLS], [SEP] and [PAD]")
    return Framing((found["[CLS]"],), (found["[SEP]"],), (found["[SEP]"],), found["[PAD]"])


def freeze(network: nn.Module) -> None:
    """Nothing; no weight of `network` is trained from here on."""
    for parameter in network.parameters():
        parameter.requires_grad_(False)
