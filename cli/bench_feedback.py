"""`scholarsearch bench feedback-loop`: does learning from clicks help, and does their bias lock in?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .failure import told_in_one_line
from .steps import steps

if TYPE_CHECKING:
    from training.feedback.trial import Course, Gain


def feedback_loop(
    worlds: Annotated[int, typer.Option(min=2, max=1000, help="Invented collections.")] = 20,
    rounds: Annotated[int, typer.Option(min=1, max=100, help="Rounds of searching and learning.")] = 8,
    searches: Annotated[int, typer.Option(min=50, max=100_000, help="Searches a round.")] = 1500,
    seed: Annotated[int, typer.Option(min=0, help="Of worlds and users.")] = 17,
    picture: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Where to draw nDCG@10 by round, a PNG.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
) -> None:
    """Let simulated users search, learn from their clicks, and let them search what was learned, round after round.

    Rankers that take clicks as they come stand beside rankers that weigh them by how often their rank is looked at,
    over the same worlds. The users and the worlds are described in docs/replay.md.

    Example: scholarsearch bench feedback-loop --worlds 5 --rounds 4
    """
    with told_in_one_line(debug):
        from training.feedback.picture import draw
        from training.feedback.trial import courses, figures, gains

        with steps() as progress:
            found = list(courses(worlds, rounds, searches, seed, progress))
        told = gains(found, seed)
        if picture is not None:
            draw(found, picture)
    if as_json:
        typer.echo(json.dumps({"rounds": rounds, "searches": searches, "seed": seed} | figures(found, told)))
    else:
        _show(found, told)


def _show(found: list[Course], told: list[Gain]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("users", "learned from", "ranker"):
        table.add_column(heading, no_wrap=True)
    for heading in ("nDCG@10 before", "after 1", "at the end", "inertia"):
        table.add_column(heading, justify="right")
    for course in found:
        ndcg = course.ndcg.mean(axis=0)
        figures = (ndcg[0], ndcg[1], ndcg[-1], course.inertia.mean(axis=0)[-1])
        table.add_row(course.users, course.use, course.kind, *(f"{value:.3f}" for value in figures))
    console = Console(highlight=False)
    console.print(table)
    console.print()
    for one in told:
        console.print(
            f"{one.users}, {one.use}: {one.of} over {one.over} {one.mean:+.4f} [{one.low:+.4f}, {one.high:+.4f}]"
        )
