"""What logs teach, from users whose ways are known, through the command line."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from app.attraction import read_attraction
from app.library import Library
from cli.main import app
from evaluation.replay.users import PositionBased, attraction
from index.build import build
from index.document import Document
from index.storage import open_snapshot
from models.hashing import HashingEncoder
from training.example import Candidate, Example, read_examples, write_examples

START = datetime(2026, 11, 1, 9, tzinfo=UTC)
GRADES = np.array([3, 0, 2, 0, 1, 0])
TEXTS = ("ocean grants", "coral awards", "polar funding")


def exploring(searches: int, seed: int = 1, consent: bool = True) -> list[dict[str, Any]]:
    """Three queries of a day; neighbours of six hits swapped by coin; a user has some four searches."""
    rng, users, rows = np.random.default_rng(seed), PositionBased(), []
    for at in range(searches):
        order = np.arange(6)
        for place in range(int(rng.integers(2)), 5, 2):
            if rng.random() < 0.5:
                order[[place, place + 1]] = order[[place + 1, place]]
        done = users.browse(GRADES[order][None, :], rng)
        query, name = int(rng.integers(3)), f"q{seed}-{at}"
        hits = [[f"d{doc}", rank, 0.5, None] for rank, doc in enumerate(order.tolist(), start=1)]
        moment = (START + timedelta(seconds=at)).isoformat()
        text = TEXTS[query] if consent else None
        row = {"query_id": name, "at": moment, "unit": f"u{at % (searches // 4 + 1)}", "text": text}
        rows.append(row | {"query_hash": str(query), "hits": hits})
        for place in np.flatnonzero(done.clicked[0]).tolist():
            event = {"query_id": name, "doc_id": f"d{order[place]}"}
            rows.append({**event, "event_id": f"{name}c{place}", "type": "click"})
            dwell_ms = float(done.dwell_ms[0, place])
            rows.append({**event, "event_id": f"{name}d{place}", "type": "dwell", "dwell_ms": dwell_ms})
            if done.applied[0, place]:
                rows.append({**event, "event_id": f"{name}a{place}", "type": "apply"})
    return rows


def written(rows: list[dict[str, Any]], path: Path) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def told(*words: object) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["learn", *map(str, words), "--json"])
    assert done.exit_code == 0, done.output
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(exploring(3000), tmp_path_factory.mktemp("log") / "log.jsonl")


def test_where_users_look_lies_in_the_intervals(log: Path):
    found = told("position", log)
    assert found["method"] == "harvested"
    truth = PositionBased().examination(6)
    held = [low <= one <= high for one, (low, high) in zip(truth, found["ci95"], strict=True)]
    assert sum(held) >= 5  # of six 95 % intervals
    assert all(low < high for low, high in found["ci95"][1:])
    np.testing.assert_allclose(found["examination"], truth, rtol=0.25)


def test_a_log_whose_order_never_changed_is_fitted_and_says_so(tmp_path: Path):
    rows = [
        {
            "query_id": f"q{at}",
            "at": START.isoformat(),
            "text": f"t{at}",
            "hits": [["a", 1, None], ["b", 2, None]],
        }
        for at in range(50)
    ]
    rows += [{"event_id": f"e{at}", "query_id": f"q{at}", "type": "click", "doc_id": "a"} for at in range(20)]
    assert told("position", written(rows, tmp_path / "log.jsonl"))["method"] == "fitted"


def test_a_shuffled_arm_is_weighed_without_a_query_coming_again(tmp_path: Path):
    rng, users, rows = np.random.default_rng(4), PositionBased(), []
    for at in range(3000):
        order = rng.permutation(6)
        hits = [[f"d{doc}", rank, 1 / 6, None] for rank, doc in enumerate(order.tolist(), start=1)]
        row = {"query_id": f"q{at}", "at": START.isoformat(), "text": f"text {at}", "hits": hits}
        rows.append(row)
        clicked = users.browse(GRADES[order][None, :], rng).clicked[0]
        for place in np.flatnonzero(clicked).tolist():
            event = {
                "event_id": f"{at}-{place}",
                "query_id": f"q{at}",
                "type": "click",
                "doc_id": f"d{order[place]}",
            }
            rows.append(event)
    found = told("position", written(rows, tmp_path / "log.jsonl"), "--method", "weighed")
    np.testing.assert_allclose(found["examination"], users.examination(6), rtol=0.2)


def test_an_unknown_method_is_wrong_usage(log: Path):
    done = CliRunner().invoke(app, ["learn", "position", str(log), "--method", "guessed"])
    assert done.exit_code == 2
    assert "weighed" in done.output


def test_the_team_that_is_clicked_is_preferred(tmp_path: Path):
    rows: list[dict[str, Any]] = []
    for at in range(60):
        hits = [["x", 1, None, "a"], ["y", 2, None, "b"]]
        rows.append({"query_id": f"q{at}", "at": START.isoformat(), "unit": f"u{at}", "hits": hits})
        doc = "x" if at < 15 else "y"
        rows.append({"event_id": f"e{at}", "query_id": f"q{at}", "type": "click", "doc_id": doc})
    found = told("preference", written(rows, tmp_path / "log.jsonl"))
    assert (found["wins_a"], found["wins_b"]) == (15, 45)
    assert found["verdict"].startswith("users prefer b")


def test_without_mixed_hits_there_is_no_preference(log: Path):
    done = CliRunner().invoke(app, ["learn", "preference", str(log)])
    assert done.exit_code == 1
    assert "mixed the hits of two systems" in done.output


def test_programmes_are_ordered_by_merit_whatever_their_ranks(log: Path, tmp_path: Path):
    out = tmp_path / "attraction.json"
    found = told("attraction", log, "--out", out)
    assert found["programmes"] == 6
    learned = read_attraction(out)
    assert learned is not None
    by_value = sorted(learned.values, key=lambda name: -learned.values[name])
    assert by_value[:3] == ["d0", "d2", "d4"]
    # Three of no use, at ranks 2, 4 and 6: their attraction differs by noise and not by place.
    useless = [learned.values[name] for name in ("d1", "d3", "d5")]
    assert max(useless) < min(learned.values[name] for name in by_value[:3])


def test_a_search_refined_afterwards_did_not_satisfy(tmp_path: Path):
    rows: list[dict[str, Any]] = []
    for at in range(400):
        name, doc = f"q{at}", ("kept", "left")[at % 2]
        hits = [[doc, 1, None], ["other", 2, None]]
        rows.append({"query_id": name, "at": START.isoformat(), "text": "t", "hits": hits})
        rows.append({"event_id": f"c{at}", "query_id": name, "type": "click", "doc_id": doc})
        if doc == "left":
            rows.append({"event_id": f"r{at}", "query_id": name, "type": "refine"})
    out = tmp_path / "attraction.json"
    told("attraction", written(rows, tmp_path / "log.jsonl"), "--out", out)
    learned = read_attraction(out)
    assert learned is not None
    assert learned.values["kept"] > 0.5
    assert learned.values["left"] < -1


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Library:
    documents = [
        Document(
            doc_id=f"d{at}",
            title=f"Ocean coral polar grant {at}",
            description="awards funding",
            language="en",
        )
        for at in range(6)
    ]
    folder = build(documents, tmp_path_factory.mktemp("home"), HashingEncoder()).folder
    library = Library(open_snapshot(folder), HashingEncoder(), time.perf_counter, "key")
    monkeypatch.setattr("app.services.open_library", lambda settings, progress: library)
    return library


def test_examples_hold_weighed_grades(served: Library, log: Path, tmp_path: Path):
    out = tmp_path / "clicks.jsonl.gz"
    found = told("examples", log, "--out", out)
    made = list(read_examples(out))
    assert found["examples"] == len(made) > 1000
    assert {example.task for example in made} == {"clicks"}
    assert np.mean([example.weight for example in made]) == pytest.approx(1.0, abs=1e-3)
    looked = told("position", log)["examination"]
    weights = {round(c.weight, 4) for e in made for c in e.candidates if c.grade}
    assert weights <= {round(min(1 / one, 10.0), 4) for one in looked}
    # On average weighed grades are what users who looked everywhere would have given, up to one factor.
    gain = {f"d{at}": 0.0 for at in range(6)}
    for example in made:
        for one in example.candidates:
            gain[one.doc_id] += one.weight * (one.grade > 0)
    expected = attraction(GRADES, 0.1)
    share = np.array([gain[f"d{at}"] for at in range(6)]) / gain["d0"]
    np.testing.assert_allclose(share, expected / expected[0], atol=0.08)


def test_what_is_judged_and_what_was_not_consented_to_is_left_out(served: Library, tmp_path: Path):
    judged = tmp_path / "set"
    judged.mkdir()
    (judged / "queries.jsonl").write_text(json.dumps({"_id": "1", "text": "Grants: ocean"}) + "\n")
    both = exploring(200, 2) + exploring(200, 3, consent=False)
    before = tmp_path / "before.jsonl.gz"
    write_examples(before, [Example("q", (Candidate("t", (), 1.0, "d"),), "award", "en", "", "g")])
    out = tmp_path / "both.jsonl.gz"
    log = written(both, tmp_path / "log.jsonl")
    found = told("examples", log, "--out", out, "--judged", judged, "--after", before)
    made = list(read_examples(out))
    assert made[0].task == "award"
    assert {example.query for example in made[1:]} == {"coral awards", "polar funding"}
    assert 20 < found["judged_left_out"] < 120
    assert len(made) - 1 + found["judged_left_out"] < 200
