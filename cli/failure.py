"""What a verb that goes wrong says: one line on stderr, exit code 2 for wrong usage, 1 for anything else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

# By name, so that telling a failure imports none of the packages that can fail.
WRONG_USAGE = frozenset({"UnknownSystem", "UnknownSplit", "UnknownModel", "InvalidRequest"})


@contextmanager
def told_in_one_line(debug: bool) -> Iterator[None]:
    """Runs the block; an exception in it ends the process with one line, or with its traceback if `debug`."""
    try:
        yield
    except (typer.Exit, typer.Abort, typer.BadParameter):
        raise
    except Exception as error:
        if debug:
            raise
        typer.echo(f"error: {_words(error)}", err=True)
        wrong_usage = any(kind.__name__ in WRONG_USAGE for kind in type(error).__mro__)
        raise typer.Exit(2 if wrong_usage else 1) from error


def _words(error: Exception) -> str:
    """What went wrong, on one line."""
    known = getattr(error, "known", None)
    if known is not None:
        return f"no system {getattr(error, 'name', '')!r}; known: {', '.join(known)}"
    return " ".join(str(error).split()) or type(error).__name__
