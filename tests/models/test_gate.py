"""The time gate: identity at birth, reached by its gradient, and able to say "closed, so lower" quickly."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from models.gate import TimeEncoder, TimeGatedFFN

FEATURES, WIDTH, INNER, TIME = 5, 12, 6, 7


def born(seed: int) -> tuple[TimeEncoder, TimeGatedFFN]:
    torch.manual_seed(seed)
    return TimeEncoder(FEATURES, TIME), TimeGatedFFN(WIDTH, INNER, TIME)


@given(seed=st.integers(0, 1000), scale=st.floats(0.01, 100), tokens=st.integers(0, 4))
def test_it_is_the_identity_at_birth(seed, scale, tokens):
    encoder, gate = born(seed)
    hidden = torch.randn((3, tokens, WIDTH) if tokens else (3, WIDTH)) * scale
    timings = torch.rand(3, FEATURES) * 2 - 1
    assert torch.equal(gate(hidden, encoder(timings)), hidden)


@given(seed=st.integers(0, 1000))
def test_the_gradient_reaches_its_output_at_birth_and_all_of_it_after_one_step(seed):
    encoder, gate = born(seed)
    parts = [*encoder.parameters(), *gate.parameters()]
    optimiser = torch.optim.SGD(parts, lr=1.0)
    hidden, timings, target = torch.randn(4, 3, WIDTH), torch.rand(4, FEATURES), torch.randn(4, 3, WIDTH)

    def loss() -> torch.Tensor:
        return ((gate(hidden, encoder(timings)) - target) ** 2).mean()

    loss().backward()
    assert gate.down.weight.grad is not None
    assert gate.down.weight.grad.abs().sum() > 0
    assert gate.up.weight.grad.abs().sum() == 0  # behind a zero
    optimiser.step()
    optimiser.zero_grad()
    loss().backward()
    assert all(part.grad is not None and part.grad.abs().sum() > 0 for part in parts)


def test_it_computes_its_formula():
    encoder, gate = born(3)
    torch.nn.init.normal_(gate.down.weight)
    hidden, timings = torch.randn(2, 4, WIDTH), torch.rand(2, FEATURES)
    z = encoder(timings)
    found = gate(hidden, z)
    for pair in range(2):
        opened = 1 / (1 + torch.exp(-(gate.gate.weight @ z[pair] + gate.gate.bias)))
        for token in range(4):
            h = hidden[pair, token]
            normal = (h - h.mean()) / torch.sqrt(h.var(unbiased=False) + 1e-5)
            inner = torch.nn.functional.gelu(
                gate.up.weight @ normal + gate.up.bias + gate.shift.weight @ z[pair]
            )
            expected = h + opened * (gate.down.weight @ inner + gate.down.bias)
            assert torch.allclose(found[pair, token], expected, atol=1e-5)


def test_the_sines_hear_a_period():
    # What a period is worth: a function of one feature that turns three times is fitted.
    torch.manual_seed(0)
    encoder, out = TimeEncoder(1, 32), torch.nn.Linear(32, 1)
    optimiser = torch.optim.Adam([*encoder.parameters(), *out.parameters()], lr=1e-2)
    at = torch.linspace(-1, 1, 200).unsqueeze(1)
    wanted = torch.sin(3 * torch.pi * at)
    for _ in range(300):
        optimiser.zero_grad()
        loss = ((out(encoder(at)) - wanted) ** 2).mean()
        loss.backward()
        optimiser.step()
    assert loss.item() < 0.02


@pytest.mark.parametrize("tokens", [0, 6])
def test_closed_is_learnt_as_lower_whatever_the_text(tokens):
    """A hundred steps through one gate and a fixed reader put every closed one below every open one."""
    torch.manual_seed(1)
    encoder, gate = born(1)
    reader = torch.nn.Linear(WIDTH, 1)
    optimiser = torch.optim.AdamW([*encoder.parameters(), *gate.parameters()], lr=3e-3)
    for _ in range(100):
        hidden = torch.randn((64, tokens, WIDTH) if tokens else (64, WIDTH))
        timings = torch.rand(64, FEATURES)
        closed = timings[:, 0] < 0.5
        changed = gate(hidden, encoder(timings)) - hidden
        logit = reader(changed.mean(1) if tokens else changed).squeeze(-1)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logit, (~closed).float())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    # Away from the border.
    sure = (timings[:, 0] - 0.5).abs() > 0.1
    assert logit[closed & sure].max() < logit[~closed & sure].min()
