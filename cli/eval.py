"""`scholarsearch eval`: a test set in, judged figures and a report out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .failure import told_in_one_line
from .ranking import output_folder, rank_systems, system_names, write_runs
from .steps import steps

if TYPE_CHECKING:
    from evaluation.assessment import Assessment
    from evaluation.run import SystemRun

SHOWN = ("mrr@5", "ndcg@10", "recall@100")


def evaluate(
    set_folder: Annotated[
        Path,
        typer.Option("--set", exists=True, file_okay=False, help="Folder of the test set (BEIR layout)."),
    ],
    system: Annotated[
        str | None, typer.Option(help="Systems to judge, separated by commas; none with --compare alone.")
    ] = None,
    split: Annotated[str, typer.Option(help="Which of the set's judged splits.")] = "test",
    baseline: Annotated[
        str | None,
        typer.Option(help="System to compare with; run too if not listed; the first listed, if not given."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(file_okay=False, help="Where to write; HOME/runs/SET-SPLIT if not given.")
    ] = None,
    compare: Annotated[
        list[Path] | None,
        typer.Option(
            exists=True, dir_okay=False, help="TREC run file to judge beside the systems; repeatable."
        ),
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(help="Exit 1 when a figure is lower: METRIC=LEAST or METRIC=LEAST:SYSTEM; repeatable."),
    ] = None,
    fail_below_baseline: Annotated[
        list[str] | None,
        typer.Option(help="Exit 1 when a system is surely below the baseline on this METRIC; repeatable."),
    ] = None,
    relevant_grade: Annotated[
        int | None,
        typer.Option(
            min=1, help="Least grade that counts as relevant; 2, or 1 in binary sets, if not given."
        ),
    ] = None,
    encoder: Annotated[str | None, typer.Option(help="Bi-encoder, if not the default one.")] = None,
    reranker: Annotated[
        Path | None,
        typer.Option(
            exists=True, file_okay=False, help="Folder of a trained checkpoint, if not the shipped one."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print metrics.json and nothing else.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
) -> None:
    """Rank a test set and judge the runs: metrics with intervals, slices, paired tests, latencies, a report.

    Writes report.html, report.md, metrics.json, per_query.csv and one run file per system.

    Example: scholarsearch eval --set sets/awards --split dev --system hybrid,hybrid-open --baseline bm25

    As a gate: scholarsearch eval --set sets/awards --split dev --system hybrid-open --fail-under mrr@5=0.8
    """
    if system is None and not compare:
        raise typer.BadParameter("name a system, or a run file with --compare", param_hint="--system")
    names = system_names(system) if system else ()
    with told_in_one_line(debug):
        from evaluation.assessment import assess
        from evaluation.metrics import DEPTH
        from evaluation.metrics import relevant_grade as choose_grade
        from evaluation.report import write_report
        from evaluation.testset import TestSet
        from evaluation.threshold import below_baseline, known_metric, parse_threshold, under
        from evaluation.trec import foreign_runs
        from evaluation.verdict import ALPHA

        test_set = TestSet(set_folder)
        gates = [parse_threshold(text) for text in fail_under or ()]
        metrics = [known_metric(name) for name in fail_below_baseline or ()]
        foreign = foreign_runs(compare or (), taken=names)
        if baseline is not None and baseline not in foreign:
            names = tuple(dict.fromkeys((*system_names(baseline), *names)))
        qrels = test_set.qrels(split)
        queries = tuple(query for query in test_set.queries() if query.query_id in qrels)
        folder = output_folder(out, test_set, split)
        runs: dict[str, SystemRun] = {}
        if names:
            with steps() as progress:
                runs = rank_systems(test_set, queries, names, DEPTH, encoder, reranker, progress)
        runs |= foreign
        if baseline is not None:
            runs = {baseline: runs[baseline], **runs}
        files = write_runs(folder, runs)
        judged = assess(test_set.name, split, queries, qrels, runs, choose_grade(qrels, relevant_grade))
        write_report(judged, folder, files)
        _tell(judged, folder, as_json)
        failures = under(judged, gates) + below_baseline(judged, metrics, ALPHA)
    for failure in failures:
        typer.echo(f"failed: {failure}", err=True)
    if failures:
        raise typer.Exit(1)


def _tell(judged: Assessment, folder: Path, as_json: bool) -> None:
    """The figures on stdout: as the JSON of metrics.json, or as a table and a sentence."""
    if as_json:
        from evaluation.figures import figures

        typer.echo(json.dumps(figures(judged), ensure_ascii=False))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from evaluation.verdict import verdict

    table = Table(box=None, pad_edge=False)
    for column in ("system", *SHOWN, "judged@10"):
        table.add_column(column, no_wrap=True)
    for system in judged.systems:
        cells = (
            f"{system.means[metric]:.3f} {system.ci95[metric][0]:.2f}–{system.ci95[metric][1]:.2f}"
            for metric in SHOWN
        )
        judged_share = f"{system.means['judged@10']:.2f}"
        table.add_row(*(Text(cell) for cell in (system.name, *cells, judged_share)))
    console = Console(highlight=False)
    console.print(table)
    console.print()
    for sentence in (verdict(judged), *judged.notes, f"Report: {folder / 'report.html'}"):
        console.print(Text(sentence), soft_wrap=True)
