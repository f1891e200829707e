"""`scholarsearch canary`: one round of the judged canary, here and now."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from .failure import told_in_one_line
from .steps import steps


def canary(
    folder: Annotated[
        Path | None,
        typer.Option("--set", help="Folder of judged queries. [default: the setting, else the shipped ones]"),
    ] = None,
    system: Annotated[
        str | None, typer.Option(help="The system that ranks. [default: the service's own]")
    ] = None,
    accept: Annotated[
        bool, typer.Option("--accept", help="Keep this reading as the one to compare with.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Rank a small judged set as the service would and say its MRR@5; exits 1 when it fell below the accepted one.

    The running service makes such a round every SCHOLARSEARCH_CANARY_MINUTES and shows it in its metrics.

    Example: scholarsearch canary --accept
    """
    with told_in_one_line(debug), steps() as progress:
        from datetime import UTC, datetime

        from app.canary.memory import Memory
        from app.canary.reading import take_reading
        from app.canary.roster import SHIPPED, read_roster
        from app.services import open_once
        from app.settings import Settings

        settings = Settings()
        roster = read_roster(folder or settings.canary_set or SHIPPED)
        answers = open_once(settings, progress)
        done = iter(range(1, len(roster.queries) + 1))
        reading = take_reading(
            answers,
            roster,
            datetime.now(UTC),
            system,
            breathe=lambda: progress("sing", next(done), len(roster.queries)),
        )
        verdict = Memory(settings.home).weigh(reading, accept=accept)
    if as_json:
        plain = {**asdict(reading), "at": reading.at.isoformat(), "accepted": verdict.accepted}
        typer.echo(json.dumps({**plain, "alarm": verdict.alarm}))
    else:
        typer.echo(verdict.sentence())
    if verdict.alarm:
        raise typer.Exit(1)
