"""`scholarsearch bench feedback`: is the log of answers exact, and does a kill lose anything that was acknowledged?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from .failure import told_in_one_line
from .steps import steps


def exposures(
    kills: Annotated[int, typer.Option(min=0, help="How many times a service is killed.")] = 10,
    searchers: Annotated[int, typer.Option(min=1, max=64, help="People who search at once.")] = 4,
    between_s: Annotated[float, typer.Option(min=0.5, help="Seconds between two kills, about.")] = 3.0,
    append: Annotated[
        int, typer.Option(min=0, help="Instead, time so many entries into the log, without a service.")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Search two services of one home under an A/B test, click, kill them again and again, and compare the log.

    Every answer that was received has to be logged once, with its hits and arms; nothing else may be but answers that
    were on their way when a service died; every acknowledged event has to be there. Exits 1 when it is not so.

    Example: scholarsearch bench feedback --kills 3
    """
    with told_in_one_line(debug):
        import signal
        import sys
        import tempfile
        from pathlib import Path

        from app.settings import Settings

        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        home = Settings().home
        home.mkdir(parents=True, exist_ok=True)
        with steps() as progress, tempfile.TemporaryDirectory(prefix="bench-", dir=home) as scratch:
            if append:
                from app.bench.feedback.append import bench_append

                told = bench_append(Path(scratch), append)
            else:
                from app.bench.feedback.tally import Load, bench_feedback

                told = bench_feedback(Path(scratch), Load(searchers, kills, between_s), progress)
    typer.echo(json.dumps(told, ensure_ascii=False) if as_json else _told(told))
    if not all(told["met"].values()):
        raise typer.Exit(1)


def _told(told: Mapping[str, Any]) -> str:
    if told["what"] == "append":
        lines = [
            f"{name.replace('_', ' '):<22}p50 {found['p50']:6.1f} us   p99 {found['p99']:6.1f} us"
            for name, found in told["us"].items()
        ]
    else:
        lines = [
            f"{told['answers']:,} answers received from {told['services']} services, {told['in_an_arm']:,} in an"
            f" arm, {told['kills']} kills",
            f"  not logged {told['exposures_missing']}, logged otherwise {told['exposures_altered']}",
            f"  logged and not received {told['exposures_of_answers_not_received']}, of"
            f" {told['searches_without_an_answer']} searches that a kill cut off",
            f"{told['acknowledged']:,} events acknowledged, {told['acknowledged_missing']} of them missing",
        ]
    return "\n".join(
        lines
        + [f"{'met   ' if met else 'MISSED'}  {name.replace('_', ' ')}" for name, met in told["met"].items()]
    )
