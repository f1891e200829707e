"""`scholarsearch learn`: what a log of searches and clicks teaches, as figures or as files that ranking can use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .failure import told_in_one_line
from .steps import steps

if TYPE_CHECKING:
    from evaluation.replay.lessons import Look
    from evaluation.replay.searches import LoggedSearch

learn = typer.Typer(no_args_is_help=True, help="Turn a log of searches and clicks into what ranking can use.")

_Log = Annotated[
    Path,
    typer.Argument(
        exists=True, help="Exported searches and events: JSON Lines or Parquet, a file or a folder."
    ),
]
_Seed = Annotated[int, typer.Option(min=0, help="Of the bootstrap.")]
_Method = Annotated[
    str | None,
    typer.Option(
        help="How looks are told: harvested, weighed (Plackett-Luce arms) or fitted; chosen if not given."
    ),
]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
_Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")]


@learn.callback()
def _learn() -> None:
    """Turn a log of searches and clicks into what ranking can use."""


@learn.command()
def position(
    log: _Log, method: _Method = None, seed: _Seed = 17, as_json: _Json = False, debug: _Debug = False
) -> None:
    """Estimate how often each rank is looked at, relative to the first.

    Harvested from hits that stood at several ranks of one query, as an exploring arm makes them; where there are too
    few, fitted by the model alone, which is said.

    Example: scholarsearch learn position log.jsonl
    """
    with told_in_one_line(debug):
        found = _look(_searches(log), seed, method)
    if as_json:
        told = {
            "examination": found.values.tolist(),
            "ci95": found.intervals.tolist(),
            "method": found.method,
        }
        typer.echo(json.dumps(told | {"searches": found.searches, "clicks": found.clicks}))
        return
    typer.echo(f"{found.searches:,} searches, {found.clicks:,} clicks, {found.method}")
    for rank, (value, (low, high)) in enumerate(zip(found.values, found.intervals, strict=True), start=1):
        typer.echo(f"rank {rank:>2}  {value:.3f}  [{low:.3f}, {high:.3f}]")


@learn.command("preference")
def preferred(log: _Log, seed: _Seed = 17, as_json: _Json = False, debug: _Debug = False) -> None:
    """Tell which of two interleaved systems users prefer: a is the arm's own plan, b the one mixed in.

    Example: scholarsearch learn preference log.jsonl
    """
    with told_in_one_line(debug):
        from dataclasses import asdict

        import numpy as np

        from evaluation.replay.lessons import preferred as of_log

        found = of_log(_searches(log), np.random.default_rng(seed))
    if as_json:
        typer.echo(json.dumps(asdict(found) | {"verdict": found.verdict}))
        return
    typer.echo(found.verdict)
    typer.echo(
        f"preference {found.preference:+.3f} [{found.low:+.3f}, {found.high:+.3f}], {found.units:,} units"
    )
    if found.warning:
        typer.echo(f"warning: {found.warning}")


@learn.command()
def attraction(
    log: _Log,
    out: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Where to write; HOME/attraction.json if not given.")
    ] = None,
    strength: Annotated[
        float, typer.Option(min=0.01, help="Expected satisfactions at which evidence counts as much as none.")
    ] = 5.0,
    method: _Method = None,
    seed: _Seed = 17,
    as_json: _Json = False,
    debug: _Debug = False,
) -> None:
    """Learn how earlier searchers took each programme, beyond what its ranks explain.

    The service reads the file when it starts, and heeds it in arms whose plan says so (`attraction`).

    Example: scholarsearch learn attraction log.jsonl
    """
    with told_in_one_line(debug):
        from app.attraction import FILE_NAME, Attraction, write_attraction
        from app.settings import Settings
        from evaluation.replay.lessons import taken

        searches = _searches(log)
        found = _look(searches, seed, method)
        values = {name: round(value, 5) for name, value in taken(searches, found.values, strength).items()}
        path = out or Settings().home / FILE_NAME
        path.parent.mkdir(parents=True, exist_ok=True)
        until = searches[-1].at.isoformat()
        looked = tuple(found.values.tolist())
        write_attraction(Attraction(values, looked, strength, len(searches), until), path)
    told = {
        "file": str(path),
        "programmes": len(values),
        "searches": len(searches),
        "examination": found.method,
    }
    if as_json:
        typer.echo(json.dumps(told))
    else:
        typer.echo(
            f"{len(values):,} programmes from {len(searches):,} searches, examination {found.method}: {path}"
        )


@learn.command()
def examples(
    log: _Log,
    out: Annotated[Path, typer.Option(dir_okay=False, help="Where to write, a .jsonl.gz.")],
    after: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="Examples to put first, to train on both."),
    ] = None,
    judged: Annotated[
        list[Path] | None,
        typer.Option(exists=True, file_okay=False, help="Sets whose queries must not be trained on."),
    ] = None,
    method: _Method = None,
    seed: _Seed = 17,
    as_json: _Json = False,
    debug: _Debug = False,
) -> None:
    """Write training examples of the reranker from clicks, weighed by how often their rank is looked at.

    Only searches whose asker consented are used. The task is called `clicks`; `[data.tasks]` of a training
    configuration says how much it counts.

    Example: scholarsearch learn examples log.jsonl --out clicks.jsonl.gz --judged sets/awards
    """
    with told_in_one_line(debug):
        from itertools import chain

        from app.services import open_library
        from app.settings import Settings
        from evaluation.testset import TestSet
        from models.registry import DEFAULT_ENCODER, load_encoder
        from training.example import read_examples, write_examples
        from training.first_stage import FirstStage
        from training.implicit import click_examples
        from training.leakage import Guard

        searches = _searches(log)
        found = _look(searches, seed, method)
        guard = Guard(query.text for folder in judged or () for query in TestSet(folder).queries())
        with steps() as progress:
            library = open_library(Settings(), progress)
            first_stage = FirstStage(library.snapshot, library.encoder or load_encoder(DEFAULT_ENCODER))
            made = list(guard(click_examples(searches, first_stage, found.values, progress)))
        write_examples(out, chain(read_examples(after) if after else (), made))
    told = {
        "file": str(out),
        "examples": len(made),
        "judged_left_out": guard.dropped,
        "examination": found.method,
    }
    if as_json:
        typer.echo(json.dumps(told))
    else:
        typer.echo(
            f"{len(made):,} examples from {len(searches):,} searches, {guard.dropped} judged left out: {out}"
        )


def _searches(log: Path) -> list[LoggedSearch]:
    from evaluation.replay.decisions import ReplayError
    from evaluation.replay.searches import read_searches

    found = read_searches(log)
    if not found:
        raise ReplayError("the log holds no search", log)
    return found


def _look(searches: list[LoggedSearch], seed: int, method: str | None) -> Look:
    from typing import get_args

    import numpy as np

    from evaluation.replay.lessons import Method, look

    for known in get_args(Method):
        if known == method:
            return look(searches, np.random.default_rng(seed), known)
    if method is not None:
        raise typer.BadParameter(f"one of {', '.join(get_args(Method))}", param_hint="--method")
    return look(searches, np.random.default_rng(seed))
