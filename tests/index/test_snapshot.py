import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import index.analyzer
from index.build import build
from index.catalogue.shipped import programmes
from index.document import Document
from index.errors import CorpusError, SnapshotError, SnapshotMismatch
from index.settings import AWARDS, PLAIN
from index.storage import MANIFEST, current, open_snapshot
from index.types import Vector
from index.vectorbook import VectorBook
from models.hashing import HashingEncoder


class CountingEncoder(HashingEncoder):
    """Counts passages, and stops with an error after `limit` of them: a power cut in a build."""

    seen: ClassVar[list[str]] = []
    limit: ClassVar[int] = 10**9

    def encode_passages(self, texts: Sequence[str], progress: object = None) -> Vector:
        if len(self.seen) + len(texts) > self.limit:
            raise KeyboardInterrupt
        self.seen.extend(texts)
        return super().encode_passages(texts)


def test_a_snapshot_gives_back_what_went_in(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    built = build(reversed(twelve), tmp_path, HashingEncoder())
    snapshot = open_snapshot(built.folder, HashingEncoder().fingerprint)
    assert list(snapshot.corpus) == list(twelve)  # rows follow ids
    assert [snapshot.corpus.row(one.doc_id) for one in twelve] == list(range(12))
    assert snapshot.corpus.row("absent") is None
    assert len(snapshot.passages) == built.manifest.passages
    assert snapshot.settings == AWARDS
    assert current(tmp_path / "snapshots") == built.folder


def test_the_same_documents_make_the_same_snapshot(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    one = build(twelve, tmp_path / "a", HashingEncoder())
    two = build(reversed(twelve), tmp_path / "b", HashingEncoder())
    assert one.manifest.snapshot == two.manifest.snapshot
    assert build(twelve, tmp_path / "a", HashingEncoder()).folder == one.folder
    changed = build(twelve[1:], tmp_path / "a", HashingEncoder())
    assert changed.manifest.snapshot != one.manifest.snapshot
    assert build(twelve, tmp_path / "c", HashingEncoder(), PLAIN).manifest.snapshot != one.manifest.snapshot


def test_another_analyzer_or_encoder_is_refused(
    twelve: tuple[Document, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = build(twelve, tmp_path, HashingEncoder()).folder
    with pytest.raises(SnapshotMismatch, match="encoder"):
        open_snapshot(folder, HashingEncoder(dimension=32).fingerprint)
    monkeypatch.setattr("index.storage.analyzer_fingerprint", lambda: "analyzer-other")
    with pytest.raises(SnapshotMismatch, match="analyzer"):
        open_snapshot(folder, HashingEncoder().fingerprint)
    assert index.analyzer.fingerprint() != "analyzer-other"


def damage_file(folder: Path) -> None:
    path = folder / "passages" / "passages.txt"
    path.write_bytes(path.read_bytes()[:-1] + b"#")


def remove_file(folder: Path) -> None:
    (folder / "passages" / "owners.npy").unlink()


def damage_manifest(folder: Path) -> None:
    (folder / MANIFEST).write_text("{", encoding="utf-8")


def old_format(folder: Path) -> None:
    text = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    del text["sequence"]
    (folder / MANIFEST).write_text(json.dumps(text | {"format": 2}), encoding="utf-8")


def future_format(folder: Path) -> None:
    text = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    (folder / MANIFEST).write_text(json.dumps(text | {"format": 99}), encoding="utf-8")


def remove_manifest(folder: Path) -> None:
    (folder / MANIFEST).unlink()


@pytest.mark.parametrize(
    "harm", [damage_file, remove_file, damage_manifest, old_format, future_format, remove_manifest]
)
def test_a_damaged_snapshot_is_refused_by_name(
    harm: object, twelve: tuple[Document, ...], tmp_path: Path
) -> None:
    folder = build(twelve, tmp_path, HashingEncoder()).folder
    harm(folder)  # type: ignore[operator]
    with pytest.raises(SnapshotError, match=str(folder)):
        open_snapshot(folder)


def test_an_id_that_stands_twice_is_refused(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=twelve[0].doc_id):
        build((*twelve, twelve[0]), tmp_path, None)
    assert current(tmp_path / "snapshots") is None
    assert not list(tmp_path.glob("snapshots/*"))  # no half-built folder stays


def test_no_documents_make_an_empty_snapshot(tmp_path: Path) -> None:
    snapshot = open_snapshot(build([], tmp_path, HashingEncoder()).folder)
    assert len(snapshot) == 0


def test_the_current_and_the_previous_snapshot_stay(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    snapshots = tmp_path / "snapshots"
    folders = [build(twelve[:kept], tmp_path, None).folder for kept in (12, 11)]
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(timeout=60)
    for name in (f"draft-{ended.pid}", "draft-1", "notes"):
        (snapshots / name).mkdir()
    folders.append(build(twelve[:10], tmp_path, None).folder)
    # The first is outdated, and the draft of the process that ended has nobody to finish it; the rest is not ours.
    assert {path.name for path in snapshots.iterdir()} == {
        folders[1].name, folders[2].name, "current", "draft-1", "notes",
    }  # fmt: skip
    build(twelve[:11], tmp_path, None)  # back to the previous one
    assert current(snapshots) == folders[1]
    assert folders[2].is_dir()


def test_an_interrupted_build_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index.vectorbook._CHUNK", 4)
    documents = [Document(doc_id=f"d{at}", title=f"Award number {at}") for at in range(20)]
    encoder = CountingEncoder()
    CountingEncoder.seen, CountingEncoder.limit = [], 10
    with pytest.raises(KeyboardInterrupt):
        build(documents, tmp_path, encoder)
    assert len(CountingEncoder.seen) == 8
    CountingEncoder.limit = 10**9
    build(documents, tmp_path, encoder)
    assert len(CountingEncoder.seen) == len(set(CountingEncoder.seen)) == 20


def test_a_book_gives_the_encoders_vectors_and_ships(tmp_path: Path) -> None:
    texts = ["ocean award", "river prize", "ocean award"]
    encoder = HashingEncoder()
    book = VectorBook(encoder, [tmp_path / "home"])
    assert np.array_equal(book.vectors(texts), encoder.encode_passages(texts).astype(np.float16))
    assert book.export(texts, tmp_path / "shipped") > 0
    CountingEncoder.seen = []
    shipped = VectorBook(CountingEncoder(), [tmp_path / "empty", tmp_path / "shipped"])
    assert np.array_equal(shipped.vectors(texts), book.vectors(texts))
    assert CountingEncoder.seen == []


def test_vectors_without_keys_are_a_crashs_remainder(tmp_path: Path) -> None:
    encoder = HashingEncoder()
    VectorBook(encoder, [tmp_path]).vectors(["ocean award"])
    (keys,) = tmp_path.rglob("*.keys.npy")
    keys.unlink()
    assert len(VectorBook(encoder, [tmp_path]).vectors(["ocean award"])) == 1


def test_the_shipped_catalogue_reads() -> None:
    assert sum(1 for _ in programmes()) >= 2500


def test_a_snapshot_is_the_same_in_every_process(tmp_path: Path) -> None:
    """Python shuffles its sets anew in each process; a fingerprint that moved with them would name nothing."""
    program = (
        "import sys; from pathlib import Path; from index.build import build; from index.document import Document;"
        "from models.hashing import HashingEncoder;"
        "documents = [Document(doc_id=f'd{at}', title=f'Award {at} for study {at % 7}') for at in range(40)];"
        "print(build(documents, Path(sys.argv[1]), HashingEncoder()).manifest.snapshot)"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(made) == 1
