"""`scholarsearch bench live`: does a running service keep what it promised, and how soon is a write found?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from .failure import told_in_one_line
from .steps import steps


def live(
    writes: Annotated[int, typer.Option(min=1, help="Upserts and deletions that are followed.")] = 2000,
    kills: Annotated[int, typer.Option(min=0, help="How many times the service is killed.")] = 20,
    clients: Annotated[int, typer.Option(min=1, max=64, help="Clients that search meanwhile.")] = 4,
    pause_ms: Annotated[
        float, typer.Option(min=0, help="Longest time a client thinks before it asks again.")
    ] = 100.0,
    idle_s: Annotated[float, typer.Option(min=1, help="How long the clients search alone.")] = 60.0,
    compact_at: Annotated[
        int, typer.Option(min=10, help="Changed records after which the snapshot is built anew.")
    ] = 1000,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
    debug: Annotated[bool, typer.Option(help="Show the traceback of a failure.")] = False,
) -> None:
    """Write to a real service while clients search it, then kill it again and again and look what it kept.

    The service runs on a free port over a home of its own, made from the shipped catalogue. Search latencies beside
    the writes stand next to those of the same clients alone, in the same run. Exits 1 when a goal is missed.

    Example: scholarsearch bench live --writes 200 --kills 3
    """
    with told_in_one_line(debug):
        import signal
        import sys
        import tempfile
        from pathlib import Path

        from app.bench.live.tally import Load, bench_live
        from app.settings import Settings

        # Told to end, it takes the service and its home with it.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        home = Settings().home
        home.mkdir(parents=True, exist_ok=True)
        load = Load(writes, kills, clients, pause_ms, idle_s)
        with steps() as progress, tempfile.TemporaryDirectory(prefix="bench-", dir=home) as scratch:
            told = bench_live(Path(scratch), load, {"compact_at": str(compact_at)}, progress)
    typer.echo(json.dumps(told, ensure_ascii=False) if as_json else _told(told))
    if not all(told["met"].values()):
        raise typer.Exit(1)


def _told(told: Mapping[str, Any]) -> str:
    writes, searches, kills = told["writes"], told["searches"], told["kills"]
    idle, busy = searches["idle"], searches["during_writes"]
    lost = [len(kills[name]) for name in ("acknowledged_missing", "half_visible", "not_searchable")]
    lines = [
        f"{writes['sent']:,} writes ({_kinds(writes['kinds'])}), {writes['refused']} refused,"
        f" {len(writes['never_searchable'])} never found",
        f"  answered after        {_ms(writes['acknowledged_ms'])}",
        f"  found by its words    {_ms(writes['searchable_ms'])}   after the answer",
        f"  by its meaning too    {_ms(writes['with_vectors_ms'])}   after the answer",
        f"searches of {told['clients']} clients, {searches['failed']} failed, {searches['degraded']} degraded",
        f"  alone                 {_ms(idle['latency_ms'])}   {idle['count']:,} searches",
        f"  beside the writes     {_ms(busy['latency_ms'])}   {busy['count']:,} searches",
        f"  p99 beside / alone    {searches['p99_ratio']}",
    ]
    if kills["kills"]:
        lines += [
            f"{kills['kills']} kills during {kills['acknowledged']:,} acknowledged writes: {lost[0]} missing,"
            f" {lost[2]} not found",
            f"  {kills['under_way']} writes were under way: {kills['under_way_and_survived']} whole,"
            f" {lost[1]} in half, the others not at all",
            f"  ready again after     {_ms({k: 1000 * v for k, v in kills['restart_s'].items()})}",
        ]
    lines += [
        f"{'met   ' if met else 'MISSED'}  {name.replace('_', ' ')}" for name, met in told["met"].items()
    ]
    return "\n".join(lines)


def _kinds(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {kind}s" for kind, count in sorted(kinds.items()))


def _ms(found: Mapping[str, float] | None) -> str:
    return "-" if found is None else f"p50 {found['p50']:8,.1f} ms   p99 {found['p99']:8,.1f} ms"
