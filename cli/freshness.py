"""`scholarsearch freshness`: look at the links of the records, and say how old the records are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .failure import told_in_one_line
from .steps import steps

if TYPE_CHECKING:
    from app.freshness.checker import Tally
    from app.freshness.round import Manner

freshness = typer.Typer(
    help="How fresh the records are: check their links, report their age.", no_args_is_help=True
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Debug = Annotated[bool, typer.Option(help="Show the traceback of a failure.")]


@freshness.command("check")
def check(
    limit: Annotated[
        int | None, typer.Option(min=1, help="Links at most. [default: all that are due]")
    ] = None,
    older_than: Annotated[float, typer.Option(min=0, help="Days after which a link is due again.")] = 7,
    source: Annotated[list[str] | None, typer.Option(help="Only records of this source; repeatable.")] = None,
    interval: Annotated[
        float, typer.Option(min=0, help="Least seconds between two requests to one host.")
    ] = 2.0,
    threads: Annotated[int, typer.Option(min=1, max=64, help="Hosts that are asked at one time.")] = 8,
    timeout: Annotated[float, typer.Option(min=0.1, help="Longest seconds of silence.")] = 10.0,
    total_timeout: Annotated[float, typer.Option(min=0.1, help="Longest seconds of one answer.")] = 30.0,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also visit this machine and its own network.")
    ] = False,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Look at the links of the stored records, politely, and keep what was seen; no record is changed.

    robots.txt is kept, HEAD comes before GET, a page seen before is asked for only if it has changed. A link is called
    broken once it was gone (404, 410) on two different days. An interrupted check goes on where it stopped.

    Example: scholarsearch freshness check --limit 500 --older-than 14
    """
    with told_in_one_line(debug):
        from datetime import timedelta

        from app.freshness.round import Manner
        from app.freshness.visit import Limits
        from app.settings import Settings

        settings = Settings()
        manner = Manner(
            interval_s=interval,
            threads=threads,
            limits=Limits(wait_s=timeout, total_s=total_timeout),
            older_than=timedelta(days=older_than),
            contact=settings.contact,
            allow_private=allow_private,
            sources=frozenset(source) if source else None,
            most=limit,
        )
        tally = _looked(manner)
    if as_json:
        typer.echo(json.dumps(_plain(tally)))
    else:
        typer.echo(_told(tally))


@freshness.command("report")
def report(as_json: AsJson = False, debug: Debug = False) -> None:
    """Say by source how old the records are, how many were never verified, are all past, or have broken links.

    Example: scholarsearch freshness report --json
    """
    with told_in_one_line(debug):
        from datetime import UTC, datetime

        from app.freshness.staleness import staleness
        from app.settings import Settings
        from app.store import open_store
        from app.store.visits import all_visits

        now = datetime.now(UTC)
        store = open_store(Settings())
        try:
            visits = {visit.url: visit for visit in all_visits(store)}
            everything, by_source = staleness(store.documents(), visits, now)
        finally:
            store.close()
        told = {
            "as_of": now.isoformat(timespec="seconds"),
            "all": everything.to_json(),
            "sources": {name: one.to_json() for name, one in by_source.items()},
        }
    if as_json:
        typer.echo(json.dumps(told, ensure_ascii=False))
    else:
        _show(told)


def _looked(manner: Manner) -> Tally:
    from datetime import UTC, datetime

    from app.freshness.patrol import LOCK, Busy
    from app.freshness.round import look_round
    from app.lock import held
    from app.settings import Settings
    from app.store import open_store

    settings = Settings()
    store = open_store(settings)
    try:
        with held(settings.home / LOCK, wait=False) as mine, steps() as progress:
            if not mine:
                raise Busy
            return look_round(store, manner, lambda: datetime.now(UTC), progress)
    finally:
        store.close()


def _plain(tally: Tally) -> dict[str, object]:
    return {
        "due": tally.due,
        "looked": tally.looked,
        "postponed": tally.postponed,
        "redirected": tally.redirected,
        "states": dict(sorted(tally.states.items())),
    }


def _told(tally: Tally) -> str:
    text = f"{tally.looked:,} of {tally.due:,} links looked at"
    states = sorted(tally.states.items(), key=lambda pair: (-pair[1], pair[0]))
    if states:
        text += ": " + ", ".join(f"{count:,} {state}" for state, count in states)
    text += f"; {tally.redirected:,} redirected" if tally.redirected else ""
    return text + (
        f"; {tally.postponed:,} left for later, their hosts did not answer" if tally.postponed else ""
    )


def _show(told: Mapping[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column("source", no_wrap=True)
    headings = (
        "records",
        "verified",
        "updated",
        "median age",
        "never verified",
        "only past",
        "links",
        "broken",
    )
    for heading in (*headings, "changed", "never checked"):
        table.add_column(heading, justify="right")
    for name, one in (*told["sources"].items(), ("all", told["all"])):
        age = one["median_age_days"]
        table.add_row(
            name or "(none named)",
            f"{one['records']:,}",
            *(_span(one[key]) for key in ("verified_on", "updated_at")),
            "-" if age is None else f"{age:,} d",
            *(_percent(one[key]) for key in ("never_verified", "only_past_windows")),
            *(f"{one[key]:,}" for key in ("links", "links_broken", "links_changed", "links_never_checked")),
        )
    Console().print(table)


def _span(days: Mapping[str, str | None]) -> str:
    oldest, newest = days["oldest"], days["newest"]
    return "-" if oldest is None else f"{oldest}" if oldest == newest else f"{oldest} … {newest}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
