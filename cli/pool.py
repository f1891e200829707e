"""`scholarsearch pool`: pairs out to judges, grades back in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .failure import told_in_one_line

if TYPE_CHECKING:
    from evaluation.pooling.agreement import Agreement

pool = typer.Typer(help="Judge what nobody has judged: sheets out, grades in.", no_args_is_help=True)

Set = Annotated[Path, typer.Option("--set", exists=True, file_okay=False, help="Folder of the test set.")]
Split = Annotated[str, typer.Option(help="Which of the set's judged splits.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")]
_DISPUTED_SHOWN = 10


@pool.command("export")
def export(
    set_folder: Set,
    run: Annotated[list[Path], typer.Option(exists=True, dir_okay=False, help="TREC run file; repeatable.")],
    out: Annotated[Path, typer.Option(dir_okay=False, help="Sheet to write: .csv or .jsonl.")],
    split: Split = "test",
    depth: Annotated[int, typer.Option(min=1, max=1000, help="How far down each run.")] = 10,
    regrade: Annotated[int, typer.Option(min=0, help="Judged pairs to put in again, unmarked.")] = 0,
    seed: Annotated[int, typer.Option(help="Of the order of rows.")] = 1,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Write the pairs that some run ranks high and nobody has graded: shuffled, and silent on who found them.

    Example: scholarsearch pool export --set sets/awards --split dev --run runs/a.run --run runs/b.run --out pool.csv
    """
    with told_in_one_line(debug):
        import numpy as np

        from evaluation.pooling.pool import coverage
        from evaluation.pooling.pool import pool as pooled
        from evaluation.pooling.sheet import write_sheet
        from evaluation.testset import TestSet
        from evaluation.trec import foreign_runs

        test_set = TestSet(set_folder)
        queries = {query.query_id: query for query in test_set.queries_for(split)}
        qrels = test_set.qrels(split) if split in test_set.splits() else {}
        runs = {name: one.run for name, one in foreign_runs(run).items()}
        pairs = pooled(list(runs.values()), qrels, list(queries), depth, regrade, np.random.default_rng(seed))
        corpus = {str(document["_id"]): document for _, document in test_set.corpus()}
        rows = write_sheet(out, pairs, queries, corpus)
        judged = coverage(runs, qrels, depth)
    if as_json:
        typer.echo(json.dumps({"rows": rows, "file": str(out), "judged": judged}))
        return
    for name, share in judged.items():
        typer.echo(f"{name}: {share:.1%} of its first {depth} are judged")
    typer.echo(f"{rows:,} pairs to grade (0 to 3) in {out}")


@pool.command("import")
def import_(
    sheets: Annotated[
        list[Path], typer.Argument(exists=True, dir_okay=False, help="Graded sheets, one a judge.")
    ],
    set_folder: Set,
    out: Annotated[Path, typer.Option(dir_okay=False, help="Judgements to write (qrels, .tsv).")],
    split: Split = "test",
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Put the judges' grades together with those of the split, and say how far the judges agree.

    A pair's grade is the median of what was given, the lower of two middle ones; a grade that the split has stays.

    Example: scholarsearch pool import anna.csv bo.csv --set sets/awards --split dev --out sets/awards/qrels/dev2.tsv
    """
    with told_in_one_line(debug):
        from evaluation.pooling.agreement import agreement, settled
        from evaluation.pooling.judgements import joined, write_qrels
        from evaluation.pooling.sheet import read_sheet
        from evaluation.testset import TestSet

        judges = {sheet.stem: read_sheet(sheet) for sheet in sheets}
        if len(judges) < len(sheets):
            raise typer.BadParameter(
                "two sheets of one name: a judge is named by the file", param_hint="SHEETS"
            )
        test_set = TestSet(set_folder)
        before = test_set.qrels(split) if split in test_set.splits() else {}
        found = agreement(judges)
        qrels, added = joined(before, settled(judges))
        write_qrels(out, qrels)
    if as_json:
        typer.echo(json.dumps({"added": added, "file": str(out), **_plain(found)}, ensure_ascii=False))
        return
    typer.echo(f"{added:,} new judgements, {sum(map(len, qrels.values())):,} in all, in {out}")
    for line in _told(found):
        typer.echo(line)


def _plain(found: Agreement) -> dict[str, object]:
    return {
        "doubly_graded": found.pairs,
        "exact": found.exact,
        "krippendorff_alpha": found.alpha,
        "cohen_kappa": [{"judges": list(pair), "kappa": kappa} for pair, kappa in found.kappas.items()],
        "disputed": [
            {"query_id": pair.query_id, "doc_id": pair.doc_id, "grades": dict(grades)}
            for pair, grades in found.disputed
        ],
    }


def _told(found: Agreement) -> list[str]:
    if not found.pairs:
        return ["no pair was graded twice: nothing is known of how far judges agree"]
    lines = [f"{found.pairs:,} pairs graded by two judges or more, {found.exact or 0:.0%} alike"]
    alpha = "not defined: all grades are alike" if found.alpha is None else f"{found.alpha:.3f}"
    lines.append(f"Krippendorff's alpha (ordinal): {alpha}")
    for (one, other), kappa in found.kappas.items():
        lines.append(
            f"Cohen's kappa (quadratic) of {one} and {other}: {'not defined' if kappa is None else f'{kappa:.3f}'}"
        )
    for pair, grades in found.disputed[:_DISPUTED_SHOWN]:
        given = ", ".join(f"{judge} {grade}" for judge, grade in grades.items())
        lines.append(f"disputed: {pair.query_id} {pair.doc_id}: {given}")
    return lines
