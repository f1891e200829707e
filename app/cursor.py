"""The opaque mark between two pages: which search, at which instant, in which snapshot, how far.

A cursor survives a restart and is read by every worker: it holds all it needs and nothing is remembered
for it. It is signed, so one that was altered is refused; it is not encrypted and holds no text of the query.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Literal

from models.rung import Rung

from .call import SearchCall
from .errors import CursorExpired, CursorInvalid

_SIGNATURE_BYTES = 16
_LONGEST = 2048


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a reader stands. `as_of` is an aware instant; `offset` counts the hits already shown.

    arms: names the arms of the experiments that the first page was made under. rung: the precision it was reranked in,
    "" when it was not: another might rank the window a little otherwise, and pages would repeat a hit or skip one.
    """

    query_hash: str
    fingerprint: str
    as_of: datetime
    offset: int
    arms: str = ""
    rung: Rung | Literal[""] = ""


def query_hash(call: SearchCall, as_of: datetime, plan: str) -> str:
    """16 hex digits over all that can change a ranking: text, zone, filters, asker, sort, plan, instant.

    Page size, facets, explanations and budget do not change it and may differ from page to page.
    plan: any text that names the plan and its settings.
    """
    query = call.query
    parts = {
        "text": query.text,
        "zone": query.zone,
        "lang": query.lang,
        "filters": asdict(query.filters),
        "profile": asdict(query.profile) if query.profile else None,
        "sort": call.sort,
        "min_score": asdict(call.min_score) if call.min_score else None,
        "rerank": asdict(call.rerank),
        "plan": plan,
        "as_of": as_of.astimezone(UTC).isoformat(),
    }
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def encode(cursor: Cursor, secret: str) -> str:
    """The cursor as URL-safe text."""
    payload = json.dumps(
        [
            *(cursor.query_hash, cursor.fingerprint, cursor.as_of.astimezone(UTC).isoformat()),
            *(cursor.offset, cursor.arms, cursor.rung),
        ],
        separators=(",", ":"),
    ).encode()
    return base64.urlsafe_b64encode(_signature(payload, secret) + payload).decode("ascii").rstrip("=")


def decode(text: str, secret: str) -> Cursor:
    """The cursor that `encode` wrote with the same secret. Raises CursorInvalid."""
    if len(text) > _LONGEST:
        raise CursorInvalid("this is not a cursor of this service")
    try:
        signed = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise CursorInvalid("this is not a cursor of this service") from error
    signature, payload = signed[:_SIGNATURE_BYTES], signed[_SIGNATURE_BYTES:]
    if not hmac.compare_digest(signature, _signature(payload, secret)):
        raise CursorInvalid("this cursor was altered, or made by another service")
    digest, fingerprint, as_of, offset, arms, rung = json.loads(payload)
    return Cursor(digest, fingerprint, datetime.fromisoformat(as_of), offset, arms, rung)


def check(cursor: Cursor, query_hash: str, fingerprint: str, arms: str = "") -> None:
    """Nothing, when the cursor continues this search in this snapshot and under the same arms.

    Raises CursorExpired for another snapshot or for experiments that changed, and CursorInvalid for another search.
    """
    if cursor.fingerprint != fingerprint or cursor.arms != arms:
        raise CursorExpired
    if cursor.query_hash != query_hash:
        raise CursorInvalid("this cursor belongs to another search: query, filters, sort or as_of differ")


def _signature(payload: bytes, secret: str) -> bytes:
    return hmac.digest(b"scholarsearch cursor v2\0" + secret.encode(), payload, "sha256")[:_SIGNATURE_BYTES]
