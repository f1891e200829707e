"""The verbs of the store: records show, history and export, backup and restore."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.settings import Settings
from app.store import open_store
from cli.main import app
from index.document import Document

AT = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)
Call = Callable[..., Result]


@pytest.fixture
def call(tmp_path: Path, twelve: tuple[Document, ...], monkeypatch: pytest.MonkeyPatch) -> Call:
    """The command line over a store of twelve records, one of them renamed."""
    monkeypatch.setenv("SCHOLARSEARCH_HOME", str(tmp_path / "home"))
    store = open_store(Settings())
    store.upsert(twelve, "feed", AT)
    store.upsert([replace(twelve[0], title="Renamed")], "desk", AT)
    store.close()
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


def test_show_and_history(call: Call) -> None:
    shown = json.loads(call("records", "show", "a01-ocean-phd", "--json").stdout)
    assert shown["record"]["title"] == "Renamed"
    assert shown["store"]["source"] == "desk"
    assert "title: Renamed" in call("records", "show", "a01-ocean-phd").stdout
    told = json.loads(call("records", "history", "a01-ocean-phd", "--json").stdout)
    [revision] = told["revisions"]
    assert revision["sentence"] == "title changed from Ocean Futures Doctoral Fellowship to Renamed"
    assert revision["changes"][0]["after"] == "Renamed"
    assert revision["sentence"] in call("records", "history", "a01-ocean-phd").stdout
    for verb in ("show", "history"):
        missing = call("records", verb, "nobody")
        assert (missing.exit_code, missing.stdout) == (1, "")
        assert "nobody" in missing.stderr


@pytest.mark.parametrize(("form", "what", "count"), [("csv", "records", 12), ("ics", "deadlines", 10)])
def test_export(call: Call, tmp_path: Path, form: str, what: str, count: int) -> None:
    out = tmp_path / "out"
    done = call("records", "export", "--format", form, "--out", out, "--json")
    assert json.loads(done.stdout) == {"file": str(out), what: count}
    assert out.stat().st_size > 1000
    assert call("records", "export", "--format", "pdf", "--out", out).exit_code == 2


def test_backup_destroy_restore(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "b.gz"
    assert json.loads(call("backup", file, "--json").stdout)["rows"] == 14
    for part in (tmp_path / "home").iterdir():
        part.unlink()
    assert json.loads(call("restore", file, "--json").stdout) == {"records": 12, "before": None}
    assert "title: Renamed" in call("records", "show", "a01-ocean-phd").stdout
    again = json.loads(call("restore", file, "--json").stdout)
    assert Path(again["before"]).is_file()
    file.write_bytes(file.read_bytes()[:-20])
    broken = call("restore", file)
    assert (broken.exit_code, broken.stdout) == (1, "")
    assert "incomplete or altered" in broken.stderr
