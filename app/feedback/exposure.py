"""One page of hits as it was served: what is kept of it, in the spool and in the store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

FAILED = "error"
"""The flag of a search that ended in an error of the service: it showed nothing, and counts as that alone."""
Row = dict[str, Any]
HitRow = tuple[str, int, float | None, str | None]
ArmRow = tuple[str, int, str, int | None, str | None]


@dataclass(frozen=True, slots=True)
class Exposure:
    """What was served.

    at_s: seconds since 1970, UTC. unit, session, query_hash: keyed hashes. text, filters: None without consent.
    hits: (doc_id, rank from 1, propensity, team). arms: (key, version, variant, bucket, unit that was assigned).
    flag: "bot", "forced" or "error", None when it counts.
    """

    query_id: str
    at_s: float
    unit: str | None
    session: str | None
    consent: bool
    text: str | None
    filters: Mapping[str, Any] | None
    query_hash: str
    lang: str | None
    system: str
    fingerprint: str
    precision: str | None
    offset: int
    hits: tuple[HitRow, ...]
    total: int
    total_ms: float
    degraded: tuple[tuple[str, str], ...]
    arms: tuple[ArmRow, ...]
    flag: str | None

    def plain(self) -> list[Any]:
        """As JSON has it: the fields in their order."""
        return [getattr(self, name) for name in _FIELDS]


_FIELDS = tuple(Exposure.__slots__)


def row_of(plain: list[Any]) -> tuple[Row, list[Row]]:
    """The row of an exposure as `plain` gave it, and the rows of its arms. Raises ValueError or TypeError."""
    found: Row = dict(zip(_FIELDS, plain, strict=True))
    at = datetime.fromtimestamp(found.pop("at_s"), UTC)
    arms = [
        {
            "key": key,
            "version": version,
            "query_id": found["query_id"],
            "variant": variant,
            "bucket": bucket,
            "unit": unit,
            "at": at,
        }
        for key, version, variant, bucket, unit in found.pop("arms")
    ]
    hits = found["hits"]
    found |= {"at": at, "shown": len(hits), "hits": _text(hits), "degraded": _text(found["degraded"])}
    found["filters"] = None if found["filters"] is None else _text(found["filters"])
    return found, arms


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
