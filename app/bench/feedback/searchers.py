"""People who search two services at once, click what they find, and write down what they were told."""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from app.bench.live.service import Caller

_LOST = (OSError, http.client.HTTPException, ValueError)
_DOWN_S = 0.05
_PEOPLE = 500

Told = dict[str, Any]


@dataclass(slots=True)
class Diary:
    """What one searcher was told.

    answers: of each answer its hits and arms, by query id. acknowledged: events by id. unanswered: how often there
    was no answer to a search, which may have been logged all the same.
    """

    answers: dict[str, Told] = field(default_factory=dict)
    acknowledged: dict[str, Told] = field(default_factory=dict)
    unanswered: int = 0
    refused: dict[int, int] = field(default_factory=dict)
    durations_ms: list[float] = field(default_factory=list)


class Searchers:
    """One thread a searcher, until they are stopped. Services that are down are waited for."""

    def __init__(self, ports: Sequence[int], questions: Sequence[str], count: int, seed: int) -> None:
        self._questions = questions
        self._stopped = threading.Event()
        self.diaries = [Diary() for _ in range(count)]
        self._threads = [
            threading.Thread(
                target=self._search,
                args=(ports[at % len(ports)], diary, random.Random(seed + at), f"p{at}"),
                daemon=True,
            )
            for at, diary in enumerate(self.diaries)
        ]

    def __enter__(self) -> Searchers:
        """The searchers, who have begun."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing; everybody has left."""
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _search(self, port: int, diary: Diary, rng: random.Random, name: str) -> None:
        caller, number = Caller(port), 0
        while not self._stopped.is_set():
            number += 1
            asked = {"unit_id": f"{name}-{rng.randrange(_PEOPLE)}", "consent": rng.random() < 0.5}
            began = time.perf_counter()
            try:
                reply = caller.search(rng.choice(self._questions), **asked)
            except ConnectionRefusedError:
                self._stopped.wait(_DOWN_S)  # nobody heard it
                continue
            except _LOST:
                diary.unanswered += 1
                self._stopped.wait(_DOWN_S)
                continue
            if reply.status != 200:
                diary.refused[reply.status] = diary.refused.get(reply.status, 0) + 1
                self._stopped.wait(_DOWN_S)
                continue
            diary.durations_ms.append((time.perf_counter() - began) * 1000)
            diary.answers[reply.body["query_id"]] = _noted(reply.body)
            self._tell(caller, diary, rng, reply.body, f"{name}-{number}")
        caller.close()

    def _tell(self, caller: Caller, diary: Diary, rng: random.Random, answer: Told, name: str) -> None:
        """Nothing; some of the hits were clicked, and what the service acknowledged of it is written down."""
        chosen = [hit for hit in answer["hits"][:5] if rng.random() < 0.4 / hit["rank"]]
        events = [
            {"event_id": f"{name}-{at}", "query_id": answer["query_id"], "type": "click"}
            | {"doc_id": hit["id"], "rank": hit["rank"]}
            for at, hit in enumerate(chosen)
        ]
        if not events:
            return
        try:
            reply = caller.call("POST", "/v1/feedback", {"events": events})
        except _LOST:
            return
        if reply.status != 202:
            diary.refused[reply.status] = diary.refused.get(reply.status, 0) + 1
            return
        for event, item in zip(events, reply.body["items"], strict=True):
            if item["status"] in ("accepted", "known"):
                diary.acknowledged[event["event_id"]] = event


def _noted(answer: Told) -> Told:
    return {
        "hits": [[hit["id"], hit["rank"], hit["propensity"], hit["team"]] for hit in answer["hits"]],
        "arms": sorted((one["key"], one["version"], one["variant"]) for one in answer["experiments"]),
    }
