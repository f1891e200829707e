"""The snapshot to serve: is there one, how old is it, and does it fit this version."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from index.analyzer import fingerprint as analyzer_fingerprint
from index.errors import IndexingError
from index.storage import MANIFEST, current, read_manifest

from .finding import Finding

_SECTION = "snapshot"
_BUILD = "scholarsearch index"
_OLD_DAYS = 30


def snapshot(home: Path, now: datetime) -> Finding:
    """The published snapshot of `home`. Having none is no failure: the first start builds it."""
    folder = current(home / "snapshots")
    if folder is None:
        return Finding(_SECTION, "snapshot", "absent", "none yet: the first start builds it", _BUILD)
    try:
        manifest = read_manifest(folder)
    except IndexingError as error:
        return Finding(_SECTION, "snapshot", "failure", str(error), _BUILD)
    built_at = datetime.fromtimestamp((folder / MANIFEST).stat().st_mtime, UTC)
    age_days = (now - built_at).total_seconds() / 86_400
    facts = {
        "snapshot": manifest.snapshot,
        "documents": manifest.documents,
        "passages": manifest.passages,
        "bytes": manifest.bytes,
        "built_at": built_at.isoformat(timespec="seconds"),
        "age_days": round(age_days, 2),
        "parts": dict(manifest.parts),
    }
    detail = f"{manifest.snapshot}: {manifest.documents:,} documents, {age_days:.1f} days old"
    if manifest.parts.get("analyzer") != analyzer_fingerprint():
        return Finding(_SECTION, "snapshot", "warning", f"{detail}; made by another analyzer", _BUILD, facts)
    if "encoder" not in manifest.parts:
        return Finding(_SECTION, "snapshot", "warning", f"{detail}; without vectors", _BUILD, facts)
    if age_days > _OLD_DAYS:
        return Finding(_SECTION, "snapshot", "warning", f"{detail}: deadlines may have moved", _BUILD, facts)
    return Finding(_SECTION, "snapshot", "ok", detail, None, facts)


def catalogue(folder: Path) -> Finding:
    """The catalogue that ships with the package."""
    file = folder / "opportunities.jsonl.gz"
    if not file.is_file():
        return Finding(
            _SECTION,
            "catalogue",
            "failure",
            f"{file.name} is missing from the package",
            "make distclean setup",
        )
    facts = {"bytes": file.stat().st_size}
    return Finding(_SECTION, "catalogue", "ok", f"shipped, {file.stat().st_size / 1e6:.1f} MB", None, facts)
