"""`scholarsearch records link` and `unlink`: records of one programme brought together, and kept apart."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from .failure import told_in_one_line
from .steps import steps

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Debug = Annotated[bool, typer.Option(help="Show the traceback of a failure.")]


def link(
    first: Annotated[str | None, typer.Argument(help="Id of a record.")] = None,
    second: Annotated[str | None, typer.Argument(help="Id of the record it is one programme with.")] = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Compare what is new in the store with what is there, and link records of one programme; or join two by hand.

    Linked records stay as they are and are shown as one result with its sources.

    Example: scholarsearch records link chevening-uk chevening-2027
    """
    if (first is None) != (second is None):
        raise typer.BadParameter("a link needs two records")
    _run(first, second, "join", as_json, debug)


def unlink(
    first: Annotated[str, typer.Argument(help="Id of a record.")],
    second: Annotated[str, typer.Argument(help="Id of the record it is not one programme with.")],
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Keep two records apart for good, whatever the rules find; `records link` joins them again.

    Example: scholarsearch records unlink merit-award-bachelor merit-award-master
    """
    _run(first, second, "separate", as_json, debug)


def _run(first: str | None, second: str | None, verb: str, as_json: bool, debug: bool) -> None:
    with told_in_one_line(debug):
        from contextlib import closing
        from dataclasses import asdict
        from datetime import UTC, datetime

        from app.settings import Settings
        from app.store import links, open_store

        now = datetime.now(UTC)
        with closing(open_store(Settings())) as store:
            if first is None or second is None:
                with steps() as progress:
                    done = links.link_pending(store, now, progress=progress)
            else:
                done = (links.join if verb == "join" else links.separate)(store, first, second, now)
            told = {**asdict(done), "store": asdict(links.standing(store))}
    typer.echo(json.dumps(told) if as_json else _told(told))


def _told(told: dict[str, Any]) -> str:
    store = told["store"]
    text = (
        f"{told['compared']:,} records compared, {told['links']:,} links found, "
        f"{told['moved']:,} records moved to another programme\n"
        f"{store['records']:,} records are {store['programmes']:,} programmes, by {store['links']:,} links"
    )
    said = [
        f"{store[name]:,} {words}"
        for name, words in (("joined", "joined"), ("apart", "kept apart"))
        if store[name]
    ]
    return f"{text}; by hand: {', '.join(said)}" if said else text
