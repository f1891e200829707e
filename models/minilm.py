"""all-MiniLM-L6-v2 from the package that carries it: the fast English bi-encoder."""

from __future__ import annotations

from pathlib import Path

from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

from models.errors import ModelDamaged


def load_minilm(folder: Path) -> tuple[BertModel, Tokenizer]:
    """The encoder in evaluation mode and its tokenizer. Raises ModelDamaged when the folder is not whole."""
    try:
        network = BertModel(
            BertConfig.from_pretrained(str(folder), local_files_only=True), add_pooling_layer=False
        )
        weights = load_file(folder / "model.safetensors")
        # The package also keeps a pooler and a table of positions, which mean pooling and today's library never use.
        needed = network.state_dict().keys()
        network.load_state_dict({name: value for name, value in weights.items() if name in needed})
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # tokenizers raises bare Exception
        raise ModelDamaged(f"{folder}: {error}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return network.eval(), tokenizer
