"""A bandit log on disk: CSV (also .gz) with a header, one row per show.

    action      what was shown (also: item_id)
    reward      what came of it, a number (also: click)
    propensity  the chance with which it was shown (also: propensity_score, action_prob, pscore)
    context     optional: what the choice was made on (also: position); one context for all when absent
    unit        optional: who saw it (also: user_id); every row its own when absent
    target:X    optional: the chance with which policy X would have shown the same

Other columns are ignored. A row that cannot be read is an error that names its line.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .decisions import Decisions, ReplayError, Values, plain
from .outcome import Replay, replay
from .rewards import cross_fitted

Names = NDArray[np.str_]

_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "action": ("action", "item_id"),
    "reward": ("reward", "click"),
    "propensity": ("propensity", "propensity_score", "action_prob", "pscore"),
    "context": ("context", "position"),
    "unit": ("unit", "user_id"),
}
_NEEDED = ("action", "reward", "propensity")
_TARGET = "target:"
UNIFORM = "uniform"
"""The policy that shows every action of the log equally often."""


@dataclass(frozen=True, slots=True)
class BanditLog:
    """n shows. targets: by policy, (n,) the chances that the log states; units: None when none are stated."""

    path: Path
    actions: Names
    contexts: Names
    rewards: Values
    propensities: Values
    units: Names | None
    targets: Mapping[str, Values]


def is_bandit_log(path: Path) -> bool:
    """Whether a file is a CSV, plain or gzipped, by its name."""
    return path.name.removesuffix(".gz").endswith(".csv")


def read_bandit_log(path: Path) -> BanditLog:
    """The log in `path`. Raises ReplayError naming the line."""
    columns: dict[str, list[str]] = {}
    try:
        for name, value in _cells(path):
            columns.setdefault(name, []).append(value)
    except (OSError, EOFError, UnicodeDecodeError, csv.Error) as fault:
        raise ReplayError(f"cannot be read ({fault})", path) from fault
    if not columns:
        raise ReplayError("the log has no row", path)
    shows = len(columns["action"])
    return BanditLog(
        path=path,
        actions=np.array(columns["action"]),
        contexts=np.array(columns.get("context", [""] * shows)),
        rewards=_numbers(columns["reward"], "reward", path),
        propensities=_numbers(columns["propensity"], "propensity", path),
        units=np.array(columns["unit"]) if "unit" in columns else None,
        targets={
            name.removeprefix(_TARGET): _numbers(values, name, path)
            for name, values in columns.items()
            if name.startswith(_TARGET)
        },
    )


def replay_bandit(
    log: BanditLog, policy: str | BanditLog, rng: np.random.Generator, cap: float | None = None
) -> Replay:
    """What a policy would have earned per show.

    policy: `uniform`, the name of one of the log's target columns, or another log over the same contexts, whose
    shows say how often it shows what. Raises ReplayError for a name that is none of them.
    """
    actions, action = _shared_codes(log.actions, policy.actions if isinstance(policy, BanditLog) else None)
    contexts, context = _shared_codes(
        log.contexts, policy.contexts if isinstance(policy, BanditLog) else None
    )
    units = None if log.units is None else np.unique(log.units, return_inverse=True)[1].astype(np.int64)
    if isinstance(policy, BanditLog):
        table = _frequencies(policy, actions, contexts)
        name, target = f"the policy of {policy.path.name}", table[context, action]
    elif policy == UNIFORM:
        table = np.full((len(contexts), len(actions)), 1.0 / len(actions))
        name, target = UNIFORM, table[context, action]
    elif policy in log.targets:
        decisions = plain(
            log.rewards,
            log.propensities,
            log.targets[policy],
            contexts=context,
            actions=action,
            units=units,
        )
        return replay(decisions, policy, "reward", rng, cap=cap)
    else:
        known = ", ".join((UNIFORM, *log.targets, "or the path of another log"))
        raise ReplayError(f"no policy {policy!r} is known for this log: {known}")
    decisions = plain(log.rewards, log.propensities, target, contexts=context, actions=action, units=units)
    foretold = cross_fitted(decisions, table, rng)
    return replay(decisions, name, "reward", rng, foretold, _unseen(decisions, table), cap)


def _cells(path: Path) -> Iterator[tuple[str, str]]:
    with (
        gzip.open(path, "rt", encoding="utf-8", newline="")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8", newline="")
    ) as file:
        rows = csv.reader(file)
        header = [name.strip() for name in next(rows, [])]
        places = {
            name: header.index(found)
            for name, accepted in _COLUMNS.items()
            if (found := next((known for known in accepted if known in header), None)) is not None
        }
        if missing := [name for name in _NEEDED if name not in places]:
            raise ReplayError(f"the header has no column {' or '.join(_COLUMNS[missing[0]])}", path, 1)
        places |= {name: at for at, name in enumerate(header) if name.startswith(_TARGET)}
        for row in rows:
            if len(row) != len(header):
                raise ReplayError(f"{len(row)} cells where the header has {len(header)}", path, rows.line_num)
            for name, at in places.items():
                yield name, row[at]


def _numbers(cells: list[str], name: str, path: Path) -> Values:
    try:
        return np.array(cells, dtype=np.float64)
    except ValueError as fault:
        wrong = next(at for at, cell in enumerate(cells) if not _is_number(cell))
        raise ReplayError(f"the {name} is no number: {cells[wrong]!r:.40}", path, wrong + 2) from fault


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _shared_codes(names: Names, others: Names | None) -> tuple[Names, NDArray[np.int64]]:
    """The sorted names of both, and (n,) the codes of the first."""
    known = np.unique(names if others is None else np.concatenate([names, others]))
    return known, np.searchsorted(known, names).astype(np.int64)


def _frequencies(log: BanditLog, actions: Names, contexts: Names) -> Values:
    """(X, A) how often a log shows each action in each context; a context it does not know is spread evenly."""
    shown = np.zeros((len(contexts), len(actions)))
    np.add.at(shown, (np.searchsorted(contexts, log.contexts), np.searchsorted(actions, log.actions)), 1.0)
    total = shown.sum(axis=1, keepdims=True)
    return np.where(total > 0, shown / np.maximum(total, 1.0), 1.0 / len(actions))


def _unseen(decisions: Decisions, table: Values) -> float:
    """The share of what the other policy shows that the log never showed in that context."""
    seen = np.zeros(table.shape, bool)
    seen[decisions.contexts, decisions.actions] = True
    share = np.bincount(decisions.contexts, minlength=len(table)) / len(decisions.contexts)
    return float((share @ np.where(seen, 0.0, table)).sum())
