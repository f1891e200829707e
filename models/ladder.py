"""What the precision ladder knows: the rules it goes by, what it sees at one moment, and where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from models.health import DeviceReading, HealthRules, HealthState
from models.rung import Rung, depth_of, not_below

Policy = Literal["stable", "pressure"]
Direction = Literal["down", "up"]
Reason = Literal[
    "start",
    "settled",
    "gradient",
    "traffic",
    "pressure",
    "calm",
    "quality",
    "health",
    "pin",
    "floor",
    "ladder",
]
REASONS: tuple[Reason, ...] = get_args(Reason)


@dataclass(frozen=True, slots=True)
class Rules:
    """What the ladder goes by.

    floor: the lowest rung it may reach. grad_norm_std, qps_std: below both the stable policy goes down, from
    `release` times one of them on it goes up, in between it stays. queue_delay_ms, budget_misses (a share): from
    either on the pressure policy goes down; up when the delay is below calm_delay_ms and nothing misses. down_after_s,
    up_after_s: for how long that has to hold. dwell_s: the least time between two moves of a policy. setback_s:
    pressure that soon after calm led up is a setback. agreement: of the
    top 5 with the reference rung, below which a rung is left; recovery: from which it may come back; samples: how many
    comparisons either takes. quarantine_s: the first absence; each further one is twice as long, to quarantine_most_s.
    hard: the complexity from which a query is served one rung higher.
    """

    policy: Policy = "stable"
    floor: Rung = "int4"
    grad_norm_std: float = 0.03
    qps_std: float = 12.5
    release: float = 1.15
    queue_delay_ms: float = 100.0
    calm_delay_ms: float = 20.0
    budget_misses: float = 0.02
    down_after_s: float = 30.0
    up_after_s: float = 10.0
    dwell_s: float = 60.0
    setback_s: float = 600.0
    agreement: float = 0.9
    recovery: float = 0.93
    samples: int = 20
    quarantine_s: float = 900.0
    quarantine_most_s: float = 86_400.0
    hard: float = 0.5
    health: HealthRules = field(default_factory=HealthRules)

    def __post_init__(self) -> None:
        wrong = [
            name
            for name, is_wrong in (
                ("release must be at least 1", self.release < 1),
                ("calm_delay_ms must be below queue_delay_ms", self.calm_delay_ms >= self.queue_delay_ms),
                ("recovery must be at least agreement", not 0 < self.agreement <= self.recovery <= 1),
                ("samples must be positive", self.samples < 1),
                ("times must not be negative", min(self.down_after_s, self.up_after_s, self.dwell_s) < 0),
                ("quarantine_s must be positive", not 0 < self.quarantine_s <= self.quarantine_most_s),
            )
            if is_wrong
        ]
        if wrong:
            raise ValueError(wrong[0])


@dataclass(frozen=True, slots=True)
class Agreement:
    """How a rung's top 5 overlap with the reference's: the mean share in [0, 1] of `count` compared searches."""

    mean: float
    count: int


@dataclass(frozen=True, slots=True)
class Signals:
    """What was seen at one moment; None = not known, which moves nothing.

    pin: the rung the operator wants, None = the policy decides. latency_p99_ms is kept for the eye alone.
    """

    grad_norm: float | None = None
    grad_norm_std: float | None = None
    qps: float | None = None
    qps_std: float | None = None
    queue_delay_ms: float | None = None
    budget_misses: float | None = None
    latency_p99_ms: float | None = None
    agreement: Mapping[Rung, Agreement] = field(default_factory=dict)
    device: DeviceReading | None = None
    pin: Rung | None = None


@dataclass(frozen=True, slots=True)
class Quarantine:
    """A rung that was left because it ranked otherwise. strikes: how often. lifted: it may serve again."""

    rung: Rung
    since: float
    strikes: int = 1
    lifted: bool = False

    def until(self, rules: Rules) -> float:
        """Before this it does not come back, whatever it agrees with."""
        return self.since + min(
            rules.quarantine_s * 2.0 ** min(self.strikes - 1, 40), rules.quarantine_most_s
        )


@dataclass(frozen=True, slots=True)
class Bearing:
    """Where the policy wants to go, why, and since when."""

    direction: Direction
    reason: Reason
    since: float


@dataclass(frozen=True, slots=True)
class State:
    """The ladder at one moment.

    rungs: those that passed their test here, the most exact first; the first is the reference and always may serve.
    reason, switched_at: of the last move. good: the last one that was seen to
    agree while the device was sound.
    reloads: how often the engines had to be loaded again. switches: how many moves there were. setbacks: how often in a
    row calm led up and pressure down again soon after; each doubles the calm that is asked for.
    """

    rules: Rules
    rungs: tuple[Rung, ...]
    rung: Rung
    at: float
    switched_at: float
    good: Rung
    reason: Reason = "start"
    bearing: Bearing | None = None
    quarantines: tuple[Quarantine, ...] = ()
    health: HealthState = field(default_factory=HealthState)
    pin: Rung | None = None
    reloads: int = 0
    switches: int = 0
    setbacks: int = 0

    def quarantine(self, rung: Rung) -> Quarantine | None:
        """The quarantine that rung is in, if it is."""
        return next((one for one in self.quarantines if one.rung == rung and not one.lifted), None)

    @property
    def usable(self) -> tuple[Rung, ...]:
        """Rungs that a policy may choose from, the most exact first; never empty."""
        kept = tuple(rung for rung in not_below(self.rungs, self.rules.floor) if not self.quarantine(rung))
        return kept or self.rungs[:1]


def begin(rules: Rules, rungs: tuple[Rung, ...], now: float) -> State:
    """The ladder at its start, on the reference. Raises ValueError when `rungs` is empty or not in order."""
    if not rungs or list(rungs) != sorted(set(rungs), key=depth_of):
        raise ValueError(f"a ladder has rungs in order, got {rungs}")
    return State(rules, rungs, rungs[0], now, now, rungs[0])


def relaid(state: State, rungs: tuple[Rung, ...], now: float) -> State:
    """The ladder with other rungs; it stays on its own where that is left, and begins on the reference where not."""
    fresh = begin(state.rules, rungs, max(now, state.at))
    kept = state.rung in rungs
    return replace(
        fresh,
        rung=state.rung if kept else fresh.rung,
        reason=state.reason if kept else "ladder",
        switched_at=state.switched_at if kept else fresh.at,
        quarantines=tuple(one for one in state.quarantines if one.rung in rungs[1:]),
        health=state.health,
        pin=state.pin if state.pin in rungs else None,
        reloads=state.reloads,
        switches=state.switches + (not kept),
        setbacks=state.setbacks,
    )
