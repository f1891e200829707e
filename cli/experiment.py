"""`scholarsearch experiment`: A/B tests kept in the store; a running service takes changes up within a second."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .failure import told_in_one_line

if TYPE_CHECKING:
    from app.experiments.shelf import StoreShelf
    from app.experiments.version import Version

experiment = typer.Typer(help="A/B tests: make, look at, stop.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Debug = Annotated[bool, typer.Option(help="Show the traceback of a failure.")]
Key = Annotated[str, typer.Argument(help="Key of the experiment.")]


class NoExperiment(Exception):  # noqa: N818 - named for what was found
    """The store has no experiment of that key."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the store has no experiment {key!r}")


@experiment.command("list")
def listed(as_json: AsJson = False, debug: Debug = False) -> None:
    """List every experiment, each in its newest version.

    Example: scholarsearch experiment list
    """
    with told_in_one_line(debug):
        from app.experiments.version import latest

        newest = latest(_shelf().versions())
    if as_json:
        typer.echo(
            json.dumps({"experiments": [version.record() for version in newest.values()]}, ensure_ascii=False)
        )
        return
    for version in newest.values():
        typer.echo(_told(version))
    if not newest:
        typer.echo("no experiment yet: scholarsearch experiment create FILE")


@experiment.command("show")
def show(key: Key, as_json: AsJson = False, debug: Debug = False) -> None:
    """Show an experiment and what became of its earlier versions.

    Example: scholarsearch experiment show deeper
    """
    with told_in_one_line(debug):
        versions = [version for version in _shelf().versions() if version.key == key]
        if not versions:
            raise NoExperiment(key)
    if as_json:
        told = {**versions[-1].record(), "earlier": [version.record() for version in versions[:-1]]}
        typer.echo(json.dumps(told, ensure_ascii=False))
        return
    for version in versions:
        typer.echo(_told(version))
    for arm in versions[-1].experiment.arms:
        settings = ", ".join(f"{name}={value}" for name, value in arm.overrides.items())
        typer.echo(
            f"  {arm.name}: {arm.weight:g} %, {arm.system or 'the default system'} {settings}".rstrip()
        )


@experiment.command("create")
def create(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="TOML or JSON file of the experiment.")
    ],
    key: Annotated[
        str | None, typer.Option(help="Its key. [default: the file's `key`, else its name]")
    ] = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Make an experiment, or change one: coverage, dates and words in place, anything else as a new version.

    Example: scholarsearch experiment create deeper.toml
    """
    with told_in_one_line(debug):
        from datetime import UTC, datetime

        from app.request import read_experiment

        raw = _content(file)
        named = key or str(raw.pop("key", file.stem))
        raw.pop("key", None)
        version = _shelf().put(read_experiment(named, raw), lambda _: True, datetime.now(UTC))
    typer.echo(json.dumps(version.record(), ensure_ascii=False) if as_json else _told(version))


@experiment.command("stop")
def stop(
    key: Key,
    reason: Annotated[str, typer.Option(help="Why; kept with it.")] = "stopped from the command line",
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Stop an experiment for good; its log stays. To run it again makes its next version.

    Example: scholarsearch experiment stop deeper --reason "it is slower"
    """
    with told_in_one_line(debug):
        from datetime import UTC, datetime

        version = _shelf().stop(key, reason, datetime.now(UTC))
    typer.echo(json.dumps(version.record(), ensure_ascii=False) if as_json else _told(version))


def _shelf() -> StoreShelf:
    from app.experiments.shelf import StoreShelf
    from app.settings import Settings
    from app.store import open_store

    store = open_store(Settings())
    return StoreShelf(lambda: store)


def _content(file: Path) -> dict[str, Any]:
    import tomllib

    text = file.read_text(encoding="utf-8")
    found = json.loads(text) if file.suffix == ".json" else tomllib.loads(text)
    if not isinstance(found, dict):
        raise ValueError(f"{file}: must hold one experiment")
    return found


def _told(version: Version) -> str:
    one = version.experiment
    arms = " / ".join(f"{arm.name} {arm.weight:g}" for arm in one.arms)
    ended = f" since {version.stopped_at:%Y-%m-%d} ({version.stop_reason})" if version.stopped_at else ""
    return (
        f"{version.key} v{version.number}  {version.state}{ended}  {one.coverage:g} % of {one.layer}  {arms}"
    )
