"""Killing the service in the middle of writes, and looking afterwards at what it had promised."""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from index.linking.cluster import LINKED

from .drafts import Draft, Drafts
from .service import Caller, Service
from .writes import found

_AT_ONCE = 5
_SHORTEST_S, _LONGEST_S = 0.1, 2.0
_LOST = (OSError, http.client.HTTPException, ValueError)

State = Mapping[str, Draft | None]
"""Record id → the version that is stored, None when none is."""


@dataclass(slots=True)
class Ledger:
    """What one writer was promised. `sent`: the states of a write that was under way when the service died."""

    settled: dict[str, Draft | None] = field(default_factory=dict)
    sent: State = field(default_factory=dict)
    acknowledged: int = 0


@dataclass(slots=True)
class Casualties:
    """What the kills did. Each of `missing`, `half` and `unsearchable` should stay empty."""

    kills: int = 0
    acknowledged: int = 0
    under_way: int = 0
    survived: int = 0
    missing: list[str] = field(default_factory=list)
    half: list[str] = field(default_factory=list)
    unsearchable: list[str] = field(default_factory=list)
    restart_s: list[float] = field(default_factory=list)


def kill_and_look(
    service: Service, drafts: list[Drafts], kills: int, rng: random.Random, progress: Callable[[int], None]
) -> Casualties:
    """What `kills` kills at random moments did to the writes of one writer per element of `drafts`."""
    told = Casualties()
    ledgers = [Ledger() for _ in drafts]
    for done in range(1, kills + 1):
        writers = [
            threading.Thread(
                target=_write, args=(service.port, ledger, supply, random.Random(rng.random())), daemon=True
            )
            for ledger, supply in zip(ledgers, drafts, strict=True)
        ]
        for writer in writers:
            writer.start()
        time.sleep(rng.uniform(_SHORTEST_S, _LONGEST_S))
        service.kill()
        for writer in writers:
            writer.join()
        told.kills = done
        told.restart_s.append(service.start())
        caller = Caller(service.port)
        for ledger in ledgers:
            _look_at_sent(caller, ledger, told)
        if done == kills:
            for ledger in ledgers:
                _look_at_settled(caller, ledger, told)
        caller.close()
        progress(done)
    told.acknowledged = sum(ledger.acknowledged for ledger in ledgers)
    return told


def _write(port: int, ledger: Ledger, drafts: Drafts, rng: random.Random) -> None:
    """Nothing; writes without a pause until there is no answer any more."""
    caller = Caller(port)
    while True:
        wished = _wish(ledger.settled, drafts, rng)
        ledger.sent = wished
        try:
            status = _send(caller, wished)
        except _LOST:
            return
        ledger.sent = {}
        if status == 200:
            ledger.settled.update(wished)
            ledger.acknowledged += len(wished)


def _wish(settled: State, drafts: Drafts, rng: random.Random) -> State:
    """One write: a new record, another version of one, a deletion, or several in one body."""
    known = [doc_id for doc_id, draft in settled.items() if draft is not None]
    count = rng.choice((1, 1, 1, _AT_ONCE))
    wished: dict[str, Draft | None] = {}
    for _ in range(count):
        drawn = rng.random()
        if not known or drawn > 0.5:
            draft = drafts.fresh()
            wished[draft.doc_id] = draft
        else:
            doc_id = rng.choice(known)
            wished[doc_id] = None if drawn < 0.15 else drafts.version(doc_id)
    return wished


def _send(caller: Caller, wished: State) -> int:
    if len(wished) == 1:
        [(doc_id, draft)] = wished.items()
        path = f"/v1/opportunities/{doc_id}?wait_ms=0"
        reply = caller.call("PUT", path, draft.record) if draft else caller.call("DELETE", path)
        return 200 if reply.status == 201 else reply.status
    items = [{"delete": doc_id} if draft is None else draft.record for doc_id, draft in wished.items()]
    return caller.call("POST", "/v1/opportunities:bulk?wait_ms=0", items).status


def _look_at_sent(caller: Caller, ledger: Ledger, told: Casualties) -> None:
    """Nothing; a write that was never answered is there whole or not at all."""
    if not ledger.sent:
        return
    new = [_is_there(caller, doc_id, draft) for doc_id, draft in ledger.sent.items()]
    old = [_is_there(caller, doc_id, ledger.settled.get(doc_id)) for doc_id in ledger.sent]
    told.under_way += 1
    if all(new):
        told.survived += 1
        ledger.settled.update(ledger.sent)
    elif not all(old):
        told.half += [_differs(caller, *pair) or f"{pair[0]}: as sent" for pair in ledger.sent.items()]
    ledger.sent = {}


def _look_at_settled(caller: Caller, ledger: Ledger, told: Casualties) -> None:
    """Nothing; everything that was ever promised is there, and is found."""
    for doc_id, draft in ledger.settled.items():
        if (difference := _differs(caller, doc_id, draft)) is not None:
            told.missing.append(difference)
        elif draft is not None and found(caller, draft.word, "bm25") != [doc_id]:
            told.unsearchable.append(doc_id)


def _is_there(caller: Caller, doc_id: str, draft: Draft | None) -> bool:
    return _differs(caller, doc_id, draft) is None


def _differs(caller: Caller, doc_id: str, draft: Draft | None) -> str | None:
    """How what is served differs from what should be; None when it does not."""
    reply = caller.call("GET", f"/v1/opportunities/{doc_id}")
    if draft is None:
        return None if reply.status == 404 else f"{doc_id}: is there, and was deleted"
    if reply.status != 200:
        return f"{doc_id}: is not there"
    served = dict(reply.body)
    if str(served.get("programme_id")).startswith(LINKED):
        served["programme_id"] = None  # the service's own finding: the record resembles another one
    fields = [name for name, value in draft.record.items() if served.get(name) != value]
    return f"{doc_id}: other {', '.join(fields)}" if fields else None
