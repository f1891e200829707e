"""`scholarsearch doctor`: what works here, what is missing, and the command that mends it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from .failure import told_in_one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.checkup.finding import Finding
    from app.settings import Settings
    from models.selftest import ProbeList

_MARKS = {
    "ok": ("ok", "green"),
    "absent": ("-", "dim"),
    "warning": ("warning", "yellow"),
    "failure": ("FAILURE", "bold red"),
}


def doctor(
    quick: Annotated[bool, typer.Option("--quick", help="Do not load encoders and rerankers.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Say what is installed, which models and engines work here, and how to mend what does not.

    Exits 0 when the service can run, 1 when something keeps it from running.

    Example: scholarsearch doctor --json
    """
    with told_in_one_line(debug):
        from app.checkup.finding import can_serve, report
        from app.checkup.packages import version_of

        findings = _examined(quick)
        if as_json:
            typer.echo(json.dumps(report(findings, version_of("scholarsearch")), ensure_ascii=False))
        else:
            _show(findings)
    if not can_serve(findings):
        raise typer.Exit(1)


def _examined(quick: bool) -> list[Finding]:
    """Every finding; somebody who watches is told on stderr what is being looked at."""
    from datetime import UTC, datetime
    from time import perf_counter

    from rich.console import Console

    from app.checkup.examination import examine
    from app.settings import Settings

    findings = []
    console = Console(stderr=True)
    with console.status("Looking …") as status:
        settings = Settings()
        lists = None if quick else _lists(settings)
        for finding in examine(
            settings, datetime.now(UTC), perf_counter, load_encoders=not quick, lists=lists
        ):
            findings.append(finding)
            status.update(f"Looked at {finding.section}: {finding.name} …")
    return findings


def _lists(settings: Settings) -> Callable[[], Sequence[ProbeList]]:
    """What the rungs are tried on: the shipped queries over the snapshot that is there; nothing without one."""

    def lists() -> Sequence[ProbeList]:
        from app.indexing import published
        from app.probing import probe_lists
        from app.services import open_library

        return [] if published(settings.home) is None else probe_lists(open_library(settings))

    return lists


def _show(findings: list[Finding]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from app.checkup.finding import can_serve

    table = Table(box=None, pad_edge=False)
    for heading in ("", "what", "", "found"):
        table.add_column(heading, overflow="fold")
    section = ""
    for finding in findings:
        mark, style = _MARKS[finding.status]
        shown = Text(finding.detail)
        if finding.fix and finding.status != "ok":
            shown.append(f"\n→ {finding.fix}", style="bold" if finding.status != "absent" else "dim")
        table.add_row(
            finding.section if finding.section != section else "", finding.name, Text(mark, style), shown
        )
        section = finding.section
    console = Console(soft_wrap=False)
    console.print(table)
    problems = sum(finding.status in ("warning", "failure") for finding in findings)
    verdict = "ScholarSearch can run here" if can_serve(findings) else "ScholarSearch cannot run here"
    console.print(
        f"\n{verdict}; {problems} thing{'' if problems == 1 else 's'} to mend."
        if problems
        else f"\n{verdict}."
    )
