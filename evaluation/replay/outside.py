"""The estimators against the truth: two policies served the same users at random, each log is asked about the other.

The folder holds `{policy}_{campaign}.csv[.gz]` or `{policy}/{campaign}/{campaign}.csv[.gz]` for the policies `random`
and `bts`, as the Open Bandit Dataset lays them out (Saito et al., NeurIPS Datasets and Benchmarks 2021). The truth of
a policy is what it earned when it served itself; it is a mean of few clicks and has an interval of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .bandit import UNIFORM, BanditLog, read_bandit_log, replay_bandit
from .decisions import ReplayError
from .estimators import Estimate
from .outcome import Replay

CAMPAIGNS = ("all", "men", "women")
RANDOM, LEARNING = "random", "bts"
PAIRS = ((RANDOM, RANDOM), (RANDOM, LEARNING), (LEARNING, RANDOM))


@dataclass(frozen=True, slots=True)
class Trial:
    """One question with a known answer: what would policy `asked` have earned, of the log of policy `logged`?"""

    campaign: str
    logged: str
    asked: str
    truth: Estimate
    replay: Replay

    @property
    def covered(self) -> Mapping[str, bool]:
        """By estimator, whether its interval holds the true mean; empty where the log was refused."""
        return {one.name: one.low <= self.truth.value <= one.high for one in self.replay.estimates}

    def figures(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        return {
            "campaign": self.campaign,
            "logged": self.logged,
            "asked": self.asked,
            "truth": {"value": self.truth.value, "ci95": [self.truth.low, self.truth.high]},
            "covered": dict(self.covered),
            "replay": dict(self.replay.figures()),
        }


def trials(folder: Path, seed: int) -> Iterator[Trial]:
    """Every question that the logs in `folder` can be asked. Raises ReplayError when there is none."""
    found = False
    for campaign in CAMPAIGNS:
        paths = {policy: _path(folder, policy, campaign) for policy in (RANDOM, LEARNING)}
        logs = {policy: read_bandit_log(path) for policy, path in paths.items() if path is not None}
        if len(logs) < len(paths):
            continue
        found = True
        for logged, asked in PAIRS:
            # A question has its own generator, so that its figures do not depend on the others.
            rng = np.random.default_rng((seed, CAMPAIGNS.index(campaign), PAIRS.index((logged, asked))))
            policy: str | BanditLog = UNIFORM if asked == RANDOM else logs[asked]
            truth = replay_bandit(logs[asked], policy, rng).served
            yield Trial(campaign, logged, asked, truth, replay_bandit(logs[logged], policy, rng))
    if not found:
        raise ReplayError("no campaign has the logs of both policies, random and bts", folder)


def _path(folder: Path, policy: str, campaign: str) -> Path | None:
    stems = (folder / f"{policy}_{campaign}.csv", folder / policy / campaign / f"{campaign}.csv")
    places = (place for stem in stems for place in (stem, stem.with_name(stem.name + ".gz")))
    return next((place for place in places if place.is_file()), None)
