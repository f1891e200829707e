"""The native kernel: exact sums on every path against numpy, the layers against torch, and nobody's mates count."""

from __future__ import annotations

import ctypes
import importlib.util
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import erf
from torch import nn

from models.backbone import encode
from models.checkpoint import load_checkpoint
from models.crossencoder import CrossEncoder
from models.errors import ModelDamaged, ModelMissing
from models.kernel.encoder import ROLES, QuantisedEncoder, QuantisedLayer, quantised_encoder
from models.kernel.library import FILE, PATHS, best_path, library
from models.kernel.linear import GROUP, packed, quantised, unpacked
from models.kernel.rungs import quantise_layers
from models.shipped import CHECKPOINT

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not FILE.exists(), reason="the native kernel was not built: no C compiler")
HERE = PATHS[: PATHS.index(best_path()) + 1] if FILE.exists() else ()


def exact(bits, weights, rows):
    """(groups, rows, outputs); 8-bit weights make one group."""
    codes = (weights.q if bits == 8 else unpacked(weights.q)).astype(np.int64)
    width = rows.shape[1] if bits == 8 else GROUP
    parts = [slice(at, at + width) for at in range(0, rows.shape[1], width)]
    return np.stack([rows[:, part].astype(np.int64) @ codes[:, part].T for part in parts])


@settings(deadline=None, max_examples=80)
@given(
    bits=st.sampled_from([8, 4]),
    groups=st.integers(1, 12),
    outputs=st.integers(1, 37),
    tokens=st.integers(1, 6),
    extreme=st.sampled_from([None, 127, -127]),
    seed=st.integers(0, 999),
)
def test_sums_are_those_of_whole_numbers_on_every_path(bits, groups, outputs, tokens, extreme, seed):
    rng = np.random.default_rng(seed)
    inputs = groups * GROUP
    weight = rng.standard_normal((outputs, inputs)).astype(np.float32)
    if extreme is not None:
        weight = np.sign(weight)
    map_ = quantised(weight, np.zeros(outputs, np.float32), bits)
    rows = rng.integers(-127, 128, (tokens, inputs)).astype(np.int8)
    if extreme is not None:
        rows[:] = extreme
    want, struct = exact(bits, map_, rows), map_.struct()
    scratch = np.empty(12 * inputs + (outputs + 16) * 3 * (inputs + 16), np.uint8)
    for path in HERE:
        got = np.zeros(want.shape, np.int32)
        told = (rows.ctypes.data, tokens, got.ctypes.data, scratch.ctypes.data, PATHS.index(path))
        library().ss_sums(ctypes.addressof(struct), *told)
        np.testing.assert_array_equal(got, want, err_msg=path)


@given(seed=st.integers(0, 99), groups=st.integers(1, 4))
def test_packing_loses_nothing(seed, groups):
    codes = np.random.default_rng(seed).integers(0, 16, (3, groups * GROUP)).astype(np.uint8)
    np.testing.assert_array_equal(unpacked(packed(codes)), codes)


def test_weights_of_few_bits_stand_for_weights_within_half_a_step():
    weight = np.random.default_rng(0).standard_normal((8, 2 * GROUP)).astype(np.float32)
    map_ = quantised(weight, np.zeros(8, np.float32), 8)
    assert (np.abs(map_.weights() - weight) <= map_.scale[:, None] * 0.5001).all()
    four = quantised(weight, np.zeros(8, np.float32), 4)
    spread = np.ptp(weight.reshape(8, 2, GROUP), axis=-1)
    # The range is shrunk to 0.7 at most, so its ends move by 0.15 of it; inside, half a step.
    assert (np.abs(four.weights() - weight).reshape(8, 2, GROUP).max(-1) <= 0.16 * spread).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_or_of_another_shape_is_refused(bad):
    weight = np.ones((4, GROUP), np.float32)
    weight[1, 1] = bad
    with pytest.raises(ValueError, match="finite"):
        quantised(weight, np.zeros(4, np.float32), 4)
    with pytest.raises(ValueError, match="multiple"):
        quantised(np.ones((4, 100), np.float32), np.zeros(4, np.float32), 8)


def encoder(bits, path, width=GROUP, inner=4 * GROUP, layers=2, seed=0, heads=4):
    return QuantisedEncoder(made(bits, width, inner, layers, seed), heads, 1e-12, path)


