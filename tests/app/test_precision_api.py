"""`/v1/precision` over HTTP: who may change what, and what is shown of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

KEY = {"X-Api-Key": "root"}


@pytest.fixture
def admin(make_client: Callable[..., TestClient]) -> TestClient:
    return make_client(admin_key="root")


def test_anybody_may_see_where_the_ladder_stands(client: TestClient) -> None:
    shown = client.get("/v1/precision").json()
    assert (shown["mode"], shown["rung"], shown["reason"]) == ("auto", "fp16", "start")
    assert [one["rung"] for one in shown["rungs"]] == ["fp16", "int8", "int4"]
    assert [one["reason"] for one in shown["rungs"]] == ["reference", "passed", "disagrees"]
    assert shown["thresholds"]["grad_norm_std"] == 0.03
    assert shown["thresholds"]["qps_std"] == 12.5
    assert client.get("/v1/precision").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("headers", [{}, {"X-Api-Key": "guess"}])
def test_only_an_administrator_changes_it(admin: TestClient, headers: dict[str, str]) -> None:
    answer = admin.put("/v1/precision", json={"pin": "int8"}, headers=headers)
    assert answer.status_code == 403
    assert admin.get("/v1/precision").json()["rung"] == "fp16"


def test_a_pin_holds_until_it_is_taken_back(admin: TestClient) -> None:
    pinned = admin.put("/v1/precision", json={"pin": "int8"}, headers=KEY)
    assert pinned.status_code == 200
    told = pinned.json()
    assert (told["mode"], told["pin"], told["rung"], told["reason"], told["waiting"]) == (
        *("pin", "int8", "int8", "pin"),
        "pinned",
    )
    text = admin.get("/metrics").text
    assert 'scholarsearch_precision_rung{rung="int8"} 1.0' in text
    assert 'scholarsearch_precision_rung{rung="fp16"} 0.0' in text
    assert 'scholarsearch_precision_switches_total{from="fp16",reason="pin",to="int8"} 1.0' in text
    freed = admin.put("/v1/precision", json={"mode": "auto"}, headers=KEY).json()
    assert (freed["mode"], freed["pin"]) == ("auto", None)


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"pin": "int4"}, "/pin", "not-on-ladder"),
        ({"pin": "int2"}, "/pin", "literal-error"),
        ({"mode": "auto", "pin": "int8"}, "", "value-error"),
        ({}, "", "value-error"),
        ({"mode": "auto", "rung": "int8"}, "/rung", "extra-forbidden"),
    ],
)
def test_what_cannot_be_is_refused_and_named(admin: TestClient, body: Any, pointer: str, code: str) -> None:
    answer = admin.put("/v1/precision", json=body, headers=KEY)
    assert answer.status_code == 422
    fault = answer.json()["errors"][0]
    assert fault["pointer"] == pointer
    assert admin.get("/v1/precision").json()["mode"] == "auto"
    if code == "not-on-ladder":
        assert (fault["code"], "made up" in fault["message"]) == (code, True)


def test_searches_are_counted_and_refusals_are_misses(client: TestClient) -> None:
    ladder = client.app.state.runtime.engine.answerer().ladder  # type: ignore[attr-defined]
    seen: list[tuple[float, bool]] = []
    telemetry = client.app.state.runtime.telemetry  # type: ignore[attr-defined]
    telemetry.watch_searches(lambda elapsed_ms, queue_ms, missed: seen.append((queue_ms, missed)))
    try:
        client.get("/v1/search", params={"q": "grant"})
        client.get("/v1/suggest", params={"q": "gr"})
        client.get("/v1/search", params={"q": "grant", "wrong": 1})
    finally:
        telemetry.watch_searches(ladder.seen)
    assert [missed for _, missed in seen] == [False]
    assert seen[0][0] >= 0.0
