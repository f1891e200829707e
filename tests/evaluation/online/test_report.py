"""Reports of experiments: against a regression, against truths that are known, and turned every way."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from evaluation.online.comparison import compare, look_times
from evaluation.online.design import Design, Guardrail
from evaluation.online.guard import guard
from evaluation.online.record import record
from evaluation.online.report import Report, analyse
from evaluation.online.searches import DAY_S, Searches
from evaluation.online.simulation import World, simulate
from evaluation.online.slices import unevenness

DESIGN = Design("k", 1, ("control", "treatment"), (0.5, 0.5), begun_at_s=0.0)
METRIC = "click_mrr@5"


def report(world: World, seed: int = 1, design: Design = DESIGN, **more: Any) -> Report:
    searches = simulate(world, np.random.default_rng(seed))
    return analyse(design, replace(searches, **more), world.days * DAY_S)


def test_the_last_look_is_a_clustered_regression_on_the_arm() -> None:
    searches = simulate(World(900), np.random.default_rng(3))
    values = searches.metrics[METRIC]
    found = compare(searches, DESIGN.metric(METRIC), 0, 1, np.array([14 * DAY_S]), 0.05, 0.05)
    assert found is not None
    fit = sm.OLS(values, sm.add_constant(searches.arms.astype(float))).fit(
        cov_type="cluster", cov_kwds={"groups": searches.units, "use_correction": False}
    )
    assert found.delta == pytest.approx(float(fit.params[1]), abs=1e-12)
    # The regression leaves out n / (n - 1) of each arm.
    assert found.error == pytest.approx(float(fit.bse[1]), rel=2e-3)
    assert (found.searches, found.units) == (len(values), 900)


def test_every_look_is_a_report_of_its_day() -> None:
    searches = simulate(World(2_000, days=7, regulars=0.5), np.random.default_rng(4))
    metric = DESIGN.metric(METRIC)
    ends = look_times(DESIGN, searches, 7 * DAY_S)
    assert ends.tolist() == [DAY_S * day for day in range(1, 8)]
    whole = compare(searches, metric, 0, 1, ends, 0.05, 0.05)
    assert whole is not None
    for look in whole.looks:
        alone = compare(searches.where(searches.at_s <= look.at_s), metric, 0, 1, ends[-1:], 0.05, 0.05)
        assert alone is not None
        assert look.delta == pytest.approx(alone.delta, abs=1e-12)
        assert look.error == pytest.approx(alone.error, rel=1e-9)
    spoken = [one for one in whole.looks if np.isfinite(one.low)]
    assert len(spoken) < len(whole.looks) or spoken


def test_a_long_experiment_is_looked_at_less_often_and_to_its_end() -> None:
    searches = simulate(World(100), np.random.default_rng(0))
    ends = look_times(DESIGN, searches, 400.5 * DAY_S)
    assert len(ends) <= 60
    assert ends[-1] == 400.5 * DAY_S
    assert (np.diff(ends) > 0).all()


def test_a_world_raises_what_it_says_it_raises() -> None:
    world = World(400_000, lift=0.05)
    searches = simulate(world, np.random.default_rng(5))
    values, arms = searches.metrics[METRIC], searches.arms
    assert values[arms == 1].mean() - values[arms == 0].mean() == pytest.approx(0.05, abs=0.004)
    assert (values[arms == 0] == 0).mean() == pytest.approx(world.unclicked, abs=0.004)


@pytest.mark.parametrize(
    ("lift", "units", "effect", "kind"),
    [(0.08, 12_000, 0.02, "better"), (0.0, 2_000, 0.02, "open"), (0.0, 40_000, 0.05, "alike")],
)
def test_the_verdict_is_the_truth(lift: float, units: int, effect: float, kind: str) -> None:
    found = report(World(units, lift=lift), design=replace(DESIGN, effects={METRIC: effect}))
    assert found.verdict.kind == kind
    assert found.verdict.sentence
    assert found.verdict.change
    assert (found.verdict.arm == "treatment") == (kind == "better")


def test_a_loss_is_called_one() -> None:
    searches = simulate(World(12_000, lift=0.08), np.random.default_rng(1))
    turned = replace(searches, arms=(1 - searches.arms).astype(np.int8))
    found = analyse(DESIGN, turned, 14 * DAY_S)
    assert (found.verdict.kind, found.verdict.arm) == ("worse", "treatment")


def test_nothing_is_decided_while_the_split_is_off() -> None:
    found = report(World(12_000, lift=0.08, shares=(0.45, 0.55)))
    assert found.ratio.mismatch
    assert found.verdict.kind == "blocked"
    assert "planned" in found.verdict.sentence


def test_harm_comes_before_gain() -> None:
    world = World(8_000, lift=0.08)
    searches = simulate(world, np.random.default_rng(1))
    rng = np.random.default_rng(2)
    slow = rng.exponential(100, len(searches)) * np.where(searches.arms == 1, 3, 1)
    found = analyse(DESIGN, replace(searches, metrics={**searches.metrics, "latency_ms": slow}), 14 * DAY_S)
    states = {one.guardrail.name: one.state for one in found.guarded}
    assert states == {"p95 latency_ms": "broken", "error": "open", "zero_result": "open"}
    assert (found.verdict.kind, found.verdict.arm) == ("stopped", "treatment")
    # True harm of the quantile: 2 · 100 · ln 20.
    [one] = [one for one in found.guarded if one.state == "broken"]
    assert one.low < 200 * np.log(20) < one.high


@pytest.mark.parametrize(("harm", "state"), [(0.0, "holds"), (0.05, "broken")])
def test_a_guardrail_of_a_share(harm: float, state: str) -> None:
    searches = simulate(World(30_000), np.random.default_rng(6))
    rng = np.random.default_rng(7)
    failed = (rng.random(len(searches)) < 0.001 + harm * (searches.arms == 1)).astype(float)
    design = replace(DESIGN, guardrails=(Guardrail("error", 0.005),))
    found = guard(design, replace(searches, metrics={"error": failed}), design.guardrails[0], 1)
    assert found.state == state
    never = guard(
        design, replace(searches, metrics={"error": np.zeros(len(searches))}), design.guardrails[0], 1
    )
    assert never.state == "holds"
    assert never.high > 0


def test_false_stops_are_rare() -> None:
    """An arm that does exactly as much harm as is tolerated, looked at on seven days, is stopped in few of 300 runs."""
    stopped = 0
    rng = np.random.default_rng(8)
    rail = Guardrail("error", 0.02)
    design = replace(DESIGN, guardrails=(rail,))
    for _ in range(300):
        searches = simulate(World(1_500, days=7), rng)
        failed = (rng.random(len(searches)) < 0.03 + 0.02 * (searches.arms == 1)).astype(float)
        full = replace(searches, metrics={"error": failed})
        stopped += any(
            guard(design, full.where(full.at_s <= DAY_S * day), rail, 1).state == "broken"
            for day in range(1, 8)
        )
    assert stopped / 300 <= 0.06


def test_units_in_two_arms_count_in_none() -> None:
    searches = simulate(World(600), np.random.default_rng(9))
    arms = searches.arms.copy()
    first = np.flatnonzero(np.bincount(searches.units)[searches.units] > 1)[0]
    arms[first] = 1 - arms[first]
    found = record(analyse(DESIGN, replace(searches, arms=arms), 14 * DAY_S))
    kept = searches.units != searches.units[first]
    without = record(analyse(DESIGN, searches.where(kept), 14 * DAY_S))
    assert found == {**without, "crossed_units": 1}


def test_slices_share_the_error_and_say_where_an_arm_differs() -> None:
    rng = np.random.default_rng(10)
    searches = simulate(World(20_000, lift=0.1), rng)
    language = np.where(np.arange(20_000) % 2, "en", "zh")[searches.units]
    values = np.where(
        (language == "zh") & (searches.arms == 1),
        np.minimum(searches.metrics[METRIC], 0.2),
        searches.metrics[METRIC],
    )
    found = analyse(DESIGN, replace(searches, metrics={METRIC: values}, tags={"lang": language}), 14 * DAY_S)
    by = {one.value: one.comparison for one in found.slices}
    assert set(by) == {"en", "zh"}
    assert by["en"].low > 0 > by["zh"].high
    [one] = found.unevenness
    weight = np.array([1 / by[value].error ** 2 for value in ("en", "zh")])
    delta = np.array([by[value].delta for value in ("en", "zh")])
    q = float((weight * (delta - (weight * delta).sum() / weight.sum()) ** 2).sum())
    assert one.q == pytest.approx(q)
    assert one.p == pytest.approx(float(chi2.sf(q, 1)))
    assert one.p_holm == one.p < 0.001
    assert unevenness(DESIGN, found.slices[:1]) == ()
    narrow = compare(
        searches.where(language == "en"), DESIGN.metric(METRIC), 0, 1, np.array([14 * DAY_S]), 0.05, 0.05
    )
    assert narrow is not None
    assert by["en"].high - by["en"].low > narrow.high - narrow.low


def test_three_arms_share_the_error() -> None:
    design = Design("k", 1, ("control", "a", "b"), (0.4, 0.3, 0.3), begun_at_s=0.0)
    assert design.comparison_alpha == 0.025
    found = report(World(15_000, lift=0.08, shares=(0.4, 0.3, 0.3)), design=design)
    assert [one.arm for one in found.comparisons] == [1, 2]
    assert found.verdict.kind == "better"
    assert found.verdict.arm in {"a", "b"}


def test_what_never_varied_is_not_called_alike() -> None:
    searches = simulate(World(2_000), np.random.default_rng(11))
    found = analyse(DESIGN, replace(searches, metrics={METRIC: np.zeros(len(searches))}), 14 * DAY_S)
    [one] = found.comparisons
    assert (one.delta, one.high, one.always_high, one.always_p) == (0, np.inf, np.inf, 1)
    assert found.verdict.kind == "open"
    assert "nothing to compare" in found.verdict.sentence


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(0, 400), st.sampled_from([0.0, 0.3]))
def test_a_record_is_plain_json_and_the_order_of_rows_is_nothing(
    seed: int, units: int, regulars: float
) -> None:
    rng = np.random.default_rng(seed)
    searches = simulate(World(max(units, 1), regulars=regulars), rng)
    searches = searches.where(searches.units < units)
    told = record(analyse(DESIGN, searches, 14 * DAY_S))
    text = json.dumps(told, allow_nan=False)
    assert told["units"] == sum(arm["units"] for arm in told["arms"]) == searches.unit_count
    assert sum(sum(day["units"]) for day in told["daily"]) == searches.unit_count
    turn = rng.permutation(len(searches))
    turned = Searches(
        searches.units[turn],
        searches.arms[turn],
        searches.at_s[turn],
        {METRIC: searches.metrics[METRIC][turn]},
        before=searches.before,
    )
    again = record(analyse(DESIGN, turned, 14 * DAY_S))
    assert json.loads(json.dumps(again)) == _near(json.loads(text))


def _near(value: Any) -> Any:
    """Equal up to the order of a sum."""
    if isinstance(value, float):
        return pytest.approx(value, rel=1e-6, abs=1e-9)
    if isinstance(value, dict):
        return {key: _near(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_near(part) for part in value]
    return value
