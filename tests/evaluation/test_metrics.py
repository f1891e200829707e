"""The metrics equal their definitions, and another library's figures, on every run we can think of."""

import math
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.errors import RunError
from evaluation.metrics import METRICS, first_relevant_ranks, judge, relevant_grade

QUERIES = [f"q{number}" for number in range(4)]
DOCUMENTS = [f"d{number}" for number in range(14)]
grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3), min_size=1)
qrels = st.dictionaries(st.sampled_from(QUERIES), grades, min_size=1)
# Three values only: most hits tie with another.
hits = st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([0.0, 0.5, 2.0])).map(
    lambda found: list(found.items())
)
runs = st.dictionaries(st.sampled_from([*QUERIES, "unjudged"]), hits)


def ranking(run, query_id):
    """Document ids by score descending, then id ascending, by two stable sorts."""
    by_id = sorted(run.get(query_id, []))
    return [doc_id for doc_id, _ in sorted(by_id, key=lambda hit: hit[1], reverse=True)]


def dcg(gains):
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def ndcg(judged, ranked, gain):
    best = dcg(sorted((gain(grade) for grade in judged.values()), reverse=True)[:10])
    return dcg([gain(judged.get(doc_id, 0)) for doc_id in ranked[:10]]) / best if best else 0.0


def by_definition(judged, ranked, least):
    """Every metric of one query, straight from the definitions."""
    relevant = {doc_id for doc_id, grade in judged.items() if grade >= least}
    right = [doc_id in relevant for doc_id in ranked]

    def average_precision(cutoff):
        found = [
            sum(right[:rank]) / rank for rank in range(1, min(cutoff, len(right)) + 1) if right[rank - 1]
        ]
        return sum(found) / len(relevant) if relevant else 0.0

    return {
        "mrr@5": next((1 / rank for rank, hit in enumerate(right[:5], start=1) if hit), 0.0),
        "ndcg@10": ndcg(judged, ranked, lambda grade: max(grade, 0)),
        "ndcg_exp@10": ndcg(judged, ranked, lambda grade: 2 ** max(grade, 0) - 1),
        "recall@100": sum(right[:100]) / len(relevant) if relevant else 0.0,
        "hit@1": float(bool(right and right[0])),
        "map@10": average_precision(10),
        "map@50": average_precision(50),
        "map@100": average_precision(100),
        "judged@10": sum(doc_id in judged for doc_id in ranked[:10]) / len(ranked[:10]) if ranked else 0.0,
    }


@given(qrels, runs, st.integers(1, 3))
def test_metrics_equal_their_definitions(qrels, run, least):
    scores = judge(qrels, run, least)
    assert scores.query_ids == tuple(qrels)
    assert tuple(scores.values) == METRICS
    for row, (query_id, judged) in enumerate(qrels.items()):
        expected = by_definition(judged, ranking(run, query_id), least)
        assert {metric: scores.values[metric][row] for metric in METRICS} == pytest.approx(expected)


@given(
    st.dictionaries(
        st.sampled_from(QUERIES),
        st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1),
        min_size=1,
    ),
    runs,
)
def test_metrics_equal_those_of_ranx(qrels, run):
    import ranx

    names = {
        "mrr@5": "mrr@5-l2",
        "ndcg@10": "ndcg@10",
        "ndcg_exp@10": "ndcg_burges@10",
        "recall@100": "recall@100-l2",
        "hit@1": "hit_rate@1-l2",
        "map@10": "map@10-l2",
    }
    scores = judge(qrels, run, 2)
    for query_id, judged in qrels.items():
        ranked = {doc_id: 1.0 / rank for rank, doc_id in enumerate(ranking(run, query_id), start=1)}
        if not ranked:
            continue  # ranx takes no empty ranking; the definitions above cover it
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numba's, about ranx's own casts
            found = ranx.evaluate(
                ranx.Qrels({query_id: judged}), ranx.Run({query_id: ranked}), list(names.values())
            )
        row = scores.query_ids.index(query_id)
        assert {name: scores.values[name][row] for name in names} == pytest.approx(
            {name: found[theirs] for name, theirs in names.items()}
        )


