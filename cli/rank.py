"""`scholarsearch rank`: a test set in, TREC run files out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from .failure import told_in_one_line
from .ranking import output_folder, rank_systems, system_names, write_runs
from .steps import steps


def rank(
    set_folder: Annotated[
        Path,
        typer.Option("--set", exists=True, file_okay=False, help="Folder of the test set (BEIR layout)."),
    ],
    system: Annotated[str, typer.Option(help="Systems to run, separated by commas.")],
    split: Annotated[str, typer.Option(help="Which of the set's splits.")] = "test",
    out: Annotated[
        Path | None, typer.Option(file_okay=False, help="Where to write; HOME/runs/SET-SPLIT if not given.")
    ] = None,
    k: Annotated[int, typer.Option(min=1, help="Hits per query.")] = 100,
    encoder: Annotated[str | None, typer.Option(help="Bi-encoder, if not the default one.")] = None,
    reranker: Annotated[
        Path | None,
        typer.Option(
            exists=True, file_okay=False, help="Folder of a trained checkpoint, if not the shipped one."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
) -> None:
    """Run every query of a test set, each at its own as_of, and write one TREC run file per system.

    Queries that only another split judges are left out.

    Example: scholarsearch rank --set sets/awards --split dev --system bm25,hybrid-open --out runs/dev
    """
    names = system_names(system)
    with told_in_one_line(debug):
        from evaluation.testset import TestSet

        test_set = TestSet(set_folder)
        queries = test_set.queries_for(split)
        folder = output_folder(out, test_set, split)
        with steps() as progress:
            runs = rank_systems(test_set, queries, names, k, encoder, reranker, progress)
        files = write_runs(folder, runs)
    if as_json:
        answer = {
            "set": test_set.name,
            "split": split,
            "queries": len(queries),
            "k": k,
            "runs": {name: str(folder / file) for name, file in files.items()},
            "fingerprints": {name: run.fingerprint for name, run in runs.items()},
        }
        typer.echo(json.dumps(answer, ensure_ascii=False))
        return
    for name, file in files.items():
        hits = sum(len(found) for found in runs[name].run.values())
        typer.echo(f"{name}: {len(queries):,} queries, {hits:,} hits, {folder / file}")
