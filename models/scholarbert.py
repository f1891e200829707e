"""ScholarBERT: BERT-large trained on journal articles, from a model hub or a local folder.

Its published shape, for checking what was loaded and for building one of the same shape without its weights: 24 layers
of 1024, 16 heads, feed-forward 4096, 512 positions, 50,000 cased word pieces, layer norm epsilon 1e-12 (Hong et al.,
Findings of ACL 2023). It was never trained for ranking, tells case apart, and has no Chinese.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from tokenizers import Tokenizer
from transformers import AutoConfig, AutoTokenizer, BertConfig, BertModel

from models.errors import ModelDamaged, ModelMissing

SCHOLARBERT_ID = "globuslabs/ScholarBERT"


def scholarbert_config(layers: int = 24) -> BertConfig:
    """The published shape; `layers` fewer for tests."""
    return BertConfig(
        vocab_size=50_000,
        hidden_size=1024,
        num_hidden_layers=layers,
        num_attention_heads=16,
        intermediate_size=4096,
        max_position_embeddings=512,
        type_vocab_size=2,
        layer_norm_eps=1e-12,
        hidden_act="gelu",
        pad_token_id=0,
    )


def load_scholarbert(folder: Path | None = None) -> tuple[BertModel, Tokenizer, str]:
    """The encoder in evaluation mode, its cased tokenizer, and what its weights are called, for a fingerprint.

    Raises ModelMissing when neither a folder is given nor the hub can be reached, ModelDamaged when what is there
    is no BERT of this kind.
    """
    source = str(folder) if folder else SCHOLARBERT_ID
    try:
        config = AutoConfig.from_pretrained(source)
        if not isinstance(config, BertConfig):
            raise ModelDamaged(f"{source}: a {config.model_type}, not a BERT")
        network, told = BertModel.from_pretrained(source, add_pooling_layer=False, output_loading_info=True)
        tokenizer: Tokenizer = AutoTokenizer.from_pretrained(source).backend_tokenizer
    except OSError as error:
        raise ModelMissing(
            f"scholarbert: {source} cannot be read; give a folder as scholarbert@FOLDER, or let the model hub be "
            f"reached ({str(error).splitlines()[0]})"
        ) from error
    except ValueError as error:
        raise ModelDamaged(f"{source}: {error}") from error
    # A missing tensor would be made up at random and only cost quality, without a word.
    if told["missing_keys"]:
        raise ModelDamaged(f"{source}: tensors are missing, e.g. {sorted(told['missing_keys'])[0]}")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return network.eval(), tokenizer, _version(folder, config)


def _version(folder: Path | None, config: BertConfig) -> str:
    if folder is None:
        return f"{SCHOLARBERT_ID}@{getattr(config, '_commit_hash', None)}"
    digest = sha256()
    for file in sorted(folder.glob("*.safetensors")) or sorted(folder.glob("pytorch_model*.bin")):
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
