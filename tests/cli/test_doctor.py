"""`doctor` as a person and a program see it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cli.doctor import doctor

face = typer.Typer()
face.command()(doctor)


def test_json_is_all_that_stdout_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHOLARSEARCH_HOME", str(tmp_path))
    done = CliRunner().invoke(face, ["--quick", "--json"])
    told = json.loads(done.stdout)
    assert done.exit_code == (0 if told["can_serve"] else 1)
    assert {"machine", "packages", "engines", "snapshot"} <= {found["section"] for found in told["findings"]}
    assert all(found["fix"] for found in told["problems"])


def test_a_home_that_cannot_be_written_exits_1_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SCHOLARSEARCH_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("COLUMNS", "200")
    done = CliRunner().invoke(face, ["--quick"])
    assert done.exit_code == 1
    assert "FAILURE" in done.stdout
    assert "set SCHOLARSEARCH_HOME to a folder that can be written" in done.stdout
    assert "cannot run here" in done.stdout


def test_a_home_that_cannot_be_made_exits_1_whoever_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The administrator may write anywhere, and still makes no folder with such a name.
    monkeypatch.setenv("SCHOLARSEARCH_HOME", str(tmp_path / ("x" * 300) / "home"))
    done = CliRunner().invoke(face, ["--quick", "--json"])
    assert done.exit_code == 1
    found = {one["name"]: one for one in json.loads(done.stdout)["findings"]}
    assert found["disk"]["status"] == "failure"
    assert "name too long" in found["disk"]["detail"].lower()
    assert list(tmp_path.iterdir()) == []


def test_looking_at_a_home_that_is_not_there_yet_makes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHOLARSEARCH_HOME", str(tmp_path / "new" / "home"))
    done = CliRunner().invoke(face, ["--quick", "--json"])
    found = {one["name"]: one for one in json.loads(done.stdout)["findings"]}
    assert found["disk"]["status"] == "ok"
    assert list(tmp_path.iterdir()) == []


def test_a_bad_setting_is_one_line_on_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHOLARSEARCH_PORT", "many")
    done = CliRunner().invoke(face, ["--quick", "--json"])
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr == "error: SCHOLARSEARCH_PORT is 'many': must be a whole number from 0 to 65535\n"
