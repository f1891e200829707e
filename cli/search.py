"""`scholarsearch search`: one query from the terminal, the same answer as over HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import uuid4

import typer

from .failure import told_in_one_line
from .filters import SYNTAX, read_filters
from .steps import steps

_COLOURS = {"open": "green", "rolling": "green", "upcoming": "cyan", "unknown": "yellow", "closed": "red"}


def search(
    query: Annotated[str, typer.Argument(help="What to look for; an empty text browses.")],
    as_of: Annotated[
        str | None, typer.Option(help="Day or instant the question is asked at. [default: now]")
    ] = None,
    k: Annotated[int, typer.Option(min=1, max=50, help="Hits.")] = 10,
    filters: Annotated[list[str] | None, typer.Option("--filter", help=SYNTAX)] = None,
    system: Annotated[str | None, typer.Option(help="System that answers. [default: hybrid-open]")] = None,
    explain: Annotated[bool, typer.Option(help="Say why each hit is there.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the answer as JSON and nothing else.")
    ] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Ask one question.

    Example: scholarsearch search "masters for engineers" --filter host_countries=DE --filter deadline=2026-12-01..
    """
    with told_in_one_line(debug):
        from app.request import read_call
        from app.services import open_once
        from app.settings import Settings

        call = read_call(
            {
                "query": query,
                "page_size": k,
                "explain": explain,
                "filters": read_filters(filters or []),
                **({"as_of": as_of} if as_of else {}),
                **({"system": system} if system else {}),
            },
            now=datetime.now(UTC).replace(microsecond=0),
            request_id=uuid4().hex,
            query_id=uuid4().hex,
        )
        with steps() as progress:
            answerer = open_once(Settings(), progress)
        try:
            answer = answerer.search(call)
        finally:
            answerer.close()
    if as_json:
        typer.echo(json.dumps(answer, ensure_ascii=False))
    else:
        _tell(answer)


def _tell(answer: Mapping[str, Any]) -> None:
    """The hits as a table on stdout."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    total = answer["total"]
    at_least = "at least " if total["relation"] == "gte" else ""
    console.print(
        Text(
            f"{at_least}{total['value']:,} matches, as of {answer['as_of']}, {answer['timings_ms']['total']:.0f} ms"
        ),
        soft_wrap=True,
    )
    for hit in answer["hits"]:
        line = Text(f"{hit['rank']:>3}. ")
        line.append(hit["title"], style="bold")
        if hit["provider"]:
            line.append(f"  {hit['provider']}")
        console.print(line, soft_wrap=True)
        state = Text("     ")
        state.append(hit["availability"], style=_COLOURS[hit["availability"]])
        state.append(_when(hit))
        console.print(state, soft_wrap=True)
        if expected := _expected(hit):
            console.print(Text(f"     {expected}", style="dim"), soft_wrap=True)
    for gone in answer["degraded"]:
        console.print(Text(f"less than usual: {gone['stage']} ({gone['reason']})"), soft_wrap=True)


def _when(hit: Mapping[str, Any]) -> str:
    window = hit["window"] or {}
    where = ", ".join(hit["host_countries"] or []) or "country not stated"
    if window.get("deadline_on"):
        left = (
            f", {hit['days_left']} days left"
            if hit["days_left"] is not None and hit["days_left"] >= 0
            else ""
        )
        return f" until {window['deadline_on']}{left} | {where} | {hit['id']}"
    return f" | {where} | {hit['id']}"


def _expected(hit: Mapping[str, Any]) -> str | None:
    """What past rounds let one expect, marked as an estimate; None where nothing does."""
    estimate = hit.get("estimate")
    return f"expected around {estimate['deadline_on']} (estimate: {estimate['basis']})" if estimate else None
