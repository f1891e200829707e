from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.settings import Settings
from app.store import open_store
from cli.main import app
from index.ingest.mapping import parse_map


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCHOLARSEARCH_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "awards.csv"
    path.write_text("code,title,deadline\n1,Award one,2026-11-01\n2,,2026-11-02\n")
    return path


def run(*words: object) -> dict[str, object]:
    result = CliRunner().invoke(app, ["ingest", *map(str, words), "--json"])
    assert result.exit_code == 0, result.output
    answer: dict[str, object] = json.loads(result.stdout)
    return answer


def test_the_answer_counts_and_names_the_report(table: Path) -> None:
    first, second = run(table), run(table)
    wanted = ("read", "created", "updated", "unchanged", "rejected")
    assert [first[key] for key in wanted] == [2, 1, 0, 0, 1]
    assert [second[key] for key in wanted] == [2, 0, 0, 1, 1]
    assert json.loads(Path(str(first["rejects_file"])).read_text())["row"] == "2"
    store = open_store(Settings())
    try:
        assert [document.doc_id for document in store.documents()] == ["awards:1"]
    finally:
        store.close()


def test_a_dry_run_leaves_no_store(table: Path, home: Path) -> None:
    assert run(table, "--dry-run")["created"] == 1
    assert not list(home.glob("*.sqlite3"))
    run(table)
    assert [run(table, "--dry-run")[key] for key in ("created", "unchanged")] == [0, 1]


def test_a_file_without_rejects_names_no_report(table: Path, home: Path) -> None:
    table.write_text("code,title,deadline\n1,Award one,2026-11-01\n")
    answer = run(table)
    assert (answer["rejects_file"], answer["forecast"]) == (None, None)
    assert not list(home.glob("rejects/*"))


def test_a_large_file_is_foretold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, path = 4000, tmp_path / "feed.jsonl"
    line = '{{"id": "award-{0}", "title": "Award {0}", "description": "{1}", "deadline": "2026-11-01"}}\n'
    path.write_text("".join(line.format(at, "A sentence about rivers. " * 8) for at in range(rows)))
    monkeypatch.setattr("app.forecast.LARGE_BYTES", 1 << 19)
    monkeypatch.setattr("app.forecast._HEAD_BYTES", 1 << 17)
    monkeypatch.setattr("app.forecast.DEFAULT_ENCODER", "hashing")
    told = run(path, "--dry-run")["forecast"]
    assert isinstance(told, dict)
    assert told["records"] == pytest.approx(rows, rel=0.05)
    assert told["passages"] == told["records"]
    assert told["embed_s"] == pytest.approx(told["passages"] / told["passages_per_s"], rel=0.05, abs=0.1)
    spoken = CliRunner().invoke(app, ["ingest", str(path), "--dry-run"])
    assert "`scholarsearch index` would embed about" in spoken.stderr
    assert "would embed" not in spoken.stdout


def test_the_proposed_map_as_json_is_the_same_map(table: Path) -> None:
    spoken = CliRunner().invoke(app, ["ingest", str(table), "--suggest-map"])
    as_json = CliRunner().invoke(app, ["ingest", str(table), "--suggest-map", "--json"])
    assert parse_map(json.loads(as_json.stdout)) == parse_map(tomllib.loads(spoken.stdout))


def test_the_proposed_map_can_be_used_as_it_is(table: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["ingest", str(table), "--suggest-map"])
    assert result.exit_code == 0, result.output
    path = tmp_path / "awards.toml"
    path.write_text(result.stdout)
    assert run(table, "--map", path)["created"] == 1


def test_a_wrong_format_is_wrong_usage_and_a_wrong_map_one_line(table: Path, tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["ingest", str(table), "--format", "pdf"]).exit_code == 2
    path = tmp_path / "awards.toml"
    path.write_text('[columns]\ntitle = "titel"\n')
    result = CliRunner().invoke(app, ["ingest", str(table), "--map", str(path)])
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert "titel" in result.stderr
