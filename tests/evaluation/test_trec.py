"""A run file says the same ranking to everyone who reads it."""

import string
from itertools import pairwise

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.errors import RunError
from evaluation.run import ordered, require_order
from evaluation.trec import parted, read_run, write_run

words = st.text(st.sampled_from(string.ascii_letters + string.digits + "._:-奖学"), min_size=1, max_size=6)
# Few distinct values, so that ties are common; large and tiny ones, so that float32 has to round.
scores = st.one_of(st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-12, -3.5, 1e30, 1e-40]), st.floats(-1e6, 1e6))
runs = st.dictionaries(words, st.dictionaries(words, scores, min_size=1, max_size=8), min_size=1, max_size=4)


def ids(hits):
    return [doc_id for doc_id, _ in hits]


@given(runs)
def test_a_run_survives_the_file_with_its_order(tmp_path_factory, run):
    path = tmp_path_factory.mktemp("run") / "system.run"
    write_run(path, {query: list(hits.items()) for query, hits in run.items()}, "system@1")
    back = read_run(path)
    assert back.tag == "system@1"
    assert list(back.run) == list(run)
    for query, hits in run.items():
        expected = sorted(hits, key=lambda doc_id: (-hits[doc_id], doc_id))
        assert ids(back.run[query]) == expected
        assert [score for _, score in back.run[query]] == pytest.approx(
            [hits[doc_id] for doc_id in expected], rel=1e-6, abs=1e-30
        )


@given(runs)
def test_an_outside_evaluator_that_breaks_ties_the_other_way_sees_the_same_ranking(tmp_path_factory, run):
    path = tmp_path_factory.mktemp("run") / "system.run"
    write_run(path, {query: list(hits.items()) for query, hits in run.items()}, "system")
    read = list(ir_measures.read_trec_run(str(path)))
    for query, hits in run.items():
        first = min(hits, key=lambda doc_id: (-hits[doc_id], doc_id))
        (found,) = ir_measures.pytrec_eval.iter_calc(
            [ir_measures.Success @ 1], {query: {first: 1}}, [hit for hit in read if hit.query_id == query]
        )
        assert found.value == 1


@given(
    st.lists(st.floats(-(2.0**90), 2.0**90, width=32), min_size=1).map(
        lambda values: sorted(values, reverse=True)
    )
)
def test_parted_scores_fall_strictly_and_stay_close(values):
    steps = parted(values)
    assert all(isinstance(step, np.float32) for step in steps)
    assert all(left > right for left, right in pairwise(steps))
    distinct = len(set(values)) == len(values)
    if distinct:
        assert [float(step) for step in steps] == [value + 0.0 for value in values]


def test_lines_have_six_columns_and_ranks_from_one(tmp_path):
    write_run(tmp_path / "deep" / "a.run", {"q": [("b", 1.5), ("c", 1.5), ("a", 2.0)], "none": []}, "bm25")
    lines = (tmp_path / "deep" / "a.run").read_text().splitlines()
    assert lines == ["q Q0 a 1 2.0 bm25", "q Q0 b 2 1.5 bm25", "q Q0 c 3 1.4999999 bm25"]


@pytest.mark.parametrize(
    ("run", "tag", "word"),
    [
        ({"q": [("a b", 1.0)]}, "t", "document id"),
        ({"q": [("a\u3000b", 1.0)]}, "t", "document id"),
        ({"q": [("", 1.0)]}, "t", "document id"),
        ({"q 1": [("a", 1.0)]}, "t", "query id"),
        ({"q": [("a", 1.0)]}, "my system", "tag"),
        ({"q": [("a", 1.0)]}, "", "tag"),
        ({"q": [("a", float("nan"))]}, "t", "nan"),
        ({"q": [("a", float("inf"))]}, "t", "inf"),
        ({"q": [("a", 1e39)]}, "t", "float32"),
        ({"q": [("a", 1.0), ("a", 2.0)]}, "t", "twice"),
    ],
)
def test_what_cannot_stand_in_a_run_file_is_refused_and_nothing_is_written(tmp_path, run, tag, word):
    with np.errstate(over="ignore"), pytest.raises(RunError, match=word):
        write_run(tmp_path / "a.run", {"first": [("d", 1.0)], **run}, tag)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("q Q0 b 2 0.5", "columns"),
        ("q Q0 b 2 0.5 t extra", "columns"),
        ("q Q0 b two 0.5 t", "rank"),
        ("q Q0 b -1 0.5 t", "rank"),
        ("q Q0 b 2 high t", "score"),
        ("q Q0 b 2 nan t", "score"),
        ("q Q0 a 2 0.5 t", "twice"),
        ("q Q0 b 2 0.5 other", "tag"),
    ],
)
def test_a_malformed_line_names_file_and_line(tmp_path, line, word):
    path = tmp_path / "a.run"
    path.write_text(f"q Q0 a 1 1.0 t\n{line}\n")
    with pytest.raises(RunError, match=rf"a\.run:2: .*{word}"):
        read_run(path)


def test_a_file_without_hits_or_that_is_not_there_is_an_error(tmp_path):
    (tmp_path / "empty.run").write_text("")
    with pytest.raises(RunError, match="no hit"):
        read_run(tmp_path / "empty.run")
    with pytest.raises(RunError, match="cannot be read"):
        read_run(tmp_path / "absent.run")


def test_hits_are_ordered_by_score_then_id():
    assert ordered("q", [("b", 1), ("c", 2), ("a", 1)]) == [("c", 2.0), ("a", 1.0), ("b", 1.0)]


@given(st.dictionaries(words, st.integers(0, 3).map(float), min_size=2, max_size=6), st.randoms())
def test_a_system_order_that_its_scores_do_not_say_is_refused(hits, random):
    right = ordered("q", hits.items())
    require_order("s", {"q": right})
    shuffled = right[:]
    random.shuffle(shuffled)
    if shuffled != right:
        with pytest.raises(RunError, match="rank"):
            require_order("s", {"q": shuffled})
