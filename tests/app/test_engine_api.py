"""The real engine behind the HTTP face: a small snapshot, the hashing encoder, the documented shapes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.fake_programmes import programmes
from app.live.opening import open_live
from app.services import Answers
from app.settings import Settings
from app.systems import SYSTEMS
from index.build import build
from index.record import to_record
from models.hashing import HashingEncoder

from .conftest import fake_app, when_ready


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    encoder = HashingEncoder()
    home = Path(tmp_path_factory.mktemp("home"))
    build(programmes(), home, encoder)
    answers = Answers(open_live(Settings(home=home), encoder))
    with TestClient(fake_app(lambda _: answers, debug=True), raise_server_exceptions=False) as client:
        yield when_ready(client)


def search(client: TestClient, **body: Any) -> dict[str, Any]:
    response = client.post("/v1/search", json={"query": "", **body})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


BODIES: list[dict[str, Any]] = [
    {},
    {"query": "research grant"},
    {"query": "奖学金"},
    {"query": "zzqx"},
    {"query": "grant", "budget_ms": 5000},
    {"sort": ["-deadline", "title"]},
    {"query": "grant", "filters": {"availability": ["open", "rolling"], "unknown": "exclude"}},
]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("body", BODIES, ids=str)
def test_pages_of_every_system_partition_its_window(
    engine: TestClient, system: str, body: dict[str, Any]
) -> None:
    whole = search(engine, **body, system=system, page_size=50)
    assert whole["served"]["system"] == system
    assert len(whole["hits"]) == whole["reachable"] <= whole["total"]["value"]
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = search(engine, **body, system=system, page_size=2, **cursor)
        assert page["total"] == whole["total"]
        assert page["served"]["fingerprint"] == whole["served"]["fingerprint"]
        seen += [hit["id"] for hit in page["hits"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert seen == [hit["id"] for hit in whole["hits"]]


def test_an_answer_with_everything(engine: TestClient) -> None:
    answer = search(
        engine,
        query="Aurora doctoral",
        explain=True,
        facets=["levels", "availability", "provider", "languages", "currency", "host_countries", "fields"],
        profile={"nationality": "KE", "level": "phd", "birth_year": 1999},
    )
    first = answer["hits"][0]
    assert (first["id"], first["rank"], first["availability"]) == ("aurora-doctoral", 1, "open")
    assert first["eligibility"]["verdict"] == "eligible"
    assert first["scores"]["bm25"] > 0
    assert first["scores"]["rerank"] is None
    assert first["why"]
    assert [facet["field"] for facet in answer["facets"]][:2] == ["levels", "availability"]


def test_what_only_the_engine_knows_is_refused_by_it(engine: TestClient) -> None:
    for body, pointer in (
        ({"query": "grant", "system": "nope"}, "/system"),
        ({"query": "grant", "min_score": {"scale": "rerank", "value": 0}}, "/min_score/scale"),
    ):
        response = engine.post("/v1/search", json=body)
        assert response.status_code == 422
        assert [fault["pointer"] for fault in response.json()["errors"]] == [pointer]


def test_records_completions_and_version(engine: TestClient) -> None:
    for document in programmes():
        assert engine.get(f"/v1/opportunities/{document.doc_id}").json() == to_record(document)
    assert engine.get("/v1/opportunities/nope").status_code == 404
    suggestions = engine.get("/v1/suggest", params={"q": "aurora", "limit": 3}).json()["suggestions"]
    assert {entry["text"] for entry in suggestions} >= {"Aurora Doctoral Fellowship", "Aurora PhD Award"}
    version = engine.get("/v1/version").json()
    assert version["encoder"].startswith("hashing")
    assert version["fingerprint"] == search(engine, query="grant")["served"]["fingerprint"]
