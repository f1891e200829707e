"""`/v1/experiments/{key}/report` over HTTP: what the answers said is what the report counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.call import SearchCall
from app.errors import InvalidRequest
from app.fake import open_fake
from app.main import keep_feedback

from .conftest import MakeClient, fake_app, when_ready

ADMIN = {"X-Api-Key": "boss"}
BODY: dict[str, Any] = {
    "arms": [{"name": "control", "weight": 50}, {"name": "deep", "weight": 50, "overrides": {"depth": 500}}],
    "primary": "ctr@1",
    "effect": 0.05,
    "guardrails": {"latency_p95_ms": 1000, "error": None},
}
REPORT = "/v1/experiments/deeper/report"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = fake_app(open_feedback=keep_feedback, home=tmp_path, admin_key="boss")
    with TestClient(app, raise_server_exceptions=False) as started:
        made = when_ready(started)
        assert made.put("/v1/experiments/deeper", json=BODY, headers=ADMIN).status_code == 200
        yield made


def drain(client: TestClient) -> None:
    client.app.state.runtime.feedback.drain.drain()  # type: ignore[attr-defined]


def test_a_report_counts_what_the_answers_said(client: TestClient) -> None:
    arms: Counter[str] = Counter()
    clicked: Counter[str] = Counter()
    for person in range(24):
        sent = {"query": "scholarship", "unit_id": f"person {person}"}
        answer = client.post("/v1/search", json=sent).json()
        [arm] = answer["experiments"]
        arms[arm["variant"]] += 1
        if person % 4 == 0:
            clicked[arm["variant"]] += 1
            event = {"event_id": f"e{person}", "query_id": answer["query_id"], "type": "click"}
            client.post("/v1/feedback", json={"events": [event | {"doc_id": answer["hits"][0]["id"]}]})
    client.post("/v1/search", json={"query": "scholarship"})  # a stranger
    drain(client)
    told = client.get(REPORT)
    assert told.status_code == 200, told.text
    report = told.json()
    assert {arm["name"]: arm["units"] for arm in report["arms"]} == dict(arms)
    assert (report["key"], report["version"], report["primary"]) == ("deeper", 1, "ctr@1")
    [primary] = [metric for metric in report["metrics"] if metric["name"] == "ctr@1"]
    assert primary["effect"] == 0.05
    for name, count in arms.items():
        assert primary["arms"][name]["value"] == pytest.approx(clicked[name] / count)
    assert {one["name"]: one["tolerance"] for one in report["guardrails"]} == {
        "p95 latency_ms": 1000,
        "zero_result": 0.01,
    }
    assert report["verdict"]["kind"] == "open"
    assert told.headers["cache-control"] == "no-store"


def test_versions_have_reports_of_their_own(client: TestClient) -> None:
    uneven = [{**BODY["arms"][0], "weight": 90}, {**BODY["arms"][1], "weight": 10}]
    client.put("/v1/experiments/deeper", json={**BODY, "arms": uneven}, headers=ADMIN)
    assert client.get(REPORT).json()["version"] == 2
    first = client.get(REPORT, params={"version": 1}).json()
    assert (first["version"], first["ended_at"] is not None) == (1, True)
    assert client.get(REPORT, params={"version": 3}).status_code == 404
    assert client.get(REPORT, params={"version": 0}).status_code == 422
    assert client.get("/v1/experiments/none/report").status_code == 404


def test_another_measure_is_another_version_and_another_tolerance_is_not(client: TestClient) -> None:
    def version(**change: Any) -> int:
        answer = client.put("/v1/experiments/deeper", json={**BODY, **change}, headers=ADMIN)
        assert answer.status_code == 200, answer.text
        return int(answer.json()["version"])

    assert version(guardrails={"error": 0.1}) == 1
    assert version(guardrails={"error": 0.1}, effect=0.02) == 2
    assert version(guardrails={"error": 0.1}, effect=0.02, primary="zero_click") == 3


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"primary": "mrr@5"}, "/primary"),
        ({"effect": 0}, "/effect"),
        ({"guardrails": {"speed": 1}}, "/guardrails/speed"),
        ({"guardrails": {"error": -1}}, "/guardrails/error"),
    ],
)
def test_a_measure_that_cannot_be_is_refused_by_name(
    client: TestClient, change: dict[str, Any], pointer: str
) -> None:
    answer = client.put("/v1/experiments/deeper", json={**BODY, **change}, headers=ADMIN)
    assert answer.status_code == 422
    assert [fault["pointer"] for fault in answer.json()["errors"]] == [pointer]


def test_without_feedback_or_with_one_arm_there_is_none(make_client: MakeClient, client: TestClient) -> None:
    plain = make_client(admin_key="boss")
    plain.put("/v1/experiments/deeper", json=BODY, headers=ADMIN)
    answer = plain.get(REPORT)
    assert answer.status_code == 404
    assert "SCHOLARSEARCH_FEEDBACK" in answer.json()["detail"]
    client.put("/v1/experiments/lone", json={"arms": [{"name": "all", "weight": 100}]}, headers=ADMIN)
    answer = client.get("/v1/experiments/lone/report")
    assert answer.status_code == 404
    assert "one arm" in answer.json()["detail"]


def test_a_failure_is_counted_against_its_arm_and_a_wrong_request_is_not(tmp_path: Path) -> None:
    mood: list[Exception] = []

    def opened(*args: Any) -> Any:
        answerer = open_fake(*args)
        search = answerer.search

        def moody(call: SearchCall) -> Any:
            if mood:
                raise mood[0]
            return search(call)

        answerer.search = moody  # type: ignore[method-assign]
        return answerer

    app = fake_app(opened, open_feedback=keep_feedback, home=tmp_path, admin_key="boss")
    with TestClient(app, raise_server_exceptions=False) as started:
        client = when_ready(started)
        client.put("/v1/experiments/deeper", json={**BODY, "guardrails": {}}, headers=ADMIN)
        sent = {"query": "scholarship", "unit_id": "somebody"}
        [arm] = client.post("/v1/search", json=sent).json()["experiments"]
        mood[:] = [RuntimeError("a fault of ours")]
        assert client.post("/v1/search", json=sent).status_code == 500
        assert client.post("/v1/search", json={"query": "a stranger's"}).status_code == 500
        mood[:] = [InvalidRequest()]
        assert client.post("/v1/search", json=sent).status_code == 422
        drain(client)
        report = client.get(REPORT).json()
    assert {one["name"]: (one["units"], one["searches"]) for one in report["arms"]}[arm["variant"]] == (1, 2)
    [errors] = [metric for metric in report["metrics"] if metric["name"] == "error"]
    assert errors["arms"][arm["variant"]]["value"] == 0.5
    [clicks] = [metric for metric in report["metrics"] if metric["name"] == "zero_click"]
    assert clicks["arms"][arm["variant"]]["value"] == 1.0


def test_the_light_of_the_split_is_on_the_metrics(client: TestClient) -> None:
    client.app.state.runtime.telemetry.analysis.ratios({"deeper": 0.25})  # type: ignore[attr-defined]
    assert 'scholarsearch_srm_p{experiment="deeper"} 0.25' in client.get("/metrics").text
