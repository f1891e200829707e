"""What the documents say is what there is: settings, routes, metrics, commands and links."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

import pytest
import typer.main

from app.main import create_app
from app.settings import Settings
from app.telemetry import Telemetry
from cli.main import app as command_line

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = {".venv", "node_modules", "artifacts", "runs"}


@cache
def pages() -> dict[Path, str]:
    found = (file for file in ROOT.rglob("*.md") if not SKIPPED & set(file.relative_to(ROOT).parts))
    return {file: file.read_text(encoding="utf-8") for file in found}


@cache
def prose() -> str:
    if not (ROOT / "docs" / "service.md").exists():
        pytest.skip("docs/service.md is not written yet")
    return "\n".join(pages().values())


def test_every_setting_is_documented() -> None:
    names = [f"SCHOLARSEARCH_{name.upper()}" for name in Settings.model_fields]
    assert [name for name in names if name not in prose()] == []


def test_every_documented_setting_exists() -> None:
    known = {f"SCHOLARSEARCH_{name.upper()}" for name in Settings.model_fields}
    known |= {"SCHOLARSEARCH_SHARED", "SCHOLARSEARCH_HUB"}  # read by the tests alone
    assert set(re.findall(r"\bSCHOLARSEARCH_[A-Z_]+", prose())) - known == set()


def test_every_route_is_documented() -> None:
    def never(_settings: Settings) -> object:
        raise AssertionError("documentation needs no engine")

    served = create_app(Settings(), never)  # type: ignore[arg-type]
    paths = [path for path in served.openapi()["paths"] if path != "/"]
    assert len(paths) > 5
    assert [path for path in paths if path not in prose()] == []


def test_every_metric_is_documented() -> None:
    exposition, _content_type = Telemetry().exposition("text/plain")
    text = exposition.decode()
    names = set(re.findall(r"^# TYPE (scholarsearch_\w+)", text, re.MULTILINE))
    assert len(names) > 5
    # The library tells beside each figure when it was first seen.
    names = {name for name in names if not name.endswith("_created")}
    assert sorted(name for name in names if name not in prose()) == []


def test_every_verb_is_documented() -> None:
    verbs = commands()
    assert {"search", "index", "serve", "rank", "eval", "doctor", "bench retrieval"} <= set(verbs)
    assert [
        verb for verb in verbs if f"scholarsearch {verb}" not in prose() and f"`{verb}" not in prose()
    ] == []


@cache
def commands() -> dict[str, set[str]]:
    """{verb: its options}, with the verbs of groups as "group verb"."""
    root = typer.main.get_command(command_line)
    found = {}
    for name, command in root.commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        for verb, leaf in (
            {f"{name} {key}": leaf for key, leaf in inner.items()}.items()
            if inner
            else {name: command}.items()
        ):
            options = {
                text for parameter in leaf.params for text in (*parameter.opts, *parameter.secondary_opts)
            }
            found[verb] = options | {"--help"}
    return found


def test_every_command_line_in_the_documents_can_be_typed() -> None:
    wrong = []
    for page, text in pages().items():
        for line in re.findall(r"^\s*(?:\.venv/bin/)?scholarsearch (.+)$", text, re.MULTILINE):
            words = shlex.split(line.split(" #")[0].rstrip("\\"), posix=True)
            verb = next((v for v in (" ".join(words[:2]), words[0]) if v in commands()), None)
            options = {word.partition("=")[0] for word in words if word.startswith("--")}
            if verb is None or options - commands().get(verb, set()):
                wrong.append(f"{page.relative_to(ROOT)}: scholarsearch {line}")
    assert wrong == []


def test_every_link_between_documents_leads_somewhere() -> None:
    broken = []
    for page, text in pages().items():
        for target in re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", text):
            if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)} -> {target}")
    assert broken == []


def test_the_makefile_offers_what_the_documents_promise() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    promised = {
        t for text in pages().values() for t in re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE)
    }
    assert {"run", "test"} <= promised
    assert promised - targets == set()
