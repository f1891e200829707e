"""Exported searches and events, in every form they come in."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evaluation.replay.decisions import ReplayError
from evaluation.replay.ranked import foretold, places
from evaluation.replay.searches import Deed, LoggedHit, read_searches

SEARCHES: list[dict[str, Any]] = [
    {
        "query_id": "q2", "at": "2026-11-02T10:00:00+00:00", "unit": None, "session": "s", "text": None,
        "hits": [["d3", 1, None, "a"]], "offset": 10, "flag": None,
    },
    {
        "query_id": "q1", "at": "2026-11-01T10:00:00+00:00", "unit": "u1", "session": "s", "text": "ocean",
        "hits": [["d1", 1, 0.9, None], ["d2", 2, 0.8, None]], "offset": 0, "flag": None,
    },
    {"query_id": "q3", "at": "2026-11-03T10:00:00+00:00", "hits": [["d1", 1, 1.0, None]], "flag": "bot"},
]  # fmt: skip
EVENTS: list[dict[str, Any]] = [
    {"event_id": "e1", "query_id": "q1", "type": "click", "doc_id": "d2"},
    {"event_id": "e2", "query_id": "q1", "type": "dwell", "doc_id": "d2", "dwell_ms": 4000},
    {"event_id": "e3", "query_id": "q1", "type": "dwell", "doc_id": "d2", "dwell_ms": 31000},
    {"event_id": "e4", "query_id": "q1", "type": "impression", "doc_id": "d1"},
    {"event_id": "e5", "query_id": "q2", "type": "apply", "doc_id": "d3"},
    {"event_id": "e6", "query_id": "q1", "type": "refine"},
    {"event_id": "e7", "query_id": "q1", "type": "click", "doc_id": "d1", "flag": "late"},
    {"event_id": "e8", "query_id": "elsewhere", "type": "click", "doc_id": "d1"},
]


def jsonl(folder: Path) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in EVENTS + SEARCHES))
    return path


def packed(folder: Path) -> Path:
    path = folder / "log.jsonl.gz"
    path.write_bytes(gzip.compress(jsonl(folder).read_bytes()))
    return path


def two_files(folder: Path) -> Path:
    out = folder / "export"
    out.mkdir()
    for name, rows in (("searches", SEARCHES), ("events", EVENTS)):
        (out / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return out


def parquet(folder: Path) -> Path:
    out = folder / "tables"
    out.mkdir()
    flat = [{**row, "hits": json.dumps(row["hits"])} for row in SEARCHES]
    for name, rows in (("exposures", flat), ("events", EVENTS)):
        columns = dict.fromkeys(key for row in rows for key in row)
        table = pa.table({key: [row.get(key) for row in rows] for key in columns})
        pq.write_table(table, out / f"{name}.parquet")
    return out


@pytest.mark.parametrize("form", [jsonl, packed, two_files, parquet])
def test_every_form_gives_the_same_searches(tmp_path: Path, form):
    first, second = read_searches(form(tmp_path))
    assert (first.query_id, second.query_id) == ("q1", "q2")
    assert (first.unit, second.unit) == ("u1", "s")
    assert (first.text, second.text, second.offset) == ("ocean", None, 10)
    assert first.hits == (LoggedHit("d1", 1, 0.9), LoggedHit("d2", 2, 0.8))
    assert second.hits == (LoggedHit("d3", 1, None, "a"),)
    assert first.deeds == {"d2": Deed(True, 31000.0)}
    assert first.deed("d1") == Deed()
    assert second.deeds == {"d3": Deed(True, None, True)}
    assert (first.refined, second.refined) == (True, False)


def test_hits_may_be_objects(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    hits = [{"id": "d1", "rank": 1, "propensity": 0.5, "team": None}]
    path.write_text(json.dumps({"query_id": "q", "at": 1_790_000_000, "hits": hits}))
    (one,) = read_searches(path)
    assert one.hits == (LoggedHit("d1", 1, 0.5),)
    assert one.at.utcoffset() is not None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", r"log.jsonl:1: not JSON"),
        ("[1]", r"log.jsonl:1: not a JSON object"),
        ('{"hits": [], "at": "2026-01-01"}', r"log.jsonl:1: neither a search nor an event"),
        ('{"query_id": "q", "at": "noon", "hits": []}', r"log.jsonl:1: neither"),
        ('{"event_id": "e", "query_id": "q"}', r"log.jsonl:1: neither"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, told: str):
    (tmp_path / "log.jsonl").write_text(line)
    with pytest.raises(ReplayError, match=told):
        read_searches(tmp_path / "log.jsonl")


def test_what_is_no_log_is_refused(tmp_path: Path):
    with pytest.raises(ReplayError, match="no log is in this folder"):
        read_searches(tmp_path)
    (tmp_path / "x.parquet").write_bytes(b"nothing")
    with pytest.raises(ReplayError, match="not Parquet"):
        read_searches(tmp_path / "x.parquet")


@pytest.mark.parametrize(
    ("metric", "earned"),
    [("click_mrr@5", [0, 1 / 2, 0]), ("ctr@5", [0, 1, 0]), ("ctr@1", [0, 0, 0]), ("clicks@5", [0, 1, 1])],
)
def test_what_a_click_earns(tmp_path: Path, metric: str, earned: list[float]):
    """Three hits, the second and third clicked; what was shuffled alone is weighed."""
    path = tmp_path / "log.jsonl"
    hits = [["a", 1, 0.5, None], ["b", 2, 0.5, None], ["c", 3, 0.5, None], ["d", 4, None, None]]
    rows = [{"query_id": "q", "at": "2026-11-01", "text": "t", "hits": hits}]
    rows += [
        {"event_id": str(at), "query_id": "q", "type": "click", "doc_id": doc} for at, doc in enumerate("bcd")
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    found = places(read_searches(path), {"q": ("a", "c")}, metric)
    assert found.rewards.tolist() == earned
    decisions = found.decisions()
    assert decisions.target.tolist() == [1, 0, 0]
    assert decisions.places.tolist() == [0, 1, 2]


def test_without_chances_or_with_a_strange_metric_there_is_no_replay(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    path.write_text(
        json.dumps({"query_id": "q", "at": "2026-11-01", "text": "t", "hits": [["a", 1, None, None]]})
    )
    with pytest.raises(ReplayError, match="with what chance"):
        places(read_searches(path), {"q": ()}, "ctr@1")
    with pytest.raises(ReplayError, match=r"mrr@5.*click_mrr@5"):
        places(read_searches(path), {"q": ()}, "mrr@5")


def test_the_model_knows_places_and_documents_and_nothing_where_nothing_stands(tmp_path: Path):
    """Document `good` is clicked at rank 2 by all, rank 1 by half; it is foretold above `bad` at either place."""
    path = tmp_path / "log.jsonl"
    rows: list[dict[str, Any]] = []
    for at in range(200):
        order = ["good", "bad"] if at % 2 else ["bad", "good"]
        hits = [[doc, rank, 0.5, None] for rank, doc in enumerate(order, start=1)]
        rows.append({"query_id": f"q{at}", "at": "2026-11-01", "unit": f"u{at}", "text": "t", "hits": hits})
        rows.append({"event_id": f"e{at}", "query_id": f"q{at}", "type": "click", "doc_id": "good"})
    path.write_text("\n".join(json.dumps(row) for row in rows))
    searches = read_searches(path)
    found = places(searches, {one.query_id: ("good",) for one in searches}, "clicks@5")
    told = foretold(found, np.random.default_rng(1))
    good = found.shown == found.wanted.max()
    first = found.ranks == 1
    assert told.logged[good].min() > 0.9 > 0.1 > told.logged[~good].max()
    np.testing.assert_allclose(told.target[~first], 0.0)
    assert told.target[first].min() > 0.9
