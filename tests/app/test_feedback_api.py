"""Exposures and `/v1/feedback` over HTTP: what is logged, what is taken, refused, limited and forgotten."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from app.fake import open_fake
from app.main import keep_feedback
from app.settings import Settings
from app.store import open_store
from app.store.engine import reading
from app.store.tables import EVENTS, EXPOSURE_ARMS, EXPOSURES

from .conftest import NOW, MakeClient, fake_app, when_ready

ADMIN = {"X-Api-Key": "boss"}
ARMS = {"arms": [{"name": "control", "weight": 50}, {"name": "deep", "weight": 50}]}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = fake_app(open_feedback=keep_feedback, home=tmp_path, admin_key="boss", feedback_per_minute=100)
    with TestClient(app, raise_server_exceptions=False) as started:
        yield when_ready(started)


def rows(client: TestClient, home: Path, table: Any) -> list[dict[str, Any]]:
    """What the store holds, once everything has reached it."""
    client.app.state.runtime.feedback.drain.drain()  # type: ignore[attr-defined]
    store = open_store(Settings(home=home))
    try:
        with reading(store.engine) as connection:
            return [dict(row) for row in connection.execute(select(table)).mappings()]
    finally:
        store.close()


def search(client: TestClient, headers: dict[str, str] | None = None, **body: Any) -> dict[str, Any]:
    answer = client.post("/v1/search", json={"query": "scholarship", **body}, headers=headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def send(client: TestClient, *events: dict[str, Any], **headers: str) -> Any:
    return client.post("/v1/feedback", json={"events": list(events)}, headers=headers)


def click(query_id: str, event_id: str = "e1", **facts: Any) -> dict[str, Any]:
    return {"event_id": event_id, "query_id": query_id, "type": "click", "doc_id": "x", **facts}


def metric(client: TestClient, name: str) -> dict[str, float]:
    """Values by the labels' text."""
    text = client.get("/metrics").text
    found = re.findall(rf"^scholarsearch_{name}(?:{{(.*)}})? (\S+)$", text, re.MULTILINE)
    return {labels: float(value) for labels, value in found}


def test_every_answer_is_logged_as_it_was_sent_every_page_by_itself(
    client: TestClient, tmp_path: Path
) -> None:
    first = search(client, query="", page_size=3)
    second = search(client, query="", page_size=3, cursor=first["next_cursor"])
    third = client.get("/v1/search?q=zzzz").json()
    logged = {row["query_id"]: row for row in rows(client, tmp_path, EXPOSURES)}
    assert set(logged) == {first["query_id"], second["query_id"], third["query_id"]}
    for answer, offset in ((first, 0), (second, 3), (third, 0)):
        row = logged[answer["query_id"]]
        assert json.loads(row["hits"]) == [
            [hit["id"], hit["rank"], hit["propensity"], hit["team"]] for hit in answer["hits"]
        ]
        assert (row["offset"], row["total"]) == (offset, answer["total"]["value"])
        assert (row["system"], row["fingerprint"]) == (
            answer["served"]["system"],
            answer["served"]["fingerprint"],
        )
        assert row["at"] == NOW
        assert row["total_ms"] == answer["timings_ms"]["total"]
    assert logged[first["query_id"]]["query_hash"] == logged[second["query_id"]]["query_hash"]
    assert metric(client, "exposures_total") == {'experiment="-",variant="-"': 3.0}


def test_what_was_refused_is_not_logged(client: TestClient, tmp_path: Path) -> None:
    assert client.post("/v1/search", json={"query": "x", "page_size": 0}).status_code == 422
    assert client.post("/v1/search", json={"query": "x", "cursor": "nonsense"}).status_code == 422
    assert rows(client, tmp_path, EXPOSURES) == []


def test_without_consent_no_words_are_kept_and_never_who_somebody_is(
    client: TestClient, tmp_path: Path
) -> None:
    secret = {"query": "scholarship for Quuxians", "unit_id": "alice@example.org", "session_id": "visit-77"}
    filters = {"nationality": "CL", "levels": ["phd"], "host_countries": ["NO"]}
    profile = {"nationality": "BO", "gpa": 3.14159}
    search(client, **secret, filters=filters, profile=profile)
    agreed = search(client, **secret, filters=filters, profile=profile, consent=True)
    logged = {row["query_id"]: row for row in rows(client, tmp_path, EXPOSURES)}
    row = logged.pop(agreed["query_id"])
    assert row["text"] == "scholarship for Quuxians"
    assert json.loads(row["filters"]) == {"levels": ["phd"], "host_countries": ["NO"]}
    [other] = logged.values()
    assert (other["text"], other["filters"], other["consent"]) == (None, None, False)
    assert other["unit"] == row["unit"]
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    for trace in (b"alice", b"visit-77", b"3.14159", b'"CL"', b'"BO"'):
        assert trace not in kept
    assert kept.count(b"Quuxians") >= 1


