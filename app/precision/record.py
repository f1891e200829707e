"""The ladder's record: every signal it was moved by, one JSON object a line, in files that are bounded.

    {"state": {…}}    where the ladder stands: at its start, when its rungs change, and at the head of each file
    {"t": s, "at": ISO, "rung": …, "reason": …, …signals}    one step and where it led; what is not known is left out

`t` is the clock that the ladder went by, in seconds. A record read back gives the same steps again: the replay says so.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from app.lock import held
from models.health import DeviceReading, HealthRules, HealthState
from models.ladder import Agreement, Bearing, Quarantine, Rules, Signals, State
from models.precision import step
from models.rung import RUNGS, Rung

_PLAIN = tuple(field.name for field in fields(Signals) if field.name not in ("agreement", "device", "pin"))
_SLOTS = 64
FOLDER = "ladder"


class RecordDamaged(ValueError):  # noqa: N818 - reads as what happened
    """A line of a record cannot be read; names the file and the line."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a record. told: the rung that the record says it led to. at: as written; None in a simulation."""

    t: float
    signals: Signals
    state: State
    told: Rung | None
    at: str | None


def rounded(signals: Signals) -> Signals:
    """The signals to seven digits: what is written is what the ladder goes by."""
    plain: dict[str, Any] = {name: _short(getattr(signals, name)) for name in _PLAIN}
    agreement = {
        rung: Agreement(_short(one.mean) or 0.0, one.count) for rung, one in signals.agreement.items()
    }
    return replace(signals, agreement=agreement, **plain)


def state_line(state: State) -> str:
    """The line of a ladder that stands at `state`."""
    return _line({"state": asdict(state)})


def step_line(signals: Signals, state: State, at: datetime | None) -> str:
    """The line of a step that led to `state`."""
    told: dict[str, Any] = {"t": state.at}
    if at is not None:
        told["at"] = at.astimezone(UTC).isoformat(timespec="milliseconds")
    told |= {"rung": state.rung, "reason": state.reason}
    told |= {name: value for name in _PLAIN if (value := getattr(signals, name)) is not None}
    if signals.agreement:
        told["agreement"] = {rung: [one.mean, one.count] for rung, one in signals.agreement.items()}
    if signals.device is not None:
        told["device"] = asdict(signals.device)
    if signals.pin is not None:
        told["pin"] = signals.pin
    return _line(told)


def replay(lines: Iterable[str], name: str = "record") -> Iterator[Step]:
    """Every step of a record, made again by the ladder itself.

    Raises RecordDamaged for a step before any state, or a line that cannot be read; a last one may have been cut off.
    """
    state: State | None = None
    pending: tuple[int, str] | None = None
    for number, line in enumerate(lines, start=1):
        if pending is not None:
            raise RecordDamaged(f"{name}:{pending[0]}: {pending[1]}")
        if not line.strip():
            continue
        try:
            told = json.loads(line)
            if "state" in told:
                state = _state(told["state"])
                continue
            signals = _signals(told)
            t = float(told["t"])
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            pending = (number, f"is no step of a ladder ({error})")
            continue
        if state is None:
            raise RecordDamaged(f"{name}:{number}: a step before the ladder began")
        state = step(state, signals, t)
        yield Step(t, signals, state, told.get("rung"), told.get("at"))


class Record:
    """An open record of one process, in files of at most `limit_bytes`, of which the last `kept` stay.

    Of several processes of a home each has a name of its own, which is free again once it has ended. A disk that takes
    nothing costs the record, not the ladder: `lost` counts the lines.
    """

    def __init__(self, folder: Path, limit_bytes: int = 8_000_000, kept: int = 8) -> None:
        self._limit_bytes, self._kept = limit_bytes, kept
        self._hold = ExitStack()
        self.path = self._slot(folder)
        self._state: State | None = None
        self.lost = 0

    def begin(self, state: State) -> None:
        """Nothing; a ladder begins."""
        self._append(state_line(state))
        self._state = state

    def step(self, signals: Signals, state: State, at: datetime) -> None:
        """Nothing; one step is written."""
        self._append(step_line(signals, state, at))
        self._state = state

    def close(self) -> None:
        """Nothing; the name is free."""
        self._hold.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _slot(self, folder: Path) -> Path:
        for slot in range(1, _SLOTS + 1):
            path = folder / ("signals.jsonl" if slot == 1 else f"signals-{slot}.jsonl")
            if self._hold.enter_context(held(path.with_suffix(".lock"), wait=False)):
                return path
        return folder / f"signals-{os.getpid()}.jsonl"

    def _append(self, line: str) -> None:
        try:
            if self.path.exists() and self.path.stat().st_size + len(line) > self._limit_bytes:
                self._rotate()
                line = line if self._state is None else state_line(self._state) + line
            with self.path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(line)
        except OSError:
            self.lost += 1

    def _rotate(self) -> None:
        """`x.jsonl` → `x.jsonl.1` → … ; the oldest goes."""
        for number in range(self._kept - 1, 0, -1):
            older = self.path.with_name(f"{self.path.name}.{number}")
            newer = self.path if number == 1 else self.path.with_name(f"{self.path.name}.{number - 1}")
            if newer.exists():
                newer.replace(older)


def written(steps: Iterable[tuple[Signals, float]], state: State, write: Callable[[str], object]) -> State:
    """The ladder's state after signals at their times, the record of it handed to `write`; for what is made up."""
    write(state_line(state))
    for signals, now in steps:
        signals = rounded(signals)
        state = step(state, signals, now)
        write(step_line(signals, state, None))
    return state


def _state(told: Mapping[str, Any]) -> State:
    rules, health, bearing = told["rules"], told["health"], told["bearing"]
    last = None if health["last"] is None else DeviceReading(**health["last"])
    return State(
        **{
            **told,
            "rules": Rules(**{**rules, "health": HealthRules(**rules["health"])}),
            "rungs": tuple(told["rungs"]),
            "bearing": None if bearing is None else Bearing(**bearing),
            "quarantines": tuple(Quarantine(**one) for one in told["quarantines"]),
            "health": HealthState(**{**health, "last": last}),
        }
    )


def _signals(told: Mapping[str, Any]) -> Signals:
    pin = told.get("pin")
    if pin is not None and pin not in RUNGS:
        raise ValueError(f"there is no rung {pin!r}")
    return Signals(
        **{name: told.get(name) for name in _PLAIN},
        agreement={rung: Agreement(*seen) for rung, seen in told.get("agreement", {}).items()},
        device=DeviceReading(**told["device"]) if "device" in told else None,
        pin=pin,
    )


def _short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.7g}")


def _line(told: Mapping[str, Any]) -> str:
    return json.dumps(told, separators=(",", ":")) + "\n"
