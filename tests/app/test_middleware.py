"""What surrounds every answer: ids, traces, safety headers, metrics with closed labels, and a discreet log."""

from __future__ import annotations

import logging
import random
import re
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from app.telemetry import STAGES

TRACE = "0af7651916cd43dd8448eb211c80319c"
PATHS = [
    "/healthz",
    "/readyz",
    "/metrics",
    "/docs",
    "/",
    "/openapi.json",
    "/v1/search",
    "/v1/version",
    "/nope",
]


def series(client: TestClient) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    text = client.get("/metrics").text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_carries_the_common_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert re.fullmatch("[0-9a-f]{32}", headers["x-request-id"])
    assert re.fullmatch("00-[0-9a-f]{32}-[0-9a-f]{16}-01", headers["traceresponse"])
    assert re.search(r"total;dur=\d+(\.\d+)?$", headers["server-timing"])
    assert headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("given", ["abc", "A-1._z", "x" * 128])
def test_a_sane_request_id_is_echoed(client: TestClient, given: str) -> None:
    assert client.get("/nope", headers={"X-Request-Id": given}).headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", "a b", "x" * 129, "<script>", "a;b", "a/b", "é"])
def test_any_other_is_replaced(client: TestClient, given: str) -> None:
    made = client.get("/nope", headers={b"X-Request-Id": given.encode()}).headers["x-request-id"]
    assert re.fullmatch("[0-9a-f]{32}", made)


def test_the_callers_trace_goes_on(client: TestClient) -> None:
    parent = f"00-{TRACE}-b7ad6b7169203331-00"
    answers = [
        client.get("/healthz", headers={"traceparent": parent}).headers["traceresponse"] for _ in range(2)
    ]
    for answer in answers:
        assert re.fullmatch(f"00-{TRACE}-(?!b7ad6b7169203331)[0-9a-f]{{16}}-00", answer)
    assert answers[0] != answers[1]


@pytest.mark.parametrize(
    "path", ["/healthz", "/v1/search", "/v1/opportunities/cinder-prize", "/docs", "/", "/metrics"]
)
def test_head_is_get_without_the_body(client: TestClient, path: str) -> None:
    head, get = client.head(path), client.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == get.headers["content-type"]


def test_cors_is_off_by_default_and_names_its_origins(make_client: Any) -> None:
    client = make_client(cors_origins=("https://site.example",))
    friend = client.get("/v1/search", headers={"Origin": "https://site.example"})
    assert friend.headers["access-control-allow-origin"] == "https://site.example"
    assert friend.headers["timing-allow-origin"] == "https://site.example"
    assert "Server-Timing" in friend.headers["access-control-expose-headers"]
    stranger = client.get("/v1/search", headers={"Origin": "https://evil.example"})
    assert "access-control-allow-origin" not in stranger.headers
    assert "timing-allow-origin" not in stranger.headers
    asked = {"Origin": "https://site.example", "Access-Control-Request-Method": "POST"}
    preflight = client.options(
        "/v1/search", headers={**asked, "Access-Control-Request-Headers": "content-type"}
    )
    assert preflight.status_code == 200
    refusal = client.post("/v1/search", content="{", headers={"Origin": "https://site.example"})
    assert refusal.status_code == 400
    assert refusal.headers["access-control-allow-origin"] == "https://site.example"


def test_any_origin_may_be_allowed(make_client: Any) -> None:
    headers = (
        make_client(cors_origins=("*",)).get("/healthz", headers={"Origin": "https://a.example"}).headers
    )
    assert headers["access-control-allow-origin"] == "*"
    assert headers["timing-allow-origin"] == "https://a.example"


def test_strange_paths_and_methods_make_no_series(make_client: Any) -> None:
    client, chance = make_client(), random.Random(7)
    client.get("/nope")
    client.request("BREW", "/v1/search")
    client.get("/v1/opportunities/nope")
    before = set(series(client))
    for _ in range(1000):
        word = "".join(chance.choices("abcdefghij/._~%20é", k=chance.randint(1, 30)))
        assert client.get(f"/x{word}").status_code == 404
    for _ in range(50):
        method = "".join(chance.choices("ABCDEFGH", k=8))
        assert client.request(method, "/v1/search").status_code == 405
        assert client.get(f"/v1/opportunities/{method}").status_code == 404
    after = series(client)
    # The first reading itself has been counted since.
    assert set(after) - before <= {key for key in after if ("route", "/metrics") in key[1]}
    assert after["scholarsearch_requests_total", (("route", "unmatched"), ("status", "404"))] == 1001
    assert after["scholarsearch_requests_total", (("route", "/v1/search"), ("status", "405"))] == 51


def test_what_a_search_leaves_in_the_metrics(make_client: Any) -> None:
    client = make_client()
    for _ in range(3):
        client.get("/v1/search", params={"q": "grant"})
    found = series(client)
    assert found["scholarsearch_requests_total", (("route", "/v1/search"), ("status", "200"))] == 3
    for stage in ("queue", "parse", "lexical", "serialise", "total"):
        assert found["scholarsearch_stage_seconds_count", (("stage", stage),)] == 3
    assert found["scholarsearch_snapshot_info", (("fingerprint", "fake-1"),)] == 1
    for priority in ("realtime", "batch", "debug"):
        assert found["scholarsearch_queue_depth", (("priority", priority),)] == 0
    assert found["process_resident_memory_bytes", ()] > 0
    assert {
        dict(labels)["stage"] for name, labels in found if name == "scholarsearch_stage_seconds_sum"
    } <= STAGES


def test_two_applications_count_apart(make_client: Any) -> None:
    first, second = make_client(), make_client()
    first.get("/nope")
    key = ("scholarsearch_requests_total", (("route", "unmatched"), ("status", "404")))
    assert key in series(first)
    assert key not in series(second)


def test_metrics_speak_openmetrics_when_asked(client: TestClient) -> None:
    answer = client.get("/metrics", headers={"Accept": "application/openmetrics-text; version=1.0.0"})
    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    assert answer.text.endswith("# EOF\n")
    assert client.get("/metrics").headers["content-type"].startswith("text/plain")


def test_the_access_log_holds_no_search_and_no_asker(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "scholarsearch.access"):
        client.get("/v1/search", params={"q": "private matter", "nationality": "DE"})
        client.post(
            "/v1/search?private",
            json={"query": "private matter", "unit_id": "private", "profile": {"gender": "private"}},
        )
        client.get("/v1/opportunities/private")
        client.request("PRIVATE", "/private")
    lines = [vars(record) for record in caplog.records if record.name == "scholarsearch.access"]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("GET", "/v1/search", 200),
        ("POST", "/v1/search", 200),
        ("GET", "/v1/opportunities/{doc_id}", 404),
        ("other", "unmatched", 404),
    ]
    assert "private" not in str(lines).lower()
    assert all(line["elapsed_ms"] >= 0 and line["request_id"] and line["trace_id"] for line in lines)
