"""The READMEs are run: every `sh` and `python` block works against the real service, as a newcomer would type it."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "README.zh.md")
PATIENCE_S = 120

pytestmark = pytest.mark.slow


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[dict[str, str], int]]:
    """A running service with a home of its own: the environment to type in, and the port."""
    home = tmp_path_factory.mktemp("home")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "SCHOLARSEARCH_HOME": str(home)}
    environment["SCHOLARSEARCH_WRITE_KEY"] = "secret"  # as the READMEs have it
    command = [sys.executable, "-c", "from cli.main import main; main()", "serve", "--port", str(port)]
    served = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while not ready(port):
            if served.poll() is not None or time.monotonic() > deadline:
                served.kill()
                pytest.fail(f"the service did not come up: {served.communicate()[1][-2000:]}")
            time.sleep(0.2)
        yield environment, port
    finally:
        served.terminate()
        served.communicate(timeout=30)


def ready(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


def typed(block: str, port: int, out: Path) -> str:
    """The block with this run's port and output folder in place of the documented ones."""
    return block.replace("127.0.0.1:8000", f"127.0.0.1:{port}").replace("runs/", f"{out}/")


@pytest.mark.parametrize("page", PAGES)
def test_shell_blocks(page: str, newcomer: tuple[dict[str, str], int], tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        pytest.skip("no curl on this machine: install the package `curl`")
    environment, port = newcomer
    found = blocks(page, "sh")
    assert found
    for block in found:
        script = "set -e\n" + "\n".join(f"{line}\necho" for line in typed(block, port, tmp_path).splitlines())
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        for line in done.stdout.splitlines():
            if line.startswith("{"):
                told = json.loads(line)
                assert told.get("hits") or told.get("status") in ("created", "unchanged"), line[:300]
        if '"searchable":true' in done.stdout:  # what was written is what the search below it finds
            assert '"id":"ocean-phd"' in done.stdout.splitlines()[-1], done.stdout[-300:]
    assert (tmp_path / "sample" / "report.html").stat().st_size > 10_000


def test_python_blocks(newcomer: tuple[dict[str, str], int], tmp_path: Path) -> None:
    environment, port = newcomer
    for block in blocks("README.md", "python"):
        done = subprocess.run(
            [sys.executable, "-c", typed(block, port, tmp_path)],
            cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        first, *_, last = done.stdout.splitlines()
        assert first.startswith("1 ")
        assert "total" in last


def test_the_sample_set_is_searched_as_the_readme_says(
    newcomer: tuple[dict[str, str], int], tmp_path: Path
) -> None:
    """The first thing a newcomer measures has to make sense: time counts, and hybrid is no worse than BM25."""
    environment, _ = newcomer
    command = [
        "eval",
        "--set",
        "docs/sample-set",
        "--system",
        "bm25,hybrid,hybrid-open",
        "--json",
        "--out",
        str(tmp_path),
    ]
    done = subprocess.run(
        [sys.executable, "-c", "from cli.main import main; main()", *command],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    systems = json.loads(done.stdout)["systems"]
    assert systems["hybrid-open"]["mrr@5"] >= systems["hybrid"]["mrr@5"] >= systems["bm25"]["mrr@5"]
    assert systems["hybrid-open"]["mrr@5"] > 0.9
