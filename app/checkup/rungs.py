"""The rungs of the precision ladder: every one that opens is tried on real lists, as a service does at its start."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from app.judging import LateJudge, scores
from models.rung import RUNGS
from models.selftest import ProbeList, Verdict, self_test

from .finding import Finding, Status

_SECTION = "precision"


def rungs(
    lists: Callable[[], Sequence[ProbeList]], clock: Callable[[], float], judges: LateJudge | None = None
) -> Iterator[Finding]:
    """One finding a rung. lists: what they are tried on; empty = there is no snapshot yet."""
    held = judges or LateJudge()
    opened = {rung: judge for rung in RUNGS if (judge := held.get(rung)) is not None}
    for rung, why in held.missing.items():
        status: Status = "warning" if rung == RUNGS[0] else "absent"
        yield Finding(_SECTION, rung, status, why, "make distclean setup" if rung == RUNGS[0] else None)
    if not opened:
        return
    probe = lists()
    if not probe:
        names = ", ".join(opened)
        detail = f"opened, not tried: there is no snapshot to try {names} on"
        yield Finding(_SECTION, "self-test", "absent", detail, "scholarsearch index")
        return

    engines = {rung: scores(judge) for rung, judge in opened.items()}
    for verdict in self_test(engines, {}, probe, clock):
        yield _told(verdict)


def _told(verdict: Verdict) -> Finding:
    """What a service would make of a rung."""
    facts = {
        "on_ladder": verdict.on_ladder,
        "reason": verdict.why,
        "top5_agreement": verdict.agreement,
        "ms_per_pair": verdict.ms_per_pair,
        "gain": verdict.gain,
    }
    ms = "" if verdict.ms_per_pair is None else f", {verdict.ms_per_pair:.1f} ms a pair"
    agreed = "" if verdict.agreement is None else f", top 5 agree {verdict.agreement:.2f}"
    detail = f"{'on the ladder' if verdict.on_ladder else 'not on the ladder'}: {verdict.detail}{agreed}{ms}"
    broken = verdict.rung == RUNGS[0] and not verdict.on_ladder
    status: Status = "ok" if verdict.on_ladder else "warning" if broken else "absent"
    return Finding(_SECTION, verdict.rung, status, detail, None, facts)
