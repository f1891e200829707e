from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.settings import Settings
from app.store import open_store
from cli.main import app


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
