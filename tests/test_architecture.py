"""The rules of the house that no linter knows: names, sizes, places, and what importing a module may do."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("app", "cli", "evaluation", "index", "models", "training")
BANNED = {"utils", "util", "helpers", "helper", "common", "misc", "core", "manager", "base"}
# Inner parts that their owner exposes: declared by declaring the owner.
PARTS = {
    "starlette": "fastapi",
    "markupsafe": "jinja2",
    "pydantic-core": "pydantic",
    "safetensors": "transformers",
    "tokenizers": "transformers",
}
LONGEST = 250
REASON = f"Over {LONGEST} lines"


@cache
def modules() -> tuple[Path, ...]:
    return tuple(sorted(file for name in PACKAGES for file in (ROOT / name).rglob("*.py")))


@cache
def tracked() -> tuple[Path, ...]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout: the tracked files are not known")
    return tuple(ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file())


def dotted(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("package", PACKAGES)
def test_nobody_else_owns_our_names(package: str) -> None:
    # Subset, not equality: an editable install lists no owner at all.
    owners = set(importlib.metadata.packages_distributions().get(package, ()))
    assert owners <= {"scholarsearch"}, f"{package} is also shipped by {owners - {'scholarsearch'}}"


def test_tests_are_no_packages() -> None:
    # tests/models/__init__.py would be taken for `models`.
    assert [str(file) for file in (ROOT / "tests").rglob("__init__.py")] == []


def test_no_drawers() -> None:
    named = {part for file in modules() for part in file.relative_to(ROOT).with_suffix("").parts}
    assert named & BANNED == set()


@pytest.mark.parametrize("file", modules(), ids=dotted)
def test_modules_are_short_or_say_why(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(source)) or ""
    lines = source.count("\n")
    assert lines <= LONGEST or REASON in docstring, (
        f"{lines} lines: split by duty, or write '{REASON}: reason' in the docstring"
    )


def test_no_tracked_file_names_a_machine_or_a_registry() -> None:
    # Spelled in pieces, or this file would find itself.
    hosts = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"))]
    hosts += [".".join(parts) for parts in (("download", "pytorch", "org"), ("deb", "debian", "org"))]
    places = re.compile(
        "|".join([re.escape(f"{ROOT.parent}/"), r"/(?:home|root|Users)/\w", *map(re.escape, hosts)])
    )
    found = []
    for file in tracked():
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{file.relative_to(ROOT)}: {match.group()}" for match in places.finditer(text)]
    assert found == []


def test_every_imported_package_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[^\w.-]", entry, maxsplit=1)[0].lower() for entry in project["dependencies"]}
    owners = importlib.metadata.packages_distributions()
    missing: dict[str, set[str]] = {}
    for file in modules():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            for name in {name.partition(".")[0] for name in names} - set(PACKAGES):
                belongs = {owner.lower().replace("_", "-") for owner in owners.get(name, ())}
                belongs |= {PARTS[owner] for owner in belongs & PARTS.keys()}
                if name not in sys.stdlib_module_names and belongs and not belongs & declared:
                    missing.setdefault(name, set()).add(dotted(file))
    assert missing == {}


def run_python(program: str) -> object:
    """What a fresh interpreter prints as JSON."""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("entry", ["app.main", "cli.main"])
def test_the_entries_load_no_network_library(entry: str) -> None:
    if not (ROOT / entry.replace(".", "/")).with_suffix(".py").exists():
        pytest.skip(f"{entry} is not written yet")
    program = f"import json, sys, {entry}; print(json.dumps(sorted(sys.modules)))"
    loaded = set(run_python(program))  # type: ignore[call-overload]
    assert (
        loaded & {"torch", "transformers", "sentence_transformers", "matplotlib", "faiss", "jieba"} == set()
    )


WATCH = """
import importlib, json, os, sys, threading
sys.dont_write_bytecode = True  # what the import system caches is not our work
root, names = {root!r}, {names!r}
ours = tuple(os.path.join(root, name) + os.sep for name in {packages!r})
seen = []

def caller():
    # The nearest frame that is neither the standard library's plumbing nor the import system.
    frame = sys._getframe(2)
    while frame and (frame.f_code.co_filename.startswith("<frozen") or frame.f_code.co_filename in plumbing):
        frame = frame.f_back
    place = frame.f_code.co_filename if frame else ""
    return place if place.startswith(ours) else None

def note(what):
    place = caller()
    if place:
        seen.append(f"{{os.path.relpath(place, root)}} {{what}}")

class Watching(os._Environ):
    def __getitem__(self, key):
        note(f"reads the environment: {{key}}")
        return super().__getitem__(key)

def audit(event, arguments):
    if event == "open" and not str(arguments[0]).endswith((".py", ".pyc")):
        note(f"opens {{arguments[0]}}")

import collections.abc, pathlib, tempfile
plumbing = {{m.__file__ for m in (os, collections.abc, pathlib, threading, importlib)}} | {{"<string>"}}
os.environ.__class__ = Watching
start = threading.Thread.start
def watched(self):
    note("starts a thread")
    start(self)
threading.Thread.start = watched
sys.addaudithook(audit)
for name in names:
    importlib.import_module(name)
print(json.dumps(seen))
"""


def watched(names: list[str], root: Path, packages: tuple[str, ...]) -> object:
    return run_python(WATCH.format(root=str(root), names=names, packages=packages))


def test_importing_a_module_does_no_work() -> None:
    names = [dotted(file) for file in modules() if file.name != "__main__.py"]
    assert watched(names, ROOT, PACKAGES) == []


def test_the_watch_sees_work_at_import(tmp_path: Path) -> None:
    (tmp_path / "busy").mkdir()
    (tmp_path / "busy" / "__init__.py").write_text(
        "import os, pathlib, threading\nHOME = os.environ.get('HOME')\n"
        "TEXT = (pathlib.Path(__file__).parent / 'x.txt').read_text()\nthreading.Thread(target=int).start()\n"
    )
    (tmp_path / "busy" / "x.txt").write_text("x")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    seen = run_python(program + WATCH.format(root=str(tmp_path), names=["busy"], packages=("busy",)))
    assert [re.sub(r"opens .*", "opens", line) for line in seen] == [  # type: ignore[union-attr, attr-defined]
        "busy/__init__.py reads the environment: HOME",
        "busy/__init__.py opens",
        "busy/__init__.py starts a thread",
    ]
