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
from collections.abc import Collection, Mapping
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
_FORMAT = 3
_CURRENT = "current"
_DRAFT = "draft-"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a snapshot folder holds: counts, fingerprint parts, and {file: [bytes, sha256]}.

    sequence: the last change of the store that is in it, 0 when it was not made from a store. No part of the content:
    a change and its undoing leave the same snapshot.
    """

    snapshot: str
    documents: int
    passages: int
    sequence: int
    parts: Mapping[str, str]
    files: Mapping[str, tuple[int, str]]

    @property
    def bytes(self) -> int:
        """Size of all files."""
        return sum(size for size, _ in self.files.values())


def write_manifest(
    folder: Path, documents: int, passages: int, parts: Mapping[str, str], sequence: int = 0
) -> Manifest:
    """The manifest of a finished folder, written into it last."""
    files = {
        str(path.relative_to(folder)): (path.stat().st_size, _digest(path))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    content = sha256(json.dumps([sorted(files.items()), sorted(parts.items())]).encode()).hexdigest()[:16]
    manifest = Manifest(content, documents, passages, sequence, {"snapshot": content, **parts}, files)
    text = {
        "format": _FORMAT,
        "snapshot": content,
        "documents": documents,
        "passages": passages,
        "sequence": sequence,
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
            raise SnapshotError(
                f"{path}: format {text['format']}, this version reads {_FORMAT}: rebuild it with `scholarsearch index`"
            )
        files = {name: (int(size), str(digest)) for name, (size, digest) in text["files"].items()}
        documents, passages, sequence = (int(text[name]) for name in ("documents", "passages", "sequence"))
        return Manifest(text["snapshot"], documents, passages, sequence, text["parts"], files)
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
    )


def publish(draft: Path, snapshots: Path, manifest: Manifest) -> Path:
    """The final folder of a finished draft, made current in one step that either happens or does not.

    The snapshot that was current until now stays, for those who have read its name and not yet opened it; older ones,
    and drafts of processes that died, are removed. Who has one of them open keeps reading it: the system frees a file
    when the last map of it is closed.
    """
    final = snapshots / manifest.snapshot
    previous = current(snapshots)
    if final.exists():  # the same content is already there, perhaps of an earlier state of the store
        (draft / MANIFEST).replace(final / MANIFEST)
        shutil.rmtree(draft)
    else:
        draft.rename(final)
    pointer = snapshots / f"{_CURRENT}.{os.getpid()}"
    pointer.write_text(manifest.snapshot, encoding="utf-8")
    pointer.replace(snapshots / _CURRENT)
    _sweep(snapshots, {final, previous})
    return final


def new_draft(snapshots: Path) -> Path:
    """An empty folder of this process, to write a snapshot into."""
    draft = snapshots / f"{_DRAFT}{os.getpid()}"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    return draft


def current(snapshots: Path) -> Path | None:
    """The folder of the snapshot to serve, or None when nothing was published yet."""
    pointer = snapshots / _CURRENT
    if not pointer.is_file():
        return None
    return snapshots / pointer.read_text(encoding="utf-8").strip()


def _sweep(snapshots: Path, keep: Collection[Path | None]) -> None:
    """Nothing; removes finished snapshots that are not in `keep`, and what dead processes left."""
    for path in snapshots.iterdir():
        owner = path.name.removeprefix(_DRAFT) if path.name.startswith(_DRAFT) else None
        abandoned = owner is not None and not (owner.isdecimal() and _lives(int(owner)))
        outdated = path not in keep and (path / MANIFEST).is_file() and owner is None
        if abandoned or outdated:
            shutil.rmtree(path, ignore_errors=True)


def _lives(process: int) -> bool:
    """Whether a process of this machine has that number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


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
