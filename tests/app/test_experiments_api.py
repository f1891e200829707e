"""`/v1/experiments` over the fake engine: making, changing, stopping, and what an answer says of them."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

ADMIN = {"X-Api-Key": "boss"}
BODY: dict[str, Any] = {
    "arms": [{"name": "control", "weight": 50}, {"name": "deep", "weight": 50, "overrides": {"depth": 500}}]
}


@pytest.fixture
def client(make_client: Any) -> TestClient:
    made: TestClient = make_client(admin_key="boss")
    return made


def put(client: TestClient, key: str = "deeper", body: object = None, **headers: str) -> Any:
    return client.put(
        f"/v1/experiments/{key}", json=BODY if body is None else body, headers={**ADMIN, **headers}
    )


def faults(answer: Any) -> list[tuple[str, str]]:
    assert answer.status_code == 422, answer.text
    return [(fault["pointer"], fault["code"]) for fault in answer.json()["errors"]]


def test_an_experiment_is_made_shown_and_listed(client: TestClient) -> None:
    assert client.get("/v1/experiments").json() == {"experiments": []}
    made = put(client)
    assert made.status_code == 200
    shown = client.get("/v1/experiments/deeper")
    assert shown.json() == made.json()
    assert shown.headers["etag"] == made.headers["etag"]
    assert (made.json()["version"], made.json()["state"], made.json()["coverage"]) == (1, "running", 100.0)
    assert (made.json()["layer"], made.json()["salt"]) == ("deeper", "deeper")
    assert client.get("/v1/experiments").json() == {"experiments": [made.json()]}


def test_reading_is_free_and_writing_is_not(client: TestClient) -> None:
    put(client)
    for key in ({}, {"X-Api-Key": "wrong"}):
        assert client.put("/v1/experiments/deeper", json=BODY, headers=key).status_code == 403
        assert client.post("/v1/experiments/deeper:stop", json={}, headers=key).status_code == 403
    assert client.get("/v1/experiments/none").status_code == 404


def test_coverage_and_words_stay_in_the_version_and_weights_do_not(client: TestClient) -> None:
    put(client, body={**BODY, "coverage": 20})
    assert put(client, body={**BODY, "coverage": 60, "description": "more"}).json()["version"] == 1
    uneven = [{**BODY["arms"][0], "weight": 90}, {**BODY["arms"][1], "weight": 10}]
    assert put(client, body={"arms": uneven, "coverage": 60}).json()["version"] == 2
    assert put(client, body={"arms": uneven, "coverage": 60, "salt": "other"}).json()["version"] == 3
    assert put(client, body={"arms": uneven, "coverage": 60, "salt": "other"}).json()["version"] == 3
    stopped = client.post("/v1/experiments/deeper:stop", json={"reason": "slow"}, headers=ADMIN).json()
    assert (stopped["state"], stopped["stop_reason"], stopped["version"]) == ("stopped", "slow", 3)
    again = client.post("/v1/experiments/deeper:stop", json={"reason": "other"}, headers=ADMIN).json()
    assert again["stop_reason"] == "slow"
    assert put(client, body={"arms": uneven, "coverage": 60, "salt": "other"}).json()["version"] == 4


def test_preconditions(client: TestClient) -> None:
    first = put(client, **{"If-None-Match": "*"})
    assert first.status_code == 200
    assert put(client, **{"If-None-Match": "*"}).status_code == 412
    changed = put(client, body={**BODY, "coverage": 10}, **{"If-Match": first.headers["etag"]})
    assert changed.status_code == 200
    assert put(client, **{"If-Match": first.headers["etag"]}).status_code == 412
    assert client.get("/v1/experiments/deeper").json()["coverage"] == 10


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"arms": [{"name": "a", "weight": 50}]}, "/arms"),
        ({"arms": [{"name": "a", "weight": 50}, {"name": "a", "weight": 50}]}, "/arms"),
        ({"arms": []}, "/arms"),
        ({"arms": [{"name": "a", "weight": 99.999}, {"name": "b", "weight": 0.01}]}, "/arms/0/weight"),
        ({"arms": [{"name": "a", "weight": 101}]}, "/arms/0/weight"),
        ({"arms": [{"name": "a", "weight": -1}, {"name": "b", "weight": 100}]}, "/arms/0/weight"),
        ({"arms": [{"name": "a b", "weight": 100}]}, "/arms/0/name"),
        ({"arms": [{"name": "a", "weight": 100, "system": "none"}]}, "/arms/0/system"),
        ({"arms": [{"name": "a", "weight": 100, "overrides": {"nope": 1}}]}, "/arms/0/overrides/nope"),
        ({"arms": [{"name": "a", "weight": 100, "overrides": {"depth": 0}}]}, "/arms/0/overrides/depth"),
        ({"arms": [{"name": "a", "weight": 100, "overrides": {"depth": True}}]}, "/arms/0/overrides/depth"),
        ({"arms": [{"name": "a", "weight": 100, "overrides": {"depth": "1"}}]}, "/arms/0/overrides/depth"),
        (
            {"arms": [{"name": "a", "weight": 100, "overrides": {"explore": "swap", "interleave": "bm25"}}]},
            "/arms/0/overrides",
        ),
        (
            {"arms": [{"name": "a", "weight": 100, "overrides": {"rerank.floor": "int2"}}]},
            "/arms/0/overrides/rerank.floor",
        ),
        ({"coverage": 101}, "/coverage"),
        ({"slot": [100, 200], "coverage": 2}, "/coverage"),
        ({"slot": [200, 200]}, "/slot"),
        ({"slot": [0]}, "/slot"),
        ({"unit": "browser"}, "/unit"),
        ({"starts_at": "tomorrow"}, "/starts_at"),
        ({"starts_at": "2026-05-02", "stops_at": "2026-05-01"}, "/stops_at"),
        ({"targeting": {"priorities": ["fast"]}}, "/targeting/priorities/0"),
        ({"weights": [50, 50]}, "/weights"),
    ],
)
def test_what_cannot_be_is_refused_by_name(client: TestClient, change: dict[str, Any], pointer: str) -> None:
    assert [found for found, _ in faults(put(client, body={**BODY, **change}))] == [pointer]
    assert client.get("/v1/experiments").json() == {"experiments": []}


def test_a_key_is_letters_and_digits(client: TestClient) -> None:
    assert faults(put(client, key="-x")) == [("/key", "not-allowed")]
    assert faults(put(client, key="x" * 65)) == [("/key", "not-allowed")]


def test_two_experiments_in_each_others_way(client: TestClient) -> None:
    put(client, body={**BODY, "layer": "rank", "slot": [0, 5000]})
    assert faults(put(client, key="two", body={**BODY, "layer": "rank"})) == [("/slot", "not-allowed")]
    fits = put(client, key="two", body={**BODY, "layer": "rank", "slot": [5000, 10000]})
    assert (fits.status_code, fits.json()["coverage"]) == (200, 50.0)


def search(client: TestClient, **asked: Any) -> Any:
    return client.post("/v1/search", json={"query": "fellowship grant", "page_size": 1, **asked})


def test_an_answer_names_its_experiments(client: TestClient) -> None:
    put(client)
    found = search(client, unit_id="42").json()["experiments"]
    assert found == [{"key": "deeper", "version": 1, "variant": "control", "bucket": 1087, "forced": False}]
    assert search(client).json()["experiments"] == []
    by_get = client.get("/v1/search", params={"q": "fellowship", "unit_id": "42"}).json()["experiments"]
    assert by_get == found
    client.post("/v1/experiments/deeper:stop", json={}, headers=ADMIN)
    assert search(client, unit_id="42").json()["experiments"] == []


def test_only_an_administrator_tries_an_arm(client: TestClient) -> None:
    put(client)
    assert search(client, arms={"deeper": "deep"}).status_code == 403
    asked = {"query": "grant", "arms": {"deeper": "deep"}}
    found = client.post("/v1/search", json=asked, headers=ADMIN).json()["experiments"]
    assert found == [{"key": "deeper", "version": 1, "variant": "deep", "bucket": None, "forced": True}]


def test_pages_of_one_search_are_of_one_arm(client: TestClient) -> None:
    put(client)
    first = search(client, unit_id="42").json()
    following = search(client, unit_id="42", cursor=first["next_cursor"])
    assert following.status_code == 200
    assert following.json()["experiments"] == first["experiments"]
    put(client, body={**BODY, "salt": "another"})
    expired = search(client, unit_id="42", cursor=first["next_cursor"])
    assert (expired.status_code, expired.json()["errors"][0]["code"]) == (409, "cursor-expired")