@given(qrels, st.permutations(DOCUMENTS))
def test_a_constant_scorer_gains_nothing_from_ties(qrels, order):
    """All scores equal: the order is that of the ids, whatever the arrangement of the input."""
    constant = judge(qrels, {query_id: [(doc_id, 0.5) for doc_id in order] for query_id in qrels}, 2)
    for row, judged in enumerate(qrels.values()):
        expected = by_definition(judged, sorted(DOCUMENTS), 2)
        assert {metric: constant.values[metric][row] for metric in METRICS} == pytest.approx(expected)


def test_a_constant_scorer_does_not_reach_a_perfect_mrr():
    documents = [f"d{number}" for number in range(9)]
    for order in (documents, documents[::-1]):
        scores = judge({"q": {"d8": 3}}, {"q": [(doc_id, 1.0) for doc_id in order]}, 2)
        assert scores.mean("mrr@5") == 0.0
    assert judge({"q": {"d1": 3}}, {"q": [(doc_id, 1.0) for doc_id in documents]}, 2).mean("mrr@5") == 0.5


def test_a_worked_example():
    judged = {"q": {"a": 3, "b": 1, "c": 2, "d": 0}}
    scores = judge(judged, {"q": [("x", 9.0), ("b", 8.0), ("c", 7.0), ("a", 6.0)]}, 2)
    assert scores.mean("mrr@5") == pytest.approx(1 / 3)
    assert scores.mean("hit@1") == 0
    assert scores.mean("recall@100") == 1
    assert scores.mean("map@100") == pytest.approx((1 / 3 + 2 / 4) / 2)
    assert scores.mean("judged@10") == pytest.approx(3 / 4)
    best = 3 + 2 / math.log2(3) + 1 / 2
    assert scores.mean("ndcg@10") == pytest.approx((1 / math.log2(3) + 2 / 2 + 3 / math.log2(5)) / best)


def test_a_query_the_run_lacks_counts_zero_and_one_the_qrels_lack_counts_nothing():
    judged = {"q1": {"a": 2}, "q2": {"a": 2}, "q3": {"a": 2}}
    scores = judge(judged, {"q1": [("a", 1.0)], "q2": [], "other": [("a", 1.0)]}, 2)
    for metric in METRICS:
        assert scores.values[metric].tolist() == [1.0, 0.0, 0.0]
        assert scores.mean(metric) == pytest.approx(1 / 3)


def test_an_empty_run_is_all_zero():
    scores = judge({"q1": {"a": 2}}, {}, 2)
    assert {metric: scores.mean(metric) for metric in METRICS} == dict.fromkeys(METRICS, 0.0)


def test_the_relevant_grade_is_two_but_one_where_no_grade_reaches_two():
    assert relevant_grade({"q": {"a": 1, "b": 0}}) == 1
    assert relevant_grade({"q": {"a": 1}, "r": {"b": 2}}) == 2
    assert relevant_grade({"q": {"a": 3}}, asked=3) == 3
    assert relevant_grade({"q": {"a": 1}}, asked=2) == 2
    with pytest.raises(RunError, match="at least 1"):
        judge({"q": {"a": 1}}, {}, 0)


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_a_score_without_a_place_in_an_order_is_refused(score):
    with pytest.raises(RunError, match="score"):
        judge({"q": {"a": 1}}, {"q": [("a", score)]}, 1)


@given(qrels, runs, st.integers(1, 3))
def test_the_first_relevant_rank_agrees_with_mrr(qrels, run, least):
    ranks = first_relevant_ranks(qrels, run, least)
    scores = judge(qrels, run, least)
    for row, query_id in enumerate(qrels):
        rank = ranks[query_id]
        assert scores.values["mrr@5"][row] == pytest.approx(1 / rank if rank is not None and rank <= 5 else 0)
        assert (rank is None) == (scores.values["recall@100"][row] == 0)


def test_inputs_are_left_as_they_were():
    judged, run = {"q": {"a": 1, "b": 2}}, {"q": [("a", 1.0), ("b", 2.0)]}
    judge(judged, run, 2)
    assert (judged, run) == ({"q": {"a": 1, "b": 2}}, {"q": [("a", 1.0), ("b", 2.0)]})
