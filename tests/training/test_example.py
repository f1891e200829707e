from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from training.errors import ExampleError
from training.example import Candidate, Example, digest, read_examples, write_examples

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
candidates = st.builds(
    Candidate,
    text=text,
    timing=st.lists(st.integers(-99, 99).map(lambda n: n / 8), max_size=4).map(tuple),
    grade=st.sampled_from([0.0, 1.0, 2.0, 2.5, 3.0]),
    doc_id=text,
    fused=st.none() | st.floats(0, 1, width=32),
)
examples = st.builds(
    Example,
    query=text,
    candidates=st.lists(candidates, min_size=1, max_size=3).map(tuple),
    task=text,
    language=st.sampled_from(["en", "zh-Hant"]),
    as_of=st.just("2026-10-01"),
    group=text,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(written=st.lists(examples, max_size=4))
def test_what_was_written_is_read_and_the_bytes_depend_on_it_alone(written, tmp_path):
    first, second = tmp_path / "a.jsonl.gz", tmp_path / "b" / "other.jsonl.gz"
    assert write_examples(first, written) == len(written)
    write_examples(second, written)
    assert list(read_examples(first)) == written
    assert digest(first) == digest(second)


@pytest.mark.parametrize(
    ("candidates", "reason"),
    [([], "no candidates"), ([["d", 4, "t", [0.0], None, []]], "0-3"), ([["d", 1]], "not an example")],
)
def test_a_line_that_is_no_example_is_named(tmp_path, candidates, reason):
    path = tmp_path / "x.jsonl.gz"
    good = {"query": "q", "task": "t", "language": "en", "as_of": "", "group": "g"}
    lines = [
        json.dumps({**good, "candidates": [["d", 1, "t", [], None, []]]}),
        json.dumps({**good, "candidates": candidates}),
    ]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    with pytest.raises(ExampleError, match=reason) as caught:
        list(read_examples(path))
    assert ":2:" in str(caught.value)


def test_a_cut_file_is_told(tmp_path):
    path = tmp_path / "x.jsonl.gz"
    write_examples(path, [Example("q" * 500, (Candidate("t", (0.0,), 1.0, "d"),), "t", "en", "", "g")] * 50)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ExampleError, match="cannot be read"):
        list(read_examples(path))
