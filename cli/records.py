"""`scholarsearch records`: look into the store and take records out."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from .failure import told_in_one_line
from .links import link, unlink
from .sighting import last_sighting, told

records = typer.Typer(
    help="Look into the store: one record, its history, its links, an export.", no_args_is_help=True
)
records.command("link")(link)
records.command("unlink")(unlink)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Debug = Annotated[bool, typer.Option(help="Show the traceback of a failure.")]
Identifier = Annotated[str, typer.Argument(help="Id of the record.")]


class Form(StrEnum):
    """What `records export` writes."""

    csv = "csv"
    jsonl = "jsonl"
    ics = "ics"


class NoRecord(Exception):  # noqa: N818 - named for what was found
    """The store never had a record of that id."""

    def __init__(self, doc_id: str) -> None:
        super().__init__(f"the store has no record {doc_id!r}")


@records.command("show")
def show(doc_id: Identifier, as_json: AsJson = False, debug: Debug = False) -> None:
    """Show one record and what the store knows of it.

    Example: scholarsearch records show ocean-phd
    """
    with told_in_one_line(debug):
        from index.certainty import certainties
        from index.record import to_record

        entry = _ask("get", doc_id)
        if entry is None:
            raise NoRecord(doc_id)
        record, sure = to_record(entry.document), certainties(entry.document)
        links = _links(doc_id)
        seen = last_sighting(entry.document.url)
        known: dict[str, object] = {
            "source": entry.source,
            "from_catalogue": entry.from_catalogue,
            "created_at": entry.created_at.isoformat(),
            "updated_at": entry.updated_at.isoformat(),
            "deleted_at": None if entry.deleted_at is None else entry.deleted_at.isoformat(),
            "links": links,
        }
    if as_json:
        answer = {"record": record, "certainty": sure, "store": known, "link_check": seen}
        typer.echo(json.dumps(answer, ensure_ascii=False))
        return
    for name, value in (*record.items(), *((f"store.{name}", value) for name, value in known.items())):
        plain = isinstance(value, str | int | float)
        typer.echo(
            f"{name}: {'not stated' if value is None else value if plain else json.dumps(value, ensure_ascii=False)}"
        )
    typer.echo(f"link_check: {told(seen)}")
    for kind, words in (
        ("certain", "read for certain"),
        ("uncertain", "not certain"),
        ("unknown", "not stated"),
    ):
        typer.echo(
            f"{words}: {', '.join(name for name, state in sure.items() if state == kind) or 'nothing'}"
        )


@records.command("history")
def history(doc_id: Identifier, as_json: AsJson = False, debug: Debug = False) -> None:
    """Show what changed in one record, and when.

    Example: scholarsearch records history ocean-phd --json
    """
    with told_in_one_line(debug):
        entry, revisions = _ask("get", doc_id), _ask("revisions", doc_id)
        if entry is None:
            raise NoRecord(doc_id)
    said = [{**asdict(one), "at": one.at.isoformat()} for one in revisions]
    if as_json:
        created = entry.created_at.isoformat()
        typer.echo(json.dumps({"id": doc_id, "created_at": created, "revisions": said}, ensure_ascii=False))
        return
    typer.echo(f"{entry.created_at:%Y-%m-%d %H:%M} UTC  record created")
    for one in revisions:
        typer.echo(
            f"{one.at:%Y-%m-%d %H:%M} UTC  {one.sentence}" + (f"  ({one.source})" if one.source else "")
        )


@records.command("export")
def export(
    out: Annotated[Path, typer.Option(dir_okay=False, help="File to write.")],
    form: Annotated[Form, typer.Option("--format", help="What to write.")] = Form.jsonl,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Write every record to a file: a spreadsheet's table, JSON lines, or a calendar of the deadlines.

    Example: scholarsearch records export --format ics --out deadlines.ics
    """
    with told_in_one_line(debug):
        from datetime import UTC, datetime

        from app.settings import Settings
        from app.store import open_store
        from app.store.export import export as write

        store = open_store(Settings())
        try:
            count = write(store.records(), form.value, out, datetime.now(UTC))
        finally:
            store.close()
    what = "deadlines" if form is Form.ics else "records"
    typer.echo(json.dumps({"file": str(out), what: count}) if as_json else f"{count:,} {what} in {out}")


def _links(doc_id: str) -> list[dict[str, Any]]:
    from app.settings import Settings
    from app.store import open_store
    from app.store.links import links_of

    store = open_store(Settings())
    try:
        return [{**asdict(one), "at": one.at.isoformat()} for one in links_of(store, doc_id)]
    finally:
        store.close()


def _ask(method: str, doc_id: str) -> Any:  # noqa: ANN401 - whatever the store answers
    from app.settings import Settings
    from app.store import open_store

    store = open_store(Settings())
    try:
        return getattr(store, method)(doc_id)
    finally:
        store.close()
