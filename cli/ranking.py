"""What `rank` and `eval` share: systems by name, run over the queries of a test set, written as run files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .steps import Progress

if TYPE_CHECKING:
    from evaluation.run import SystemRun
    from evaluation.testset import TestQuery, TestSet


def system_names(listed: str) -> tuple[str, ...]:
    """The names of a comma-separated list, each once, in the order given."""
    names = tuple(dict.fromkeys(name.strip() for name in listed.split(",") if name.strip()))
    if not names:
        raise typer.BadParameter("name at least one system", param_hint="--system")
    for name in names:
        if any(character.isspace() or character in "/\\" for character in name) or name.startswith("."):
            raise typer.BadParameter(f"{name!r} cannot name a run file", param_hint="--system")
    return names


def output_folder(out: Path | None, test_set: TestSet, split: str) -> Path:
    """`out`, or a folder of the set's and split's names under the home of everything that is written."""
    if out is not None:
        return out
    from app.settings import Settings

    return Settings().home / "runs" / f"{test_set.name}-{split}"


def rank_systems(
    test_set: TestSet,
    queries: Sequence[TestQuery],
    names: Sequence[str],
    k: int,
    encoder: str | None,
    reranker: Path | None,
    progress: Progress,
) -> dict[str, SystemRun]:
    """The run of each system over the queries, each asked at its own `as_of`.

    reranker: a checkpoint's folder, in the place of the shipped one.
    """
    from app.judging import open_judge
    from app.ranker import open_ranker
    from app.settings import Settings
    from app.systems import system
    from evaluation.run import require_order
    from models.shipped import CHECKPOINT

    plans = [system(name) for name in names]  # an unknown name is told now, not after minutes of indexing
    judge = open_judge(reranker or CHECKPOINT) if any(plan.rerank for plan in plans) else None
    corpus = (document for _, document in test_set.corpus())
    ranker = open_ranker(test_set.folder, corpus, encoder, Settings().home, progress, judge)
    runs = {}
    for name in names:
        runs[name] = ranker.rank(name, queries, k, progress)
        require_order(name, runs[name].run)
    return runs


def write_runs(out: Path, runs: dict[str, SystemRun]) -> dict[str, str]:
    """Writes one run file per system into `out`; gives system -> file name."""
    from evaluation.trec import write_run

    files = {name: f"{name}.run" for name in runs}
    for name, file in files.items():
        write_run(out / file, runs[name].run, name)
    return files
