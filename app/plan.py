"""How a search is carried out, as data: an arm of an experiment or a system of an evaluation is just a plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from index.fusion import Fusion
from models.rung import Rung

Leg = Literal["lexical", "okapi", "dense", "alias"]


@dataclass(frozen=True, slots=True)
class Reranking:
    """How the fused candidates are read again.

    depth: how many at most. gate: whether the time gate speaks. closed_penalty: points of the total that a document
    loses whose every window is closed at `as_of`, the plain rule in a soft form; 0 = the gate alone. adaptive: read in
    waves of `wave` and stop when the best `settled` can no longer change; otherwise all of them are read. floor: the
    lowest rung of the precision ladder that may serve. rung: the one that does, whatever the ladder says.
    """

    depth: int = 50
    gate: bool = True
    closed_penalty: float = 0.0
    adaptive: bool = True
    wave: int = 8
    settled: int = 5
    floor: Rung = "int4"
    rung: Rung | None = None


@dataclass(frozen=True, slots=True)
class Exploration:
    """How the first hits are shuffled a little, so that the log can answer for rankings that were not served.

    swap: neighbours change places, each pair with `chance`; a hit moves by one rank at most. plackett-luce: the order
    is drawn, a hit of rank r weighing r^(-1/temperature) against those left; near 0 nothing moves. depth: of how many
    hits; the rest stay. Raises ValueError for a value out of range.
    """

    method: Literal["swap", "plackett-luce"] = "swap"
    depth: int = 10
    chance: float = 0.2
    temperature: float = 0.2

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("depth", self.depth, 2, 10),
            ("chance", self.chance, 0.0, 0.5),
            ("temperature", self.temperature, 0.02, 2.0),
        ):
            if not least <= value <= most:
                raise ValueError(f"{name} must be between {least:g} and {most:g}, got {value:g}")


@dataclass(frozen=True, slots=True)
class Interleaving:
    """Whose hits are mixed with the plan's own by team draft: `system` names the rival (`app.systems`)."""

    system: str


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to search.

    legs: what retrieves, in the order it runs. depth: how many candidates a leg keeps. fusion: how they are combined.
    certain_weight: how many times its weight a leg counts that is certain of what was meant, so that what it found goes
    first. rerank: how a cross-encoder reads the fused candidates again; None = not at all. open_first: documents whose
    every window is closed at `as_of` go last, order kept otherwise. collapse: one hit per programme. window: how many
    candidates are ranked for paging. budget_ms: once it is spent, what has not begun is left out and the answer says
    so; None = no limit. explore: how the first hits are shuffled; None = not at all. interleave: with whose hits they
    are mixed; None = with nobody's; not both at once (ValueError). attraction: by what share of
    its fused score a document rises or falls at most for how earlier searchers took it (`app.attraction`); 0 = clicks
    change nothing. Raises ValueError for a share outside 0 to 1.
    """

    system: str
    legs: tuple[Leg, ...]
    fusion: Fusion = field(default_factory=Fusion)
    depth: int = 200
    certain_weight: float = 100.0
    rerank: Reranking | None = None
    open_first: bool = False
    collapse: bool = True
    window: int = 100
    budget_ms: float | None = None
    explore: Exploration | None = None
    interleave: Interleaving | None = None
    attraction: float = 0.0

    def __post_init__(self) -> None:
        if self.explore is not None and self.interleave is not None:
            raise ValueError("a plan explores or interleaves, not both: a click would have two explanations")
        if not 0 <= self.attraction <= 1:
            raise ValueError(f"attraction must be between 0 and 1, got {self.attraction:g}")
