"""`scholarsearch feedback …`: what was served and what became of it, out of the store, or gone from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .failure import told_in_one_line

if TYPE_CHECKING:
    from datetime import datetime

feedback = typer.Typer(
    name="feedback", help="What was served and what became of it.", no_args_is_help=True, add_completion=False
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")]


@feedback.command()
def export(
    out: Annotated[Path, typer.Option(file_okay=False, help="Folder to write to.")],
    form: Annotated[str, typer.Option("--format", help="parquet or jsonl.")] = "parquet",
    since: Annotated[str | None, typer.Option(help="Day or instant from which on. [default: all]")] = None,
    until: Annotated[str | None, typer.Option(help="Day or instant before which. [default: now]")] = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Write exposures and events to two files, of one state of the store.

    A day means its beginning, in UTC. What the service took within the last second may still be in its spool.

    Example: scholarsearch feedback export --out clicks --since 2026-05-01
    """
    with told_in_one_line(debug):
        from datetime import UTC, datetime, timedelta

        from app.feedback.export import FORMATS
        from app.feedback.export import export as write
        from app.settings import Settings
        from app.store import open_store

        if form not in FORMATS:
            raise typer.BadParameter(f"must be one of: {', '.join(FORMATS)}", param_hint="--format")
        begin = _instant(since, "--since") or datetime(1970, 1, 1, tzinfo=UTC)
        end = _instant(until, "--until") or datetime.now(UTC) + timedelta(minutes=1)
        store = open_store(Settings())
        try:
            written = write(store, form, out, begin, end)
        finally:
            store.close()
    words = f"{written['exposures']:,} exposures and {written['events']:,} events written to {out}"
    typer.echo(json.dumps(written) if as_json else words)


@feedback.command()
def erase(
    unit_id: Annotated[str, typer.Argument(help="The `unit_id` or `session_id` they were sent with.")],
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Delete what was kept of one person, also what is still on its way to the store.

    Example: scholarsearch feedback erase user-1
    """
    with told_in_one_line(debug):
        from datetime import UTC, datetime

        from app.feedback.forgetting import erase as forget
        from app.feedback.opening import FOLDER
        from app.feedback.pseudonym import pseudonyms_of
        from app.settings import Settings
        from app.store import open_store

        settings = Settings()
        key = settings.feedback_hash_key
        pseudonyms = pseudonyms_of(settings.home / FOLDER, key.get_secret_value() if key else None)
        store = open_store(settings)
        try:
            gone = forget(store, pseudonyms.of(unit_id) or "", datetime.now(UTC))
        finally:
            store.close()
    _tell(gone.searches, gone.events, as_json)


@feedback.command()
def purge(
    days: Annotated[
        int | None,
        typer.Option(min=1, help="Older than so many days. [default: SCHOLARSEARCH_FEEDBACK_DAYS]"),
    ] = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Delete what is too old, as a running service does once a day.

    Example: scholarsearch feedback purge --days 90
    """
    with told_in_one_line(debug):
        from datetime import UTC, datetime, timedelta

        from app.feedback.forgetting import purge as forget
        from app.settings import Settings
        from app.store import open_store

        settings = Settings()
        oldest = days or settings.feedback_days
        if oldest is None:
            raise typer.BadParameter("SCHOLARSEARCH_FEEDBACK_DAYS keeps everything: say how many days.")
        store = open_store(settings)
        try:
            gone = forget(store, datetime.now(UTC) - timedelta(days=oldest))
        finally:
            store.close()
    _tell(gone.searches, gone.events, as_json)


def _tell(searches: int, events: int, as_json: bool) -> None:
    told = {"searches": searches, "events": events}
    typer.echo(json.dumps(told) if as_json else f"{searches:,} searches and {events:,} events deleted")


def _instant(text: str | None, option: str) -> datetime | None:
    """The instant; a day is its beginning in UTC."""
    from datetime import UTC, datetime

    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise typer.BadParameter("must be a day or an instant", param_hint=option) from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)
