"""Upserts and deletions one after another, each followed until a search shows it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from .drafts import Draft, Drafts
from .service import Caller

Kind = Literal["create", "update", "delete"]

_DELETES, _UPDATES = 0.2, 0.3
_POLL_S = 0.02
_PATIENCE_S = 30.0


@dataclass(slots=True)
class Followed:
    """What became of the writes: milliseconds from the answer to a write until a search showed it.

    searchable_ms: until its words found it, or no longer; encoded_ms: until it could be found by its meaning too.
    acknowledged_ms: how long the writes themselves took.
    """

    acknowledged_ms: list[float] = field(default_factory=list)
    searchable_ms: list[float] = field(default_factory=list)
    encoded_ms: list[float] = field(default_factory=list)
    kinds: dict[Kind, int] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    never: list[str] = field(default_factory=list)


def write_and_follow(
    port: int, drafts: Drafts, count: int, rng: random.Random, progress: Callable[[int], None]
) -> Followed:
    """The tally of `count` writes. Each is awaited in searches before the next one is sent."""
    caller, told = Caller(port), Followed()
    live: dict[str, Draft] = {}
    for done in range(1, count + 1):
        kind = _kind(rng, live)
        before = live.get(rng.choice(sorted(live))) if kind != "create" else None
        draft = None if kind == "delete" else drafts.version(before.doc_id) if before else drafts.fresh()
        began = time.perf_counter()
        if draft is None and before is not None:
            reply = caller.call("DELETE", f"/v1/opportunities/{before.doc_id}?wait_ms=0")
            del live[before.doc_id]
        elif draft is not None:
            reply = caller.call("PUT", f"/v1/opportunities/{draft.doc_id}?wait_ms=0", draft.record)
            live[draft.doc_id] = draft
        answered = time.perf_counter()
        told.kinds[kind] = told.kinds.get(kind, 0) + 1
        if reply.status not in (200, 201):
            told.refused.append(f"{reply.status}: {reply.body}")
            continue
        told.acknowledged_ms.append((answered - began) * 1000)
        _follow(caller, before, draft, answered, told)
        progress(done)
    caller.close()
    return told


def _kind(rng: random.Random, live: dict[str, Draft]) -> Kind:
    drawn = rng.random()
    if not live or drawn > _DELETES + _UPDATES:
        return "create"
    return "delete" if drawn < _DELETES else "update"


def _follow(caller: Caller, before: Draft | None, after: Draft | None, since: float, told: Followed) -> None:
    """Nothing; notes when its words show the write, and when its vectors are there too."""
    name = (after or before or _NOBODY).doc_id

    def served() -> bool:
        reply = caller.call("GET", f"/v1/opportunities/{name}")
        return reply.status == 404 if after is None else reply.body.get("title") == after.title

    def shown() -> bool:
        gone = before is None or before.doc_id not in found(caller, before.word, "bm25")
        return gone and (after is None or after.doc_id in found(caller, after.word, "bm25"))

    def encoded() -> bool:
        return bool(caller.call("GET", "/readyz").body["pending_vectors"] == 0)

    # Looking is a load too: a record is looked up, which costs little, and searched for once it is there.
    for times, holds in (([], served), (told.searchable_ms, shown), (told.encoded_ms, encoded)):
        while not holds():
            if time.perf_counter() - since > _PATIENCE_S:
                told.never.append(f"{name}: {holds.__name__}, {after.title if after else 'deleted'}")
                return
            time.sleep(_POLL_S)
        times.append((time.perf_counter() - since) * 1000)


def found(caller: Caller, query: str, system: str | None = None) -> list[str]:
    """The ids on the first page."""
    reply = caller.search(query, **({"system": system} if system else {}))
    return [hit["id"] for hit in reply.body["hits"]] if reply.status == 200 else []


_NOBODY = Draft("", "", {})
