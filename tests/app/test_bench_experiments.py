"""The simulation that says whether reports can be believed, in small."""

from __future__ import annotations

from app.bench.experiments import bench_experiments


def test_every_goal_is_counted_in_experiments_of_each_kind() -> None:
    seen: set[str] = set()
    told = bench_experiments(40, 3, lambda step, done, total: seen.add(step))
    assert len(seen) == 4
    for one in told["no_lift"].values():
        assert one["always_valid"] <= one["ordinary_test_looked_at_daily"]
        assert one["ordinary_test_at_the_end"] <= one["ordinary_test_looked_at_daily"]
    plans = told["power"]["plans"]
    assert plans["always_valid"]["units"] > plans["one_look"]["units"]
    # Of 40 experiments with power 0.8 fewer than 22 succeed once in 10,000.
    assert all(one["found"] >= 0.55 for one in plans.values())
    assert told["ratio"]["rung_when_off"] == 1
    assert told["ratio"]["rung_when_right"] < 0.02
    assert bench_experiments(40, 3, lambda *_: None) == told
