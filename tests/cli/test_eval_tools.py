"""Gates, foreign runs, sweeps, pools and the linter from the outside, on the sample set and a real lexical leg."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from evaluation.trec import read_run, write_run

SAMPLE = "docs/sample-set"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def call(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SCHOLARSEARCH_HOME", str(home))

    def called(*words: str) -> Result:
        return CliRunner().invoke(app, list(words))

    return called


def figures(result: Result) -> dict:
    return json.loads(result.stdout)


@pytest.mark.slow
def test_twice_the_same_figures(call, tmp_path: Path) -> None:
    words = ("eval", "--set", SAMPLE, "--system", "bm25,hybrid", "--json", "--out")
    one, two = (figures(call(*words, str(tmp_path / name))) for name in ("one", "two"))
    for found in (one, two):
        for system in found["systems"].values():
            del system["latency_ms"]
    assert one == two
    for name in ("bm25.run", "hybrid.run", "per_query.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.slow
def test_a_foreign_run_is_judged_beside_ours(call, tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    first = figures(call("eval", "--set", SAMPLE, "--system", "bm25", "--out", str(ours), "--json"))
    run = read_run(ours / "bm25.run").run
    write_run(
        tmp_path / "theirs.run", {query: hits[::-1][:0] or hits for query, hits in run.items()}, "theirs"
    )
    both = figures(
        call(
            *("eval", "--set", SAMPLE, "--system", "hybrid", "--compare", str(tmp_path / "theirs.run")),
            *("--baseline", "theirs", "--out", str(tmp_path / "both"), "--json"),
        )
    )
    assert list(both["systems"]) == ["theirs", "hybrid"]
    assert both["systems"]["theirs"]["mrr@5"] == pytest.approx(first["systems"]["bm25"]["mrr@5"], abs=1e-12)
    assert both["systems"]["theirs"]["fingerprint"].startswith("file ")
    alone = call(
        "eval",
        "--set",
        SAMPLE,
        "--compare",
        str(tmp_path / "theirs.run"),
        "--out",
        str(tmp_path / "c"),
        "--json",
    )
    assert list(figures(alone)["systems"]) == ["theirs"]
    assert call("eval", "--set", SAMPLE).exit_code == 2


@pytest.mark.slow
def test_gates_fail_with_a_line_and_a_code(call, tmp_path: Path) -> None:
    words = ("eval", "--set", SAMPLE, "--system", "bm25", "--out", str(tmp_path))
    assert call(*words, "--fail-under", "mrr@5=0.1", "--fail-below-baseline", "ndcg@10").exit_code == 0
    failed = call(*words, "--fail-under", "mrr@5=0.999")
    assert failed.exit_code == 1
    assert failed.stderr.startswith("failed: bm25: mrr@5")
    unclear = call(*words, "--fail-under", "mrr=0.5")
    assert unclear.exit_code == 1
    assert "no metric 'mrr'" in unclear.stderr


@pytest.mark.slow
def test_a_sweep_goes_on_where_it_stopped(call, tmp_path: Path) -> None:
    words = (
        "sweep",
        "--set",
        SAMPLE,
        "--split",
        "test",
        "--system",
        "bm25",
        "--out",
        str(tmp_path),
        "--json",
    )
    first = figures(call(*words, "--over", "depth=1,2"))
    assert [trial["settings"] for trial in first["trials"]] == [{"depth": 1}, {"depth": 2}]
    assert first["trials"][0]["means"]["recall@100"] < first["trials"][1]["means"]["recall@100"]
    log = tmp_path / "sweep.jsonl"
    log.write_text(log.read_text()[:-9])  # the machine stopped in the middle of a line
    again = figures(call(*words, "--over", "depth=1,2,50"))
    assert again["trials"][:2] == first["trials"]
    assert len(log.read_text().splitlines()) == 4
    assert (tmp_path / "sweep.png").read_bytes().startswith(b"\x89PNG")
    two = figures(call(*words, "--over", "depth=1,50", "--over", "open_first=true,false"))
    assert len(two["trials"]) == 4


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ("depth", "must be NAME=VALUE"),
        ("depth=", "must be NAME=VALUE"),
        ("depth=0", "must be between 1 and 2000"),
        ("depth=x", "must be a whole number"),
        ("magic=1", "is no setting of a plan"),
    ],
)
def test_a_sweep_over_nothing_known_is_refused(call, over: str, said: str) -> None:
    refused = call("sweep", "--set", SAMPLE, "--split", "test", "--over", over)
    assert refused.exit_code == 2
    assert said in refused.stderr


@pytest.mark.slow
def test_from_a_pool_to_judgements(call, tmp_path: Path) -> None:
    call("eval", "--set", SAMPLE, "--system", "bm25", "--out", str(tmp_path))
    sheet, qrels = tmp_path / "anna.csv", tmp_path / "set" / "qrels" / "test.tsv"
    words = ("pool", "export", "--set", SAMPLE, "--run", str(tmp_path / "bm25.run"), "--out", str(sheet))
    assert figures(call(*words, "--regrade", "3", "--json"))["rows"] > 3
    with sheet.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for name, grade in (("anna", "1"), ("bo", "3")):
        with (tmp_path / f"{name}.csv").open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, rows[0])
            writer.writeheader()
            writer.writerows({**row, "grade": grade if at else ""} for at, row in enumerate(rows))
    sheets = [str(tmp_path / f"{name}.csv") for name in ("anna", "bo")]
    found = figures(call("pool", "import", *sheets, "--set", SAMPLE, "--out", str(qrels), "--json"))
    assert found["doubly_graded"] == len(rows) - 1
    assert len(found["disputed"]) == len(rows) - 1
    assert 0 < found["added"] <= len(rows) - 1
    assert qrels.read_text().startswith("query-id\tcorpus-id\tscore\n")


def test_the_linter_speaks_and_exits(call, tmp_path: Path) -> None:
    assert call("lint-set", SAMPLE).exit_code == 0
    leak = tmp_path / "train.txt"
    leak.write_text("Harbour doctoral grant!\n")
    found = call("lint-set", SAMPLE, "--train", str(leak), "--json")
    assert found.exit_code == 1
    errors = [one for one in figures(found)["findings"] if one["weight"] == "error"]
    assert {(one["code"], one["where"]) for one in errors} == {("leakage", "q1"), ("leakage", "q2")}
