"""Searches over HTTP while the ladder moves: nothing is lost, nothing is mixed, every answer says its rung."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from app.blend import Blend
from app.fake_programmes import programmes
from app.judging import LateJudge
from app.live.opening import open_live
from app.precision.rest import resting
from app.reranking import Judge
from app.services import Answers
from app.settings import Settings
from index.build import build
from index.fit import FIT_FEATURES
from models.hashing import HashingEncoder
from models.rung import RUNGS, Rung
from models.scores import Scores
from models.selftest import Verdict

from .conftest import fake_app, when_ready

BLEND = Blend(first=0.0, logit=1.0, fits=(0.0,) * len(FIT_FEATURES), highest_logit=9e9, usual_logit=0.0)
SEED: dict[Rung, int] = {"fp16": 1, "int8": 7, "int4": 31}


class Engine:
    """Orders texts by a hash of its own for each rung: two rungs never agree, so a mixture would show."""

    name = "engine"

    def __init__(self, rung: Rung) -> None:
        self.rung, self.fingerprint = rung, f"engine-{rung}"

    def score(self, query: str, documents: Any, timings: Any, gated: bool = True) -> Scores:
        logits = [float(hash((text, SEED[self.rung])) % 1009) for text in documents]
        return Scores(np.array(logits, np.float32), np.zeros(len(documents), np.bool_))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    home, encoder = Path(tmp_path_factory.mktemp("home")), HashingEncoder()
    build(programmes(), home, encoder)
    judges = LateJudge(lambda rung: Judge(Engine(rung), BLEND, rung))
    for rung in RUNGS:
        judges.get(rung)
    ladder = resting(judges)
    ladder.take(tuple(Verdict(rung, True, "passed", "") for rung in RUNGS))
    answers = Answers(open_live(Settings(home=home), encoder, ladder), ladder)
    app = fake_app(lambda _: answers, debug=True, admin_key="root", search_threads=4)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield when_ready(client)


def pin(service: TestClient, rung: Rung | None) -> None:
    body = {"mode": "auto"} if rung is None else {"pin": rung}
    assert service.put("/v1/precision", json=body, headers={"X-Api-Key": "root"}).status_code == 200


def search(service: TestClient, **body: Any) -> dict[str, Any]:
    asked = {"query": "grant", "rerank": {"enabled": True, "depth": 50}, "page_size": 3, **body}
    answer = service.post("/v1/search", json=asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def whole(service: TestClient, first: dict[str, Any]) -> list[str]:
    """The ids of all pages from `first` on."""
    page, seen = first, [hit["id"] for hit in first["hits"]]
    while page["next_cursor"]:
        page = search(service, cursor=page["next_cursor"])
        assert page["served"]["precision"] == first["served"]["precision"]
        seen += [hit["id"] for hit in page["hits"]]
    return seen


@pytest.fixture(scope="module")
def orders(service: TestClient) -> dict[str, list[str]]:
    """What each rung ranks."""
    found = {}
    for rung in RUNGS:
        pin(service, rung)
        first = search(service)
        assert first["served"]["precision"] == rung
        found[rung] = whole(service, first)
    assert len({tuple(order) for order in found.values()}) == 3
    return found


def test_every_answer_is_of_one_rung_and_none_is_lost_while_the_ladder_moves(
    service: TestClient, orders: dict[str, list[str]]
) -> None:
    stopped, wrong, served = threading.Event(), [], []

    def ask() -> None:
        while not stopped.is_set():
            try:
                first = search(service)
                served.append(first["served"]["precision"])
                if whole(service, first) != orders[first["served"]["precision"]]:
                    wrong.append(first)
            except AssertionError as error:
                wrong.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    before = service.get("/v1/precision").json()["switches"]
    for at in range(60):
        pin(service, RUNGS[(1, 2, 1, 0)[at % 4]])
    stopped.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert service.get("/v1/precision").json()["switches"] - before >= 59
    assert set(served) <= set(RUNGS)


def test_a_search_that_is_not_reranked_has_no_precision(service: TestClient) -> None:
    assert search(service, rerank={"enabled": False})["served"]["precision"] is None


def test_texts_of_the_callers_own_are_ranked_on_the_ladders_rung(service: TestClient) -> None:
    pin(service, "int8")
    answer = service.post("/v1/rerank", json={"query": "grant", "documents": ["a", "b"]}).json()
    assert answer["served"]["precision"] == "int8"


def test_an_explanation_is_of_the_rung_that_ranked(service: TestClient) -> None:
    pin(service, "int4")
    first = search(service, page_size=1)
    pin(service, "fp16")
    second = search(service, page_size=1, cursor=first["next_cursor"], explain=True)
    assert second["served"]["precision"] == "int4"
    assert second["served"]["fingerprint"] == first["served"]["fingerprint"]
    pin(service, None)
