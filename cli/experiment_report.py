"""`scholarsearch experiment report` and `power`: what came of an experiment, and how long one has to run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from .experiment import AsJson, Debug, Key, NoExperiment
from .failure import told_in_one_line


def report(
    key: Key,
    version: Annotated[int | None, typer.Option(min=1, help="Which version. [default: the newest]")] = None,
    html: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Write a page with pictures here.")
    ] = None,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Say what the log shows of an experiment: verdict, checks, and each metric with its intervals.

    The service need not run; what it has not brought to the store yet is missing.

    Example: scholarsearch experiment report deeper --html deeper.html
    """
    with told_in_one_line(debug):
        told = _report(key, version)
        if html is not None:
            from evaluation.online.page import report_page

            html.write_text(report_page(told), encoding="utf-8", newline="\n")
    typer.echo(json.dumps(told, ensure_ascii=False) if as_json else _told(told))
    if html is not None and not as_json:
        typer.echo(f"written: {html}")


def power(
    metric: Annotated[str, typer.Option(help="The metric that is to decide.")] = "click_mrr@5",
    effect: Annotated[float, typer.Option(min=1e-9, help="The least difference that matters.")] = 0.02,
    share: Annotated[
        float, typer.Option(min=0.01, max=99.99, help="Per cent of units in the new arm.")
    ] = 50.0,
    coverage: Annotated[
        float, typer.Option(min=0.01, max=100, help="Per cent of units that take part.")
    ] = 100.0,
    days: Annotated[int, typer.Option(min=1, max=365, help="How much of the log to learn from.")] = 28,
    value: Annotated[float | None, typer.Option(help="Without a log: the mean to expect.")] = None,
    deviation: Annotated[
        float | None, typer.Option(min=0, help="Without a log: standard deviation of single searches.")
    ] = None,
    searches: Annotated[float, typer.Option(min=1, help="Without a log: searches of a unit.")] = 2.0,
    alike: Annotated[
        float, typer.Option(min=0, max=1, help="Without a log: correlation of two searches of one unit.")
    ] = 0.2,
    units_per_day: Annotated[float, typer.Option(min=0, help="Without a log: new units a day.")] = 0.0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Say how many units an experiment needs to find a difference four times out of five, and in how many days.

    It learns the metric's variation from the log; give --value and --deviation where there is none.

    Example: scholarsearch experiment power --effect 0.02 --coverage 20
    """
    with told_in_one_line(debug):
        from evaluation.online.power import assumed, plan

        if value is not None and deviation is not None:
            variation = assumed(value, deviation, searches, alike, units_per_day)
        else:
            variation = _logged(metric, days)
        treated = share / 100
        variation = variation.thinned(coverage / 100)
        found = plan(variation, effect, (1 - treated, treated))
    told = {
        **{"metric": metric, "mean": variation.value, "spread_per_unit": variation.spread, "effect": effect},
        **{"alpha": found.alpha, "power": found.power, "units": found.units, "days": found.days},
        **{"sequential_units": found.sequential_units, "sequential_days": found.sequential_days},
    }
    if as_json:
        typer.echo(json.dumps(told))
        return
    typer.echo(f"{metric}: mean {variation.value:.4g}, a unit moves it by {variation.spread:.4g}")
    typer.echo(
        f"to find a difference of {effect:g} four times out of five:\n"
        f"  with one look at the end   {found.units:>9,} units in all   {_in_days(found.days)}\n"
        f"  with a look every day      {found.sequential_units:>9,} units at most  {_in_days(found.sequential_days)}"
    )


def _report(key: str, version: int | None) -> dict[str, Any]:
    from datetime import UTC, datetime

    from app.analysis.analyst import Analyst
    from app.experiments.shelf import StoreShelf
    from app.settings import Settings
    from app.store import open_store

    with closing(open_store(Settings())) as store:
        own = [one for one in StoreShelf(lambda: store).versions() if one.key == key]
        if not own:
            raise NoExperiment(key)
        wanted = own[-1] if version is None else next((one for one in own if one.number == version), None)
        if wanted is None:
            known = f"its versions are 1 to {own[-1].number}"
            raise ValueError(f"experiment {key} has no version {version}: {known}")
        if len(wanted.experiment.arms) < 2:
            raise ValueError(f"experiment {key} has one arm, and nothing to compare it with")
        return Analyst(lambda: store, lambda: datetime.now(UTC)).report(wanted)


def _logged(metric: str, days: int) -> Any:  # noqa: ANN401 - loaded when the verb runs
    from datetime import UTC, datetime, timedelta

    from app.analysis.traffic import traffic
    from app.settings import Settings
    from app.store import open_store
    from evaluation.online.power import measured

    until = datetime.now(UTC)
    with closing(open_store(Settings())) as store:
        found = measured(traffic(store, until - timedelta(days=days), until), metric)
    if found is None:
        raise ValueError(
            f"the log of the last {days} days has fewer than two people with {metric}: say what to expect with"
            " --value and --deviation"
        )
    return found


def _told(told: Mapping[str, Any]) -> str:
    verdict, ratio = told["verdict"], told["ratio"]
    lines = [
        f"{told['key']} v{told['version']}, {told['days']:.1f} days, {told['units']:,} units,"
        f" {told['searches']:,} searches",
        f"{verdict['kind'].upper()}: {verdict['sentence']}",
        f"what would change it: {verdict['change']}",
        "",
        "split   "
        + ", ".join(
            f"{arm['name']} {arm['units']:,} of {planned:,.0f} planned"
            for arm, planned in zip(told["arms"], ratio["expected"], strict=True)
        )
        + ("" if ratio["p"] is None else f"   p {ratio['p']:.3g}")
        + ("   OFF: no lift can be trusted" if ratio["mismatch"] else ""),
    ]
    lines += [
        f"guard   {one['name']} of {one['arm']}: {one['state']}"
        + ("" if one["delta"] is None else f" ({one['delta']:+.4g}, tolerated {one['tolerance']:g})")
        for one in told["guardrails"]
    ]
    lines.append("")
    for metric in told["metrics"]:
        control = metric["arms"][told["control"]]["value"]
        for one in metric["comparisons"]:
            mark = "*" if metric["name"] == told["primary"] else " "
            lines.append(
                f"{mark} {metric['name']:<12} {told['control']} {_figure(control)}  {one['arm']} "
                f"{_figure(metric['arms'][one['arm']]['value'])}  {_figure(one['delta'], '+')}"
                f"  95 % {_span(one['ci'])}  always {_span(one['always_ci'])}"
            )
    lines.append("* decides, by the interval that holds however often one looks (always)")
    return "\n".join(lines)


def _figure(value: float | None, sign: str = "") -> str:
    return "-" if value is None else f"{value:{sign}.4g}"


def _span(span: list[float | None] | None) -> str:
    return "-" if span is None else f"[{_figure(span[0], '+')}, {_figure(span[1], '+')}]"


def _in_days(days: int | None) -> str:
    return "(days are not known)" if days is None else f"in about {days} days"
