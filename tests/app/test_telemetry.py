"""Metrics and the timing header: closed label sets, plain figures."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from app.observation import Observation
from app.telemetry import Telemetry, server_timing


def labels(telemetry: Telemetry, family: str) -> set[tuple[str, ...]]:
    """The label values of a family's samples, in the order of the labels' names."""
    text = telemetry.exposition("")[0].decode()
    found = [one for one in text_string_to_metric_families(text) if one.name == family]
    return {
        tuple(value for _, value in sorted(sample.labels.items()))
        for one in found
        for sample in one.samples
        if "le" not in sample.labels
    }


@given(names=st.lists(st.text(max_size=10), max_size=8), reasons=st.lists(st.text(max_size=10), max_size=8))
def test_names_nobody_knows_are_one_name(names: list[str], reasons: list[str]) -> None:
    telemetry = Telemetry()
    telemetry.record(
        "/v1/search",
        200,
        1.0,
        Observation(
            *("r", "t", "s"),
            timings_ms={f"x{name}": 1.0 for name in [*names, "a"]} | {"lexical": 2.0},
            degraded=(*((f"x{name}", f"x{name}") for name in [*reasons, "a"]), ("dense", "budget")),
            rejected="because",
        ),
    )
    assert labels(telemetry, "scholarsearch_stage_seconds") == {("other",), ("lexical",)}
    assert labels(telemetry, "scholarsearch_degraded") == {("other", "other"), ("budget", "dense")}
    assert labels(telemetry, "scholarsearch_rejected") == {("other",)}


def test_a_new_snapshot_takes_the_place_of_the_old() -> None:
    telemetry = Telemetry()
    telemetry.serve_snapshot("one")
    telemetry.serve_snapshot("two")
    assert labels(telemetry, "scholarsearch_snapshot_info") == {("two",)}


def test_the_timing_header() -> None:
    assert server_timing({}) == ""
    assert server_timing({"parse": 0.12345, "total": 12.0}) == "parse;dur=0.123, total;dur=12.0"
    assert server_timing({"bad name": 1.0, 'x"y': 1.0, "": 1.0, "ok-1": 2}) == "ok-1;dur=2"
