"""`scholarsearch replay`: what would another system have earned with the traffic of a log?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .failure import told_in_one_line
from .steps import steps

if TYPE_CHECKING:
    import numpy as np

    from evaluation.replay.outcome import Replay


def replay(
    log: Annotated[
        Path,
        typer.Argument(
            exists=True,
            help="Exported searches and events (JSON Lines or Parquet, a file or a folder), or a CSV.",
        ),
    ],
    system: Annotated[
        str,
        typer.Option(
            help="System asked about; for a CSV `uniform`, the X of a column `target:X`, or another CSV log."
        ),
    ],
    metric: Annotated[
        str, typer.Option(help="click_mrr@5, ctr@5, ctr@1 or clicks@5; a CSV has its own reward.")
    ] = "click_mrr@5",
    cap: Annotated[
        float | None, typer.Option(min=1.0, help="Where weights are cut; √rows if not given.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the bootstrap and the folds.")] = 17,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
) -> None:
    """Weigh logged traffic by the chances it was served with: IPS, SNIPS, DR and others, with intervals.

    A log that cannot answer is refused and says why; that is an answer, and the exit code is 0.

    Example: scholarsearch replay log.jsonl --system full --metric ctr@5
    """
    with told_in_one_line(debug):
        import numpy as np

        from evaluation.replay.bandit import is_bandit_log

        rng = np.random.default_rng(seed)
        if log.is_file() and is_bandit_log(log):
            found = _bandit(log, system, rng, cap)
            figures: Mapping[str, Any] = found.figures()
            left_out: Sequence[str] = ()
        else:
            found, figures, left_out = _searches(log, system, metric, rng, cap)
    if as_json:
        typer.echo(json.dumps(figures, ensure_ascii=False))
    else:
        _show(found, left_out)


def _bandit(log: Path, policy: str, rng: np.random.Generator, cap: float | None) -> Replay:
    from evaluation.replay.bandit import is_bandit_log, read_bandit_log, replay_bandit

    other = Path(policy)
    asked = read_bandit_log(other) if is_bandit_log(other) and other.is_file() else policy
    return replay_bandit(read_bandit_log(log), asked, rng, cap)


def _searches(
    log: Path, name: str, metric: str, rng: np.random.Generator, cap: float | None
) -> tuple[Replay, Mapping[str, Any], Sequence[str]]:
    from app.replaying import replay_searches
    from app.services import open_library
    from app.settings import Settings
    from app.systems import system
    from evaluation.replay.searches import read_searches

    system(name)  # a wrong name is said before anything is read
    searches = read_searches(log)
    with steps() as progress:
        library = open_library(Settings(), progress)
        told = replay_searches(searches, name, metric, library, rng, progress, cap)
    left_out = [f"{count:,} searches left out: {reason}" for reason, count in told.left_out.items()]
    return told.replay, told.figures(), (*left_out, *told.notes)


def _show(found: Replay, left_out: Sequence[str]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    health, served = found.health, found.served
    console.print(
        f"{found.metric} per search. Served: {served.value:.4f} [{served.low:.4f}, {served.high:.4f}] over "
        f"{health.searches:,} searches of {health.units:,} units. "
        f"Effective sample size {health.effective:,.0f} of {health.rows:,} rows.",
        soft_wrap=True,
    )
    if health.refusal is not None:
        console.print(Text(f"No figure for {found.system}: {health.refusal}."), soft_wrap=True)
    else:
        table = Table(box=None, pad_edge=False)
        for heading in ("", "value", "95 %", "more than served"):
            table.add_column(heading, no_wrap=True)
        for one in found.estimates:
            lift = f"{one.lift.value:+.4f} [{one.lift.low:+.4f}, {one.lift.high:+.4f}]"
            table.add_row(one.name, f"{one.value:.4f}", f"[{one.low:.4f}, {one.high:.4f}]", lift)
        console.print(f"\nWith {found.system} it would have been:")
        console.print(table)
    notes = [f"{one.name}: {one.note}" for one in found.estimates if one.note]
    for line in (*notes, *(f"warning: {one}" for one in health.warnings), *left_out):
        console.print(Text(line), soft_wrap=True)
