"""Progress on stderr: one bar per step, shown only to somebody who is watching."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[str, int, int], None]
"""Told the step, how much of it is done, and how much there is."""


@contextmanager
def steps() -> Iterator[Progress]:
    """What a long job calls to say how far it is. Silent where stderr is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bars:
        known = {}

        def tell(step: str, done: int, total: int) -> None:
            if step not in known:
                known[step] = bars.add_task(step, total=total)
            bars.update(known[step], completed=done, total=total)

        yield tell
