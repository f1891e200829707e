"""A snapshot ↔ a folder with a manifest.

    <home>/snapshots/<id>/   manifest.json, corpus/, columns/, lexical/, dense/, alias/, passages/
    <home>/snapshots/current the id of the snapshot to serve

The manifest lists every file with its size and hash; a folder without a manifest is an unfinished build. A snapshot is
named by its content, so building the same thing twice gives the same snapshot.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from index.alias import Alias
from index.analyzer import fingerprint as analyzer_fingerprint
from index.columns import Columns
from index.corpus import open_corpus
from index.dense import Dense
from index.errors import SnapshotError, SnapshotMismatch
from index.lexical import Lexical
from index.passages import Passages
from index.settings import read_settings
from index.snapshot import Snapshot

MANIFEST = "manifest.json"
_FORMAT = 2
_CURRENT = "current"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a snapshot folder holds: counts, fingerprint parts, and {file: [bytes, sha256]}."""

    snapshot: str
    documents: int
    passages: int
    parts: Mapping[str, str]
    files: Mapping[str, tuple[int, str]]

    @property
    def bytes(self) -> int:
        """Size of all files."""
        return sum(size for size, _ in self.files.values())


def write_manifest(folder: Path, documents: int, passages: int, parts: Mapping[str, str]) -> Manifest:
    """The manifest of a finished folder, written into it last."""
    files = {
        str(path.relative_to(folder)): (path.stat().st_size, _digest(path))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    content = sha256(json.dumps([sorted(files.items()), sorted(parts.items())]).encode()).hexdigest()[:16]
    manifest = Manifest(content, documents, passages, {"snapshot": content, **parts}, files)
    text = {
        "format": _FORMAT,
        "snapshot": content,
        "documents": documents,
        "passages": passages,
        "parts": dict(manifest.parts),
        "files": {name: list(entry) for name, entry in files.items()},
    }
    (folder / MANIFEST).write_text(json.dumps(text, indent=1, sort_keys=True), encoding="utf-8")
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """The manifest in `folder`. Raises SnapshotError when there is none or it cannot be read."""
    path = folder / MANIFEST
    try:
        text = json.loads(path.read_text(encoding="utf-8"))
        if text["format"] != _FORMAT:
            raise SnapshotError(f"{path}: format {text['format']}, this version reads {_FORMAT}")
        files = {name: (int(size), str(digest)) for name, (size, digest) in text["files"].items()}
        return Manifest(text["snapshot"], text["documents"], text["passages"], text["parts"], files)
    except FileNotFoundError:
        raise SnapshotError(f"no snapshot in {folder}: build one with `scholarsearch index`") from None
    except (ValueError, KeyError, TypeError) as error:
        raise SnapshotError(f"{path}: damaged manifest ({error})") from error


def open_snapshot(folder: Path, encoder_fingerprint: str | None = None) -> Snapshot:
    """The snapshot in `folder`, memory-mapped.

    Raises SnapshotError when a file is missing or changed, and SnapshotMismatch when the snapshot was built with
    another analyzer, or another encoder than `encoder_fingerprint` (not checked when None).
    """
    manifest = read_manifest(folder)
    _verify(folder, manifest)
    _expect("analyzer", manifest.parts.get("analyzer"), analyzer_fingerprint())
    if encoder_fingerprint is not None and "encoder" in manifest.parts:
        _expect("encoder", manifest.parts["encoder"], encoder_fingerprint)
    return Snapshot(
        corpus=open_corpus(folder / "corpus"),
        columns=Columns.load(folder / "columns"),
        passages=Passages.open(folder / "passages"),
        lexical=Lexical.load(folder / "lexical", manifest.documents),
        dense=Dense.load(folder / "dense") if "encoder" in manifest.parts else None,
        alias=Alias.load(folder / "alias"),
        settings=read_settings(folder / "settings.json"),
        parts=manifest.parts,
        fingerprint=sha256(json.dumps(sorted(manifest.parts.items())).encode()).hexdigest()[:16],
    )


def publish(draft: Path, snapshots: Path, manifest: Manifest) -> Path:
    """The final folder of a finished draft, made current in one step that either happens or does not."""
    final = snapshots / manifest.snapshot
    if final.exists():
        shutil.rmtree(draft)  # the same content is already there
    else:
        draft.rename(final)
    pointer = snapshots / f"{_CURRENT}.{os.getpid()}"
    pointer.write_text(manifest.snapshot, encoding="utf-8")
    pointer.replace(snapshots / _CURRENT)
    return final


def current(snapshots: Path) -> Path | None:
    """The folder of the snapshot to serve, or None when nothing was published yet."""
    pointer = snapshots / _CURRENT
    if not pointer.is_file():
        return None
    return snapshots / pointer.read_text(encoding="utf-8").strip()


def _verify(folder: Path, manifest: Manifest) -> None:
    for name, (size, digest) in manifest.files.items():
        path = folder / name
        if not path.is_file() or path.stat().st_size != size:
            raise SnapshotError(
                f"{path}: missing or of another size than the manifest says; rebuild the snapshot"
            )
        if _digest(path) != digest:
            raise SnapshotError(f"{path}: content differs from the manifest; rebuild the snapshot")


def _expect(what: str, built_with: str | None, at_hand: str) -> None:
    if built_with != at_hand:
        raise SnapshotMismatch(
            f"the snapshot was built with {what} {built_with}, here is {at_hand}: rebuild it with `scholarsearch index`"
        )


def _digest(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