def test_an_answer_is_logged_in_its_arms_and_a_forced_one_in_none(client: TestClient, tmp_path: Path) -> None:
    assert client.put("/v1/experiments/split", json=ARMS, headers=ADMIN).status_code == 200
    by_visit = {**ARMS, "unit": "session"}
    assert client.put("/v1/experiments/visits", json=by_visit, headers=ADMIN).status_code == 200
    answers = [search(client, unit_id=f"u{at}", session_id="s") for at in range(20)]
    search(client, unit_id="u1", arms={"split": "deep"}, headers=ADMIN)
    client.post("/v1/search", json={"query": "x", "system": "words"}, headers=ADMIN)
    arms = rows(client, tmp_path, EXPOSURE_ARMS)
    told = {
        (answer["query_id"], one["key"], one["version"], one["variant"], one["bucket"])
        for answer in answers
        for one in answer["experiments"]
    }
    assert {
        (row["query_id"], row["key"], row["version"], row["variant"], row["bucket"])
        for row in arms
        if row["query_id"] in {answer["query_id"] for answer in answers}
    } == told
    assert len({row["unit"] for row in arms if row["key"] == "split"}) == 20
    assert len({row["unit"] for row in arms if row["key"] == "visits"}) == 1
    exposures = rows(client, tmp_path, EXPOSURES)
    assert sorted(row["flag"] or "" for row in exposures) == [""] * 20 + ["forced"] * 2
    counted = metric(client, "exposures_total")
    for variant in ("control", "deep"):
        own = sum(row["key"] == "split" and row["variant"] == variant for row in arms)
        assert counted[f'experiment="split",variant="{variant}"'] == own > 0


def test_a_robot_is_logged_and_not_counted(client: TestClient, tmp_path: Path) -> None:
    search(client, headers={"User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1)"})
    [row] = rows(client, tmp_path, EXPOSURES)
    assert row["flag"] == "bot"


def test_events_are_taken_once_and_a_contradiction_is_named(client: TestClient, tmp_path: Path) -> None:
    answer = search(client)
    hit = answer["hits"][0]["id"]
    event = click(answer["query_id"], doc_id=hit, rank=1, at="2026-05-01T14:00:01+02:00")
    for status in ("accepted", "known"):
        told = send(client, event)
        assert told.status_code == 202
        assert told.json()["items"] == [{"index": 0, "event_id": "e1", "status": status, "errors": []}]
    told = send(client, {**event, "rank": 2}, click(answer["query_id"], "e2", doc_id="not shown"))
    assert told.status_code == 202
    assert told.json()["counts"] == {"refused": 1, "accepted": 1}
    assert told.json()["items"][0]["errors"][0]["code"] == "contradicted"
    found = {row["event_id"]: row for row in rows(client, tmp_path, EVENTS)}
    assert (found["e1"]["shown_rank"], found["e1"]["flag"], found["e1"]["rank"]) == (1, None, 1)
    assert found["e2"]["flag"] == "unshown"
    counted = {'status="accepted"': 2.0, 'status="known"': 1.0, 'status="contradicted"': 1.0}
    assert metric(client, "feedback_events_total") == counted


def test_clicks_are_shown_on_the_metrics(client: TestClient, tmp_path: Path) -> None:
    answers = [search(client, query="", unit_id=f"u{at}") for at in range(4)]
    second = answers[0]["hits"][1]["id"]
    send(client, click(answers[0]["query_id"], doc_id=second))
    rows(client, tmp_path, EXPOSURES)
    client.app.state.runtime.feedback.chores.do()  # type: ignore[attr-defined]
    everybody = 'experiment="-",variant="-"'
    assert metric(client, "click_searches") == {everybody: 4.0}
    assert metric(client, "click_mrr5") == {everybody: 0.125}
    assert metric(client, "ctr1") == {everybody: 0.0}
    assert metric(client, "ctr5") == {everybody: 0.25}
    assert metric(client, "zero_click_rate") == {everybody: 0.75}


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"type": "tap"}, "/events/0/type", "not-allowed"),
        ({"event_id": ""}, "/events/0/event_id", "too-short"),
        ({"event_id": "x" * 129}, "/events/0/event_id", "too-long"),
        ({"query_id": 7}, "/events/0/query_id", "wrong-type"),
        ({"rank": 0}, "/events/0/rank", "out-of-range"),
        ({"rank": "1"}, "/events/0/rank", "wrong-type"),
        ({"doc_id": None}, "/events/0", "required"),
        ({"dwell_ms": 5}, "/events/0", "not-allowed"),
        ({"type": "dwell"}, "/events/0", "required"),
        ({"type": "dwell", "dwell_ms": -1}, "/events/0/dwell_ms", "out-of-range"),
        ({"type": "dwell", "dwell_ms": 1e3}, "/events/0/dwell_ms", "wrong-type"),
        ({"at": "2026-05-01"}, "/events/0/at", "invalid"),
        ({"at": "2026-05-01T10:00:00"}, "/events/0/at", "invalid"),
        ({"at": "yesterday"}, "/events/0/at", "invalid"),
        ({"at": "0001-01-01T00:00:00Z"}, "/events/0/at", "invalid"),
        ({"at": "9999-12-31T23:59:59-12:00"}, "/events/0/at", "invalid"),
        ({"ip": "10.0.0.1"}, "/events/0/ip", "unknown-field"),
        ({"event_id": "\x00"}, "/events/0/event_id", "unwritable-text"),
    ],
)
def test_what_is_wrong_with_an_event_is_named(
    client: TestClient, change: dict[str, Any], pointer: str, code: str
) -> None:
    answer = send(client, {**click("q"), **change})
    assert answer.status_code == 422, answer.text
    assert (pointer, code) in [(one["pointer"], one["code"]) for one in answer.json()["errors"]]


