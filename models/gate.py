"""The time gate: how a network is told when a programme can be applied for.

    z  = MLP([t ; sin(Wt + b)])            what the time features say           (B, F) → (B, Z)
    h' = h + σ(Gz + c) ⊙ FFN(LN(h), z)     the gated feed-forward               (B, ..., H) → (B, ..., H)

`t` is one row a pair and `h` may be one row a token. The feed-forward also hears `z` (as a shift before its
activation), so that "closed, so lower" needs no help from the text. Its last layer is zero at birth: the gate is
the identity until it is trained, and that layer gets a gradient from the first step on.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class TimeEncoder(nn.Module):
    """Time features to what they mean: (B, F) → (B, Z). The sines learn their own periods, as in Time2Vec."""

    def __init__(self, features: int, width: int, periods: int = 16) -> None:
        super().__init__()
        self.periodic = nn.Linear(features, periods)
        self.hidden = nn.Linear(features + periods, width)
        self.out = nn.Linear(width, width)

    def forward(self, timings: Tensor) -> Tensor:
        """(B, Z)."""
        seen = torch.cat([timings, torch.sin(self.periodic(timings))], dim=-1)  # (B, F + P)
        found: Tensor = nn.functional.gelu(self.out(nn.functional.gelu(self.hidden(seen))))
        return found


class TimeGatedFFN(nn.Module):
    """h' = h + g(z) ⊙ FFN(LN(h), z): the same shape as h, and h itself at birth.

    width: H of h. inner: of the feed-forward. time_width: Z of z.
    """

    def __init__(self, width: int, inner: int, time_width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, inner)
        self.shift = nn.Linear(time_width, inner, bias=False)
        self.down = nn.Linear(inner, width)
        self.gate = nn.Linear(time_width, width)
        nn.init.zeros_(self.down.weight)
        nn.init.zeros_(self.down.bias)

    def forward(self, hidden: Tensor, time: Tensor) -> Tensor:
        """hidden: (B, T, H) or (B, H); time: (B, Z). Returns the shape of `hidden`."""
        if hidden.dim() == 3:
            time = time.unsqueeze(1)  # the same for every token of a pair
        inner = nn.functional.gelu(self.up(self.norm(hidden)) + self.shift(time))
        gated: Tensor = hidden + torch.sigmoid(self.gate(time)) * self.down(inner)
        return gated
