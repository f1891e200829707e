"""What an assessment says about systems: slices, paired comparisons, latencies, warnings."""

from datetime import UTC, datetime

import numpy as np
import pytest

from evaluation.assessment import COMPARED, assess
from evaluation.errors import RunError
from evaluation.figures import figures
from evaluation.metrics import METRICS
from evaluation.perquery import changes
from evaluation.run import SystemRun
from evaluation.significance import holm, randomisation_p
from evaluation.testset import TestQuery
from evaluation.verdict import p_text, verdict

NUMBERS = range(40)


def query(number, tags=()):
    as_of = datetime(2026, 3, 1, 12, tzinfo=UTC)
    return TestQuery(f"q{number:02}", f"text {number}", as_of, "en", tuple(tags), {}, None)


def system(rank_of, stage_ms=None, fingerprint="f"):
    """A run that puts the relevant document of query n at rank rank_of(n), unjudged ones elsewhere."""
    run = {}
    for number in NUMBERS:
        documents = [f"x{place}" for place in range(9)]
        documents.insert(rank_of(number) - 1, "good")
        run[f"q{number:02}"] = [(doc_id, -float(place)) for place, doc_id in enumerate(documents)]
    return SystemRun(run, stage_ms or {}, fingerprint)


QUERIES = tuple(query(number, ["all", "even"] if number % 2 == 0 else ["all"]) for number in NUMBERS)
QRELS = {f"q{number:02}": {"good": 3, **{f"x{place}": 0 for place in range(9)}} for number in NUMBERS}
RUNS = {
    "base": system(lambda number: 2),
    "same": system(lambda number: 2 if number else 3),
    "better": system(lambda number: 1 if number % 2 == 0 else 2),
    "worse": system(lambda number: 6),
}


@pytest.fixture(scope="module")
def judged():
    return assess("awards", "dev", QUERIES, QRELS, RUNS, 2)


def test_means_and_intervals_cover_every_metric(judged):
    for found in judged.systems:
        assert tuple(found.means) == METRICS
        for metric in METRICS:
            low, high = found.ci95[metric]
            assert low <= found.means[metric] <= high
    assert [found.means["mrr@5"] for found in judged.systems] == pytest.approx(
        [0.5, 0.5 - 1 / 6 / 40, 0.75, 0.0]
    )


def test_the_first_run_is_the_baseline_and_deltas_are_system_minus_baseline(judged):
    assert judged.baseline.name == "base"
    assert [(found.a, found.b, found.metric) for found in judged.comparisons] == [
        ("base", name, metric) for metric in COMPARED for name in ("same", "better", "worse")
    ]
    means = {found.name: found.means for found in judged.systems}
    for found in judged.comparisons:
        assert found.delta == pytest.approx(means[found.b][found.metric] - means[found.a][found.metric])
        assert found.ci95[0] <= found.delta <= found.ci95[1]
        assert found.n == len(NUMBERS)


def test_p_values_are_those_of_the_paired_test_corrected_per_metric(judged):
    base = judged.baseline.scores.values["mrr@5"]
    expected = [
        randomisation_p(found.scores.values["mrr@5"] - base, np.random.default_rng(judged.seed))
        for found in judged.systems[1:]
    ]
    family = [found for found in judged.comparisons if found.metric == "mrr@5"]
    assert [found.p for found in family] == expected
    assert [found.p_holm for found in family] == holm(expected)
    assert family[0].p == 1.0  # one query moved: either sign is as likely
    assert family[1].p < 0.001


def test_slices_are_the_means_over_the_queries_that_carry_the_tag(judged):
    better = judged.systems[2]
    assert [(found.tag, found.queries) for found in better.slices] == [("all", 40), ("even", 20)]
    whole, even = better.slices
    assert whole.means["mrr@5"] == pytest.approx(better.means["mrr@5"])
    assert even.means["mrr@5"] == 1.0
    assert even.ci95["mrr@5"] == (1.0, 1.0)


def test_changes_go_from_the_largest_gain_to_the_largest_loss(judged):
    found = changes(judged, judged.systems[2])
    assert len(found) == len(NUMBERS)
    deltas = [change.mrr_delta for change in found]
    assert deltas == sorted(deltas, reverse=True)
    assert (found[0].query_id, found[0].baseline_rank, found[0].rank) == ("q00", 2, 1)
    assert found[0].query.text == "text 0"


