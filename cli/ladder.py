"""`scholarsearch ladder`: the precision ladder outside a service: replay what it saw, or make up a day for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from .failure import told_in_one_line
from .steps import steps

if TYPE_CHECKING:
    from app.precision.replaying import Replayed

ladder = typer.Typer(
    no_args_is_help=True, help="Replay the precision ladder, or try its rules on a made-up day."
)

_Picture = Annotated[Path | None, typer.Option("--out", help="Draw it as one picture, a PNG.")]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
_Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")]


@ladder.callback()
def _ladder() -> None:
    """Replay the precision ladder, or try its rules on a made-up day."""


@ladder.command("replay")
def replay_records(
    logs: Annotated[
        list[Path], typer.Argument(exists=True, dir_okay=False, help="Records, the oldest first.")
    ],
    out: _Picture = None,
    as_json: _Json = False,
    debug: _Debug = False,
) -> None:
    """Take every step of a record again, and say whether the ladder does what it did then.

    A service writes its record to `ladder/signals.jsonl` in its home folder, older parts to `.1`, `.2` and so on.
    Exits 1 when a step leads to another rung than is recorded.

    Example: scholarsearch ladder replay artifacts/ladder/signals.jsonl --out ladder.png
    """
    with told_in_one_line(debug):
        from app.precision.picture import draw
        from app.precision.record import replay
        from app.precision.replaying import replayed

        record = replayed(replay(_lines(logs), ", ".join(log.name for log in logs)))
        if out is not None:
            draw(record, out, ", ".join(log.name for log in logs))
    _show(record, as_json)
    same, told = record.told
    if same != told:
        raise typer.Exit(1)


@ladder.command()
def simulate(
    record: Annotated[Path, typer.Argument(dir_okay=False, help="Where the record of the day is written.")],
    out: _Picture = None,
    policy: Annotated[Literal["stable", "pressure"], typer.Option(help="What moves the ladder.")] = "stable",
    peak: Annotated[float, typer.Option(min=0.1, help="Searches a second in the busiest hour.")] = 60.0,
    bursts: Annotated[float, typer.Option(min=0, help="Sudden bursts expected in the day.")] = 12.0,
    workers: Annotated[int, typer.Option(min=1, help="Searches served at the same time.")] = 8,
    ms: Annotated[str, typer.Option(help="Milliseconds of one search at fp16, int8 and int4.")] = "80,50,40",
    seed: Annotated[int, typer.Option(min=0, help="Of the arrivals.")] = 5,
    as_json: _Json = False,
    debug: _Debug = False,
) -> None:
    """Make up a day of searches after a real day's shape and let the ladder live through it.

    The queue and its engines are a model of given speeds, nothing is measured; what is shown is what a policy does.

    Example: scholarsearch ladder simulate day.jsonl --policy pressure --peak 90 --out day.png
    """
    speeds = _speeds(ms)
    with told_in_one_line(debug):
        from app.precision.day import Bursts, arrivals
        from app.precision.picture import draw
        from app.precision.record import replay
        from app.precision.replaying import replayed
        from app.precision.simulation import Machine, simulate
        from models.ladder import Rules
        from models.rung import RUNGS

        machine = Machine(workers, dict(zip(RUNGS, speeds, strict=True)))
        counts = arrivals(peak, seed, Bursts(bursts))
        with steps() as progress, record.open("w", encoding="utf-8", newline="\n") as file:
            outcome = simulate(
                counts,
                Rules(policy=policy),
                machine,
                seed,
                file.write,
                lambda done, total: progress("the day", done, total),
            )
        found = replayed(replay(_lines([record]), record.name))
        if out is not None:
            draw(found, out, f"a made-up day, policy {policy}, {outcome.searches:,} searches")
    _show(found, as_json, searches=outcome.searches, refused=outcome.refused)


def _lines(logs: list[Path]) -> Iterator[str]:
    for log in logs:
        with log.open(encoding="utf-8") as file:
            yield from file


def _speeds(text: str) -> list[float]:
    try:
        speeds = [float(part) for part in text.split(",")]
    except ValueError:
        speeds = []
    if len(speeds) != 3 or min(speeds) <= 0:
        raise typer.BadParameter(f"{text!r} is not three times in milliseconds", param_hint="--ms")
    return speeds


def _show(record: Replayed, as_json: bool, **more: int) -> None:
    told = record.summary() | more
    if as_json:
        typer.echo(json.dumps(told))
        return
    typer.echo(f"{told['steps']:,} steps over {told['hours']:.1f} hours, {told['switches']} switches")
    for name, value in more.items():
        typer.echo(f"{name}: {value:,}")
    whole = max(sum(record.seconds.values()), 1e-9)
    for rung, seconds in record.seconds.items():
        typer.echo(f"{rung}  {100 * seconds / whole:5.1f} % of the time")
    for reason, count in sorted(dict(told["reasons"]).items()):  # type: ignore[call-overload]
        typer.echo(f"moved by {reason}: {count}")
    typer.echo(f"as recorded: {told['as_recorded']:,} of {told['recorded']:,} steps")
