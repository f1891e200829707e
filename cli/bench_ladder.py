"""`scholarsearch bench ladder`: switch the precision of a real service under load, and look who noticed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from .failure import told_in_one_line
from .steps import steps


def ladder_bench(
    switches: Annotated[int, typer.Option(min=1, help="At least so many moves.")] = 50,
    every_s: Annotated[float, typer.Option(min=1.0, help="Seconds between two pins.")] = 4.0,
    day_s: Annotated[float, typer.Option(min=10.0, help="Seconds in which a whole day is played.")] = 240.0,
    peak: Annotated[
        float,
        typer.Option(min=0.1, help="Traffic of the busiest hour, as a share of the reference's capacity."),
    ] = 1.2,
    load: Annotated[float, typer.Option(min=0.05, help="Traffic beside the pins, likewise.")] = 0.5,
    shadow: Annotated[float, typer.Option(min=0, max=1, help="Share of searches that is compared.")] = 0.05,
    seed: Annotated[int, typer.Option(min=0, help="Of the arrivals.")] = 5,
    out: Annotated[Path | None, typer.Option("--out", help="Draw the service's record, a PNG.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
) -> None:
    """Play a day of searches at speed on a real service, pin one rung after another, and count what was lost.

    The service runs on a free port over a home of its own. First the policy `pressure` moves its ladder under a
    day's traffic, then pins move it until there were enough switches. Searches are timed from when they were due.
    Exits 1 when a goal is missed.

    Example: scholarsearch bench ladder --switches 10 --day-s 60
    """
    with told_in_one_line(debug):
        import signal
        import sys
        import tempfile

        from app.bench.ladder.tally import Work, bench_ladder
        from app.canary.roster import read_roster
        from app.precision.picture import draw
        from app.settings import Settings

        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        home = Settings().home
        home.mkdir(parents=True, exist_ok=True)
        work = Work(switches, every_s, day_s, peak, load, shadow, seed)
        questions = [query.text for query in read_roster().queries]
        with steps() as progress, tempfile.TemporaryDirectory(prefix="bench-", dir=home) as scratch:
            told, record = bench_ladder(Path(scratch), work, questions, progress)
        if out is not None:
            draw(record, out, f"a day in {day_s:g} s, then pins: {told['searches']:,} searches")
    typer.echo(json.dumps(told) if as_json else _told(told))
    if not all(told["met"].values()):
        raise typer.Exit(1)


def _told(told: Mapping[str, Any]) -> str:
    inside, around = told["in_switch_second"], told["around"]
    lines = [
        f"{told['machine']['processor']}, {told['machine']['cores']} cores; the reference serves"
        f" {told['reference_qps']} searches a second",
        f"{told['searches']:,} searches, {told['failed']} failed, {told['refused']} refused,"
        f" {told['degraded']} with less; served on {_counts(told['served_on'])}",
        f"  alone                 {_ms(told['probe']['alone'])}",
        f"  beside the probe      {_ms(told['probe']['beside'])}",
        f"{told['switches']} switches: {_counts(told['reasons'])}",
        f"  in the switch second  {_ms(inside)}",
        f"  around it             {_ms(around)}",
        f"  lowest agreement      {_counts(told['lowest_agreement'])}",
    ]
    for rung in told["rungs"]:
        place = "on the ladder" if rung["on_ladder"] else "not on it"
        lines.append(f"  {rung['rung']}  {place}: {rung['detail']}")
    goals = told["met"].items()
    return "\n".join(
        [*lines, *(f"{'met   ' if met else 'MISSED'}  {goal.replace('_', ' ')}" for goal, met in goals)]
    )


def _counts(found: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} {'-' if value is None else round(value, 3)}" for name, value in sorted(found.items())
    )


def _ms(found: Mapping[str, Any]) -> str:
    if found["p99"] is None:
        return "nobody"
    return f"p50 {found['p50']:8,.1f} ms   p99 {found['p99']:8,.1f} ms   {found['searches']:,} searches"