def test_the_same_runs_give_the_same_figures_and_a_system_does_not_depend_on_its_company(judged):
    assert figures(assess("awards", "dev", QUERIES, QRELS, RUNS, 2)) == figures(judged)
    alone = assess("awards", "dev", QUERIES, QRELS, {"better": RUNS["better"]}, 2)
    assert figures(alone)["systems"]["better"] == figures(judged)["systems"]["better"]
    assert alone.comparisons == ()


def test_latencies_are_percentiles_of_each_stage():
    durations = [float(value) for value in range(1, 101)]
    timed = system(lambda number: 1, {"lexical": durations, "rerank": [], "total": [5.0]})
    (found,) = assess("s", "t", QUERIES, QRELS, {"timed": timed}, 2).systems
    assert list(found.latency_ms) == ["lexical", "total"]
    assert found.latency_ms["lexical"] == pytest.approx({"p50": 50.5, "p95": 95.05, "p99": 99.01})
    assert found.latency_ms["total"] == {"p50": 5.0, "p95": 5.0, "p99": 5.0}


def test_notes_warn_of_hopeless_silent_unanswered_and_unjudged(judged):
    assert judged.notes == ()
    qrels = {**QRELS, "q00": {"good": 1}, "ghost": {"good": 3}}
    run = SystemRun(
        {query_id: hits for query_id, hits in RUNS["base"].run.items() if query_id != "q05"}, {}, "f"
    )
    qrels["q07"] = {"good": 3, "x0": 0}
    unjudged = {query_id: {"good": 3, "x0": 0} for query_id in qrels}
    notes = assess("s", "t", QUERIES, qrels, {"base": run}, 2).notes
    assert any("1 of 41" in note and "grade 2" in note for note in notes)
    assert any("1 of 41" in note and "no text" in note for note in notes)
    assert any("2 of 41" in note and note.endswith("by base.") for note in notes)
    assert any(
        "judged" in note and "lower bound" in note
        for note in assess("s", "t", QUERIES, unjudged, {"base": run}, 2).notes
    )
    # A set that judges only what is relevant cannot say anything by its judged share.
    sparse = {query_id: {"good": 1} for query_id in QRELS}
    assert assess("s", "t", QUERIES, sparse, {"base": RUNS["base"]}, 1).notes == ()


def test_a_run_out_of_its_own_order_is_refused():
    moved = SystemRun({"q00": [("a", 1.0), ("b", 2.0)]}, {}, "f")
    with pytest.raises(RunError, match="system 'moved', query 'q00': rank 1"):
        assess("s", "t", QUERIES, QRELS, {"moved": moved}, 2)
    with pytest.raises(RunError, match="no run"):
        assess("s", "t", QUERIES, QRELS, {}, 2)


def test_one_query_is_enough():
    found = assess("s", "t", QUERIES[:1], {"q00": {"good": 2}}, RUNS, 2)
    assert found.systems[0].ci95["mrr@5"] == (0.5, 0.5)
    assert all(comparison.p == 1.0 for comparison in found.comparisons)


def test_the_verdict_names_the_leader_the_gap_and_chance(judged):
    said = verdict(judged)
    assert said.startswith("better reaches MRR@5 0.750 [")
    assert "+0.250" in said
    assert "over base: more than chance explains (p < 0.001)." in said
    only = {name: RUNS[name] for name in ("base", "worse")}
    assert "no system is above this baseline" in verdict(assess("s", "t", QUERIES, QRELS, only, 2))
    luck = {"base": RUNS["same"], "luck": RUNS["base"]}
    assert "chance alone could do that (p = 1.000)" in verdict(assess("s", "t", QUERIES, QRELS, luck, 2))
    assert verdict(assess("s", "t", QUERIES[:1], {"q00": {"good": 2}}, {"base": RUNS["base"]}, 2)).endswith(
        "on 1 query."
    )


def test_p_values_are_written_as_people_write_them():
    assert (p_text(0.0004), p_text(0.04321), p_text(1.0)) == ("< 0.001", "0.043", "1.000")
