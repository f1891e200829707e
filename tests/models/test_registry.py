from collections.abc import Sequence

import numpy as np
import pytest

from models.errors import ModelMissing, SelfTestFailed, UnknownModel
from models.hashing import HashingEncoder
from models.registry import REGISTRY, EncoderSpec, load_encoder, self_test

PROBE = ("ocean award", "An award for ocean science.", "zzz")


class Zeros(HashingEncoder):
    """What a network gives whose weights did not arrive."""

    def encode_passages(self, texts: Sequence[str], progress: object = None) -> np.ndarray:
        return np.zeros((len(texts), self.dimension), np.float32)


class NotANumber(Zeros):
    """What a network gives whose weights are damaged."""

    def encode_passages(self, texts: Sequence[str], progress: object = None) -> np.ndarray:
        return np.full((len(texts), self.dimension), np.nan, np.float32)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownModel, match=r"e5-small.*minilm"):
        load_encoder("bert")


@pytest.mark.parametrize("broken", [Zeros(), NotANumber()])
def test_a_model_that_cannot_tell_right_from_wrong_is_refused(broken: HashingEncoder) -> None:
    with pytest.raises(SelfTestFailed, match="hashing"):
        self_test(broken, PROBE)


def test_a_missing_package_is_named_with_its_command() -> None:
    spec = EncoderSpec(
        "x", "no-such-package", "no_such_module", "en", 1, lambda spec: HashingEncoder(), PROBE
    )
    with pytest.raises(ModelMissing, match="pip install no-such-package"):
        spec.folder()


@pytest.mark.parametrize("name", sorted(REGISTRY))
@pytest.mark.slow
def test_every_registered_encoder_loads_and_passes_its_self_test(name: str) -> None:
    encoder = load_encoder(name)
    assert encoder.dimension == REGISTRY[name].dimension
    queries = encoder.encode_queries(["德国博士奖学金", "grant"])
    assert queries.shape == (2, encoder.dimension)
    assert np.linalg.norm(queries, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_fingerprints_tell_settings_apart() -> None:
    spec = REGISTRY["hashing"]
    assert spec.fingerprint(max_tokens=1) != spec.fingerprint(max_tokens=2)
    assert spec.fingerprint(max_tokens=1) == spec.fingerprint(max_tokens=1)
