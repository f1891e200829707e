"""`scholarsearch train`: examples in, a reranker's checkpoint with its story out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .failure import told_in_one_line
from .steps import Progress, steps

if TYPE_CHECKING:
    from training.run import Trained


def train(
    out: Annotated[
        Path, typer.Option(file_okay=False, help="Folder of the run; it is gone on from if begun.")
    ],
    config: Annotated[
        Path | None, typer.Option(help="TOML file of settings; the shipped small.toml if not given.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            file_okay=False, help="Where the examples lie; HOME/training if not given, built if not there."
        ),
    ] = None,
    sources: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            file_okay=False,
            help="Folder of more data to build examples from than the catalogue.",
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="What the reranker is called.")] = "reranker",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
) -> None:
    """Train the reranker: adapters, time gate and head. A run that was broken off goes on where it stopped.

    The examples are built first from the shipped catalogue (and what --sources holds), once. Writes best/ (the
    checkpoint), log.jsonl, gradient.jsonl, validation.jsonl, curves.png and run.json.

    Example: scholarsearch train --config small.toml --data artifacts/training --out artifacts/runs/reranker
    """
    with told_in_one_line(debug):
        from training.configuration import SHIPPED, read_settings
        from training.run import train as train_network

        settings = read_settings(config or SHIPPED / "small.toml")
        home = _home()
        folder = data or home / "training"
        with steps() as progress:
            if not (folder / settings.data.train).exists() or (data is None and not _whole(folder)):
                _build(folder, home, sources, progress)
            done = train_network(settings, folder, out, progress, name)
        _tell(done, as_json)


def _home() -> Path:
    from app.settings import Settings

    return Settings().home


def _whole(folder: Path) -> bool:
    """True when nothing broke off the building of the examples: the manifest is written last."""
    from training.dataset import MANIFEST

    return (folder / MANIFEST).exists()


def _build(folder: Path, home: Path, sources: Path | None, progress: Progress) -> None:
    """Builds the examples in `folder`."""
    from models.registry import DEFAULT_ENCODER, load_encoder
    from training.dataset import DataPlan, Sources, build_data

    encoder = load_encoder(DEFAULT_ENCODER)
    build_data(folder, DataPlan(), Sources.under(sources), home / "sets", encoder, (), progress)


def _tell(done: Trained, as_json: bool) -> None:
    outcome = done.outcome
    answer = {
        "checkpoint": str(done.checkpoint),
        "steps": outcome.steps,
        "best_step": outcome.best_step,
        "mrr@5": round(outcome.best.mrr5, 4),
        "ndcg@10": round(outcome.best.ndcg10, 4),
        "stopped_early": outcome.stopped_early,
        "trained_parameters": done.share.trained,
        "parameters": done.share.total,
        "examples": done.examples,
    }
    if as_json:
        typer.echo(json.dumps(answer))
        return
    typer.echo(
        f"{outcome.steps} steps over {done.examples:,} examples, trained {done.share}; best after step "
        f"{outcome.best_step}: MRR@5 {outcome.best.mrr5:.3f}, nDCG@10 {outcome.best.ndcg10:.3f} on validation\n"
        f"Checkpoint: {done.checkpoint}"
    )
