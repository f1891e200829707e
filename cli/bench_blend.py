"""`scholarsearch bench blend`: how much is the reranker's word to count?"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from .failure import told_in_one_line
from .steps import steps

_SHOWN = 10


def blend(
    set_folder: Annotated[
        Path,
        typer.Option(
            "--set", exists=True, file_okay=False, help="Folder of a judged set that may select models."
        ),
    ],
    split: Annotated[str, typer.Option(help="Which of the set's judged splits.")] = "dev",
    reranker: Annotated[
        Path | None,
        typer.Option(
            exists=True, file_okay=False, help="Folder of a trained checkpoint, if not the shipped one."
        ),
    ] = None,
    write: Annotated[bool, typer.Option(help="Keep the best choice in the checkpoint's manifest.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
) -> None:
    """Choose how much logit, fit and a passed deadline count beside the first stage, on a judged set.

    Every candidate is read once, then every choice is judged; the figures are of the very queries they are chosen on.

    Example: scholarsearch bench blend --set sets/awards --split dev --reranker runs/reranker/best --write
    """
    with told_in_one_line(debug):
        from app.judging import open_judge
        from app.ranker import open_ranker
        from app.selection import bench_blend, record
        from app.settings import Settings
        from evaluation.testset import TestSet
        from index.fit import FIT_FEATURES, fit_fingerprint
        from models.manifest import remember
        from models.shipped import CHECKPOINT

        folder = reranker or CHECKPOINT
        test_set, judge = TestSet(set_folder), open_judge(folder)
        qrels = test_set.qrels(split)
        queries = tuple(query for query in test_set.queries() if query.query_id in qrels)
        with steps() as progress:
            corpus = (document for _, document in test_set.corpus())
            ranker = open_ranker(test_set.folder, corpus, None, Settings().home, progress)
            choices, depths, best = bench_blend(ranker, judge, queries, qrels, progress)
        kept = record(best, FIT_FEATURES, fit_fingerprint())
        if write:
            remember(folder, {"blend": kept})
    if as_json:
        told = {
            "choices": [asdict(choice) for choice in choices],
            "depths": [asdict(depth) for depth in depths],
        }
        typer.echo(json.dumps({**told, "best": kept}))
        return
    for choice in choices[:_SHOWN]:
        typer.echo(
            f"logit {choice.logit:.1f}  fit {choice.fit:.1f}  closed {choice.closed:.0f}  "
            f"mrr@5 {choice.mrr5:.3f}  ndcg@10 {choice.ndcg10:.3f}"
        )
    for depth in depths:
        typer.echo(
            f"reach {depth.reach:.2f}  reads {depth.share:4.0%}  mrr@5 {depth.mrr5:.3f}  ndcg@10 {depth.ndcg10:.3f}"
            + ("  <- chosen" if depth.reach == best.reach else "")
        )
