"""A BERT of 2 layers of 32 with fixed random weights and a vocabulary of single characters.

It has every part of a real backbone and loads in milliseconds, so that tests of training, checkpoints and serving
need no package of weights. It knows nothing.
"""

from __future__ import annotations

import torch
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers
from transformers import BertConfig, BertModel

TINY_VERSION = 1
_MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_LETTERS = 1000


def load_tiny(seed: int = 7) -> tuple[BertModel, Tokenizer]:
    """The network in evaluation mode and its tokenizer: one token a character of the first thousand code points."""
    vocabulary = {mark: at for at, mark in enumerate(_MARKS)}
    vocabulary |= {chr(code): len(_MARKS) + code - 33 for code in range(33, _LETTERS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=_MARKS[1]))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split(Regex("."), "isolated")]
    )
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=256,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = BertModel(config, add_pooling_layer=False)
    return network.eval(), tokenizer
