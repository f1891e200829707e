"""`scholarsearch lint-set`: what is wrong with a test set."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .failure import told_in_one_line

if TYPE_CHECKING:
    from evaluation.lint import Finding

_SHOWN = 10


def lint_set(
    folder: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="Folder of the test set.")],
    train: Annotated[
        list[Path] | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="File that was trained on: lines of text, or JSON lines with `query` or `text`; repeatable.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
) -> None:
    """Look for what makes figures of a test set wrong or doubtful; exits 1 when something makes them wrong.

    Missing ids, relevant documents that the query's own filters keep out, queries that count twice or were trained on,
    empty texts, odd grades, small tags.

    Example: scholarsearch lint-set sets/awards --train data/train.jsonl.gz
    """
    with told_in_one_line(debug):
        from app.reachability import unreachable
        from evaluation.lines import texts_of
        from evaluation.lint import in_order, leaks, lint
        from evaluation.testset import TestSet

        test_set = TestSet(folder)
        found = lint(test_set)
        queries, corpus = test_set.queries(), [document for _, document in test_set.corpus()]
        for split in test_set.splits():
            found += unreachable(queries, test_set.qrels(split), corpus)
        for file in train or ():
            found += leaks(queries, texts_of(file), file.name)
        found = in_order(list(dict.fromkeys(found)))
    errors = sum(one.weight == "error" for one in found)
    if as_json:
        typer.echo(
            json.dumps(
                {"set": test_set.name, "errors": errors, "findings": [asdict(one) for one in found]},
                ensure_ascii=False,
            )
        )
    else:
        _tell(found, test_set.name)
    if errors:
        raise typer.Exit(1)


def _tell(found: list[Finding], name: str) -> None:
    counts = Counter((one.weight, one.code) for one in found)
    for (weight, code), count in counts.items():
        typer.echo(f"{weight}: {code}: {count}")
        some = [one for one in found if (one.weight, one.code) == (weight, code)]
        for one in some[:_SHOWN]:
            typer.echo(f"  {one.where}: {one.words}" if one.where else f"  {one.words}")
        if count > _SHOWN:
            typer.echo(f"  and {count - _SHOWN} more (--json has them all)")
    if not found:
        typer.echo(f"{name}: nothing found")