def made(bits, width=GROUP, inner=4 * GROUP, layers=2, seed=0):
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(layers):
        maps = {}
        for role in ROLES:
            shape = (inner if role == "up" else width, inner if role == "down" else width)
            weight = (rng.standard_normal(shape) / np.sqrt(shape[1])).astype(np.float32)
            maps[role] = quantised(weight, rng.standard_normal(shape[0]).astype(np.float32) * 0.1, bits)
        norm = (np.ones(width, np.float32), np.zeros(width, np.float32))
        found.append(QuantisedLayer(maps, (norm, norm)))
    return found


def applied(map_, x):
    """A map in double precision, its activations rounded to 8 bits token by token."""
    scale = np.abs(x).max(axis=1, keepdims=True) / 127.0
    return (np.rint(x / scale) * scale) @ map_.weights().astype(np.float64).T + map_.bias


def normed(x):
    return (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)


def plainly(layers, text, heads):
    """One text through the layers, by the book."""
    x, width = text.astype(np.float64), text.shape[1] // heads
    for layer in layers:
        q, k, v = (applied(layer.maps[role], x).reshape(len(x), heads, width) for role in ROLES[:3])
        scores = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(width)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        seen = np.einsum("hij,jhd->ihd", weights, v).reshape(x.shape)
        x = normed(x + applied(layer.maps["attention_output"], seen))
        inner = applied(layer.maps["up"], x)
        inner *= 0.5 * (1.0 + erf(inner / np.sqrt(2.0)))
        x = normed(x + applied(layer.maps["down"], inner))
    return x


@settings(deadline=None, max_examples=60)
@given(
    bits=st.sampled_from([8, 4]),
    lengths=st.lists(st.one_of(st.integers(1, 40), st.integers(180, 210)), min_size=1, max_size=4),
    heads=st.sampled_from([1, 2, 4, 8, 16]),
    path=st.sampled_from(HERE or ("portable",)),
    seed=st.integers(0, 99),
)
def test_layers_are_those_of_the_book(bits, lengths, heads, path, seed):
    layers = made(bits, inner=2 * GROUP, layers=1, seed=seed)
    x = np.random.default_rng(seed).standard_normal((sum(lengths), GROUP)).astype(np.float32)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    want = np.concatenate([plainly(layers, x[a:b], heads) for a, b in pairwise(starts)])
    QuantisedEncoder(layers, heads, 1e-12, path).run(x, np.array(lengths))
    off = np.abs(x - want)
    # Where a product rounds to the next of the 255 steps, its token is off by a step; the others are not.
    assert np.median(off) < 5e-6
    assert off.max() < 0.05


@pytest.mark.parametrize("path", HERE)
@pytest.mark.parametrize("spread", [1e-3, 1.0, 30.0])
def test_scores_far_apart_and_close_together_weigh_as_they_should(path, spread):
    layers = made(8, layers=1, inner=GROUP)
    x = (np.random.default_rng(0).standard_normal((37, GROUP)) * spread).astype(np.float32)
    want = plainly(layers, x, 4)
    QuantisedEncoder(layers, 4, 1e-12, path).run(x, np.array([37]))
    assert np.median(np.abs(x - want)) < 2e-5


@pytest.mark.parametrize("path", HERE)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_text_that_is_no_number_stays_none_and_harms_nobody(path, bad):
    run = encoder(4, path)
    x = np.random.default_rng(0).standard_normal((20, GROUP)).astype(np.float32)
    alone = x[7:].copy()
    run.run(alone, np.array([13]))
    x[3, 5] = bad
    run.run(x, np.array([7, 13]))
    assert not np.isfinite(x[3]).any()
    np.testing.assert_array_equal(x[7:], alone)


@settings(deadline=None, max_examples=40)
@given(
    bits=st.sampled_from([8, 4]),
    lengths=st.lists(st.one_of(st.integers(1, 40), st.just(193)), min_size=1, max_size=6),
    path=st.sampled_from(HERE or ("portable",)),
    seed=st.integers(0, 99),
)
def test_a_text_is_the_same_bit_for_bit_whoever_is_beside_it(bits, lengths, path, seed):
    run = encoder(bits, path)
    together = np.random.default_rng(seed).standard_normal((sum(lengths), GROUP)).astype(np.float32)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    alone = [together[a:b].copy() for a, b in pairwise(starts)]
    run.run(together, np.array(lengths))
    for text, a, b in zip(alone, starts[:-1], starts[1:], strict=True):
        run.run(text, np.array([b - a]))
        np.testing.assert_array_equal(text, together[a:b])


