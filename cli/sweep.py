"""`scholarsearch sweep`: the settings of a plan, tried one by one against a judged set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from .failure import told_in_one_line
from .ranking import output_folder
from .steps import steps

_SHOWN = 15


def sweep(
    set_folder: Annotated[
        Path,
        typer.Option("--set", exists=True, file_okay=False, help="Folder of the test set (BEIR layout)."),
    ],
    over: Annotated[
        list[str],
        typer.Option(help="NAME=VALUE,VALUE of a plan's setting; repeatable: every combination is tried."),
    ],
    system: Annotated[str, typer.Option(help="The system whose plan is changed.")] = "hybrid-open",
    split: Annotated[str, typer.Option(help="Which of the set's judged splits.")] = "dev",
    metric: Annotated[
        str, typer.Option(help="What the picture shows: mrr@5, ndcg@10 or recall@100.")
    ] = "mrr@5",
    out: Annotated[
        Path | None, typer.Option(file_okay=False, help="Where to write; HOME/runs/SET-SPLIT if not given.")
    ] = None,
    relevant_grade: Annotated[
        int | None, typer.Option(min=1, help="Least grade that counts as relevant.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
) -> None:
    """Try every combination of settings and draw what each gives; what was tried before is not tried again.

    Writes sweep.jsonl and sweep.png. The best of many is partly luck: judge it on queries that did not choose it.

    Example: scholarsearch sweep --set sets/awards --over depth=50,200,500 --over open_first=true,false
    """
    with told_in_one_line(debug):
        from app.judging import open_judge
        from app.ranker import open_ranker
        from app.settings import Settings
        from app.sweeping import METRICS, parse_over
        from app.sweeping import sweep as tried
        from app.systems import system as plan_of
        from evaluation.metrics import relevant_grade as choose_grade
        from evaluation.sweep import best, draw
        from evaluation.testset import TestSet

        if metric not in METRICS:
            raise typer.BadParameter(f"must be one of {', '.join(METRICS)}", param_hint="--metric")
        settings = dict(parse_over(text) for text in over)
        if len(settings) < len(over):
            raise typer.BadParameter("names a setting twice", param_hint="--over")
        reranks = plan_of(system).rerank is not None or any(name.startswith("rerank") for name in settings)
        test_set = TestSet(set_folder)
        qrels = test_set.qrels(split)
        queries = tuple(query for query in test_set.queries() if query.query_id in qrels)
        folder = output_folder(out, test_set, split)
        with steps() as progress:
            corpus = (document for _, document in test_set.corpus())
            judge = open_judge() if reranks else None
            ranker = open_ranker(test_set.folder, corpus, None, Settings().home, progress, judge)
            grade = choose_grade(qrels, relevant_grade)
            trials = tried(ranker, system, settings, queries, qrels, grade, folder / "sweep.jsonl", progress)
        draw(
            trials,
            metric,
            folder / "sweep.png",
            f"{system} on {test_set.name} ({split}, {len(queries)} queries)",
        )
        leader = best(trials, metric)
    if as_json:
        told = {"metric": metric, "best": leader.record(), "trials": [trial.record() for trial in trials]}
        typer.echo(json.dumps(told, ensure_ascii=False))
        return
    for trial in sorted(trials, key=lambda trial: -trial.means[metric])[:_SHOWN]:
        low, high = trial.ci95[metric]
        figures = "  ".join(f"{name} {trial.means[name]:.3f}" for name in METRICS)
        typer.echo(f"{figures}  [{low:.3f}, {high:.3f}]  {trial.name}")
    typer.echo(f"Picture: {folder / 'sweep.png'}")
