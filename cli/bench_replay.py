"""`scholarsearch bench replay`: what the replay estimators say where the truth is known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .failure import told_in_one_line

if TYPE_CHECKING:
    from evaluation.replay.outside import Trial


def outside(
    data: Annotated[
        Path,
        typer.Option(
            "--data",
            exists=True,
            file_okay=False,
            help="Folder of bandit logs of two policies, laid out as the Open Bandit Dataset.",
        ),
    ],
    seed: Annotated[int, typer.Option(min=0, help="Of the bootstrap and the folds.")] = 17,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
) -> None:
    """Ask the log of one policy what the other would have earned, and compare with what it did earn.

    Example: scholarsearch bench replay --data obd_sample
    """
    with told_in_one_line(debug):
        from evaluation.replay.outside import trials

        found = tuple(trials(data, seed))
    if as_json:
        typer.echo(json.dumps({"seed": seed, "trials": [trial.figures() for trial in found]}))
    else:
        _show(found)


def _show(found: Sequence[Trial]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    for trial in found:
        health, truth = trial.replay.health, trial.truth
        console.print(
            f"\n{trial.campaign}: log of {trial.logged}, asked about {trial.asked}. It earned {truth.value:.4f} "
            f"[{truth.low:.4f}, {truth.high:.4f}]. Effective sample size {health.effective:,.0f} of {health.rows:,}.",
            soft_wrap=True,
        )
        if health.refusal is not None:
            console.print(Text(f"  refused: {health.refusal}"), soft_wrap=True)
            continue
        table = Table(box=None, pad_edge=True, show_header=False)
        for one in trial.replay.estimates:
            held = "holds the truth" if trial.covered[one.name] else "misses the truth"
            table.add_row(one.name, f"{one.value:.4f}", f"[{one.low:.4f}, {one.high:.4f}]", held)
        console.print(table)
        for warning in health.warnings:
            console.print(Text(f"  warning: {warning}"), soft_wrap=True)