@pytest.mark.parametrize("bits", [8, 4])
def test_paths_give_the_same_but_for_float_rounding(bits):
    x = np.random.default_rng(0).standard_normal((50, GROUP)).astype(np.float32)
    found = []
    for path in HERE:
        found.append(x.copy())
        encoder(bits, path).run(found[-1], np.array([1, 30, 19]))
    for one in found[1:]:
        # A sum that rounds to another of the 255 steps moves an activation by one step.
        np.testing.assert_allclose(one, found[0], atol=0.1)
        assert np.abs(one - found[0]).mean() < 5e-3


def test_threads_do_not_meet():
    run = encoder(4, None)
    inputs = [np.random.default_rng(at).standard_normal((60, GROUP)).astype(np.float32) for at in range(8)]
    alone = [one.copy() for one in inputs]
    for one in alone:
        run.run(one, np.array([20, 40]))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda one: run.run(one, np.array([20, 40])), inputs))
    for one, other in zip(alone, inputs, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.fixture(scope="module")
def shipped() -> CrossEncoder:
    return load_checkpoint(CHECKPOINT)


def substituted(network: CrossEncoder, bits: int) -> CrossEncoder:
    """The network in torch, its weights those that the integers stand for."""
    for role in ROLES:
        for name in network.backbone.linear(role):
            module = network.network.get_submodule(name)
            map_ = quantised(module.weight.numpy(force=True), module.bias.numpy(force=True), bits)
            module.weight = nn.Parameter(torch.from_numpy(map_.weights()), requires_grad=False)
    return network


@pytest.mark.slow
@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("path", HERE)
def test_the_shipped_layers_are_torchs_with_activations_of_8_bits(bits, path):
    network = load_checkpoint(CHECKPOINT)
    run = quantised_encoder(network.backbone, lambda _layer, _role: bits, path=path)
    ids = torch.randint(5, 20_000, (5, 60), generator=torch.Generator().manual_seed(1))
    mask = (torch.arange(60)[None] < torch.tensor([1, 7, 33, 59, 60])[:, None]).long()
    with torch.inference_mode():
        hidden = network.network.embeddings(input_ids=ids)
        want = encode(substituted(network, bits).network, hidden, mask)[mask.bool()]
        got = run(hidden, mask)
    assert (got[~mask.bool()] == 0).all()
    likeness = torch.cosine_similarity(got[mask.bool()], want, dim=-1)
    assert likeness.mean() > 0.98
    assert likeness.min() > 0.9


def test_bytes_are_what_was_promised(shipped):
    floats = sum(
        shipped.network.get_submodule(name).weight.numel() * 4
        for role in ROLES
        for name in shipped.backbone.linear(role)
    )
    assert quantised_encoder(shipped.backbone, lambda _layer, _role: 8).weight_bytes <= 0.30 * floats
    assert quantised_encoder(shipped.backbone, lambda _layer, _role: 4).weight_bytes <= 0.18 * floats


def test_a_weight_that_is_no_number_and_a_rung_without_kernel_are_refused():
    network = load_checkpoint(CHECKPOINT)
    with pytest.raises(ModelMissing, match="fp16"):
        quantise_layers(network, "fp16")
    with torch.no_grad():
        network.network.get_submodule(network.backbone.linear("up")[3]).weight[0, 0] = torch.nan
    with pytest.raises(ModelDamaged, match="layer 3, up"):
        quantise_layers(network, "int4")


def hook():
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["hatch_build"] = module
    spec.loader.exec_module(module)
    return module


def test_without_a_compiler_the_build_goes_on(tmp_path, monkeypatch, capfd):
    pytest.importorskip("hatchling")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not hook().build(ROOT / "models/kernel/encoder.c", tmp_path / "_encoder.so")
    assert "no C compiler" in capfd.readouterr().err


def test_a_library_of_other_sources_is_not_used(monkeypatch):
    monkeypatch.setattr("models.kernel.library._VERSION", -1)
    with pytest.raises(ModelMissing, match="other sources"):
        library.__wrapped__()


@pytest.mark.slow
def test_no_byte_outside_and_nothing_undefined(tmp_path):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    flags = ["-std=gnu11", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    command = [
        compiler,
        *flags,
        f"-I{ROOT / 'models/kernel'}",
        str(Path(__file__).with_name("kernel_sanitised.c")),
        "-o",
        "main",
        "-lm",
    ]
    built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    if built.returncode and ("cannot find" in built.stderr or "unrecognized" in built.stderr):
        pytest.skip("the compiler has no sanitizers")
    assert built.returncode == 0, built.stderr
    ran = subprocess.run(
        ["./main"], cwd=tmp_path, capture_output=True, text=True, env={"ASAN_OPTIONS": "detect_leaks=0"}
    )
    assert ran.stdout == "done\n", ran.stderr