def test_a_batch_has_a_first_and_a_last_event(client: TestClient) -> None:
    assert send(client).status_code == 422
    many = [click("q", f"e{at}") for at in range(201)]
    answer = send(client, *many)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["code"] == "too-long"
    assert send(client, *many[:200], **ADMIN).status_code == 202


def test_an_address_without_the_key_may_send_so_much(client: TestClient) -> None:
    assert send(client, *[click("q", f"e{at}") for at in range(100)]).status_code == 202
    refused = send(client, *[click("q", f"f{at}") for at in range(10)])
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 6
    assert metric(client, "rejected_total") == {'reason="feedback-rate"': 1.0}
    assert send(client, *[click("q", f"g{at}") for at in range(200)], **ADMIN).status_code == 202


def test_an_operator_may_ask_for_the_key_or_keep_nothing(make_client: MakeClient, tmp_path: Path) -> None:
    closed = make_client(
        open_fake, open_feedback=keep_feedback, home=tmp_path, feedback_key="f", feedback_open=False
    )
    assert send(closed, click("q")).status_code == 403
    assert send(closed, click("q"), **{"X-Api-Key": "wrong"}).status_code == 403
    assert send(closed, click("q"), Authorization="Bearer f").status_code == 202
    nothing = make_client(open_fake, open_feedback=keep_feedback, home=tmp_path / "none", feedback=False)
    search(nothing)
    assert send(nothing, click("q")).status_code == 403
    assert not (tmp_path / "none").exists()


def test_one_person_is_forgotten_by_the_administrator_alone(client: TestClient, tmp_path: Path) -> None:
    mine = search(client, unit_id="me")
    search(client, unit_id="you")
    send(client, click(mine["query_id"], doc_id=mine["hits"][0]["id"]))
    assert len(rows(client, tmp_path, EXPOSURES)) == 2
    assert client.post("/v1/feedback:erase", json={"unit_id": "me"}).status_code == 403
    told = client.post("/v1/feedback:erase", json={"unit_id": "me"}, headers=ADMIN)
    assert told.json() == {"searches": 1, "events": 1}
    assert len(rows(client, tmp_path, EXPOSURES)) == 1
    assert rows(client, tmp_path, EVENTS) == []


def test_a_full_disk_costs_the_log_and_no_search_and_promises_nothing(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = search(client, unit_id="before")
    with monkeypatch.context() as patch:
        patch.setattr("app.feedback.spool.os.write", _no_room)
        assert search(client)["hits"]
        refused = send(client, click(before["query_id"]))
        assert refused.status_code == 503
        assert refused.headers["Retry-After"] == "5"
        assert metric(client, "exposures_lost_total") == {'reason="error"': 1.0}
    assert send(client, click(before["query_id"])).json()["counts"] == {"accepted": 1}
    assert [row["query_id"] for row in rows(client, tmp_path, EXPOSURES)] == [before["query_id"]]


def _no_room(_handle: int, _data: bytes) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_home_in_which_no_key_can_be_made_costs_the_log_and_no_search(
    make_client: MakeClient, tmp_path: Path
) -> None:
    (tmp_path / "feedback").write_text("in the way")
    client = make_client(open_fake, open_feedback=keep_feedback, home=tmp_path)
    assert search(client)["hits"]
    assert metric(client, "exposures_lost_total") == {'reason="error"': 1.0}


def test_the_key_of_ids_is_made_once_or_given(tmp_path: Path) -> None:
    units = []
    for settings in ({}, {}, {"feedback_hash_key": "one"}, {"feedback_hash_key": "one"}):
        app = fake_app(open_feedback=keep_feedback, home=tmp_path, **settings)
        with TestClient(app) as client:
            answer = search(when_ready(client), unit_id="me")
            [row] = [
                row for row in rows(client, tmp_path, EXPOSURES) if row["query_id"] == answer["query_id"]
            ]
            units.append(row["unit"])
    assert units[0] == units[1] != units[2] == units[3]
    key = tmp_path / "feedback" / "key"
    assert key.stat().st_mode & 0o777 == 0o600
