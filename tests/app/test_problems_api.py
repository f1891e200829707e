"""Refusals from outside: one status and one stable name for each kind, in one form, hiding the inside."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.call import SearchCall
from app.errors import FRAMEWORK_PROBLEMS, PROBLEMS, BudgetExhausted, ServiceError, kind_of
from app.fake import FakeAnswerer
from app.settings import Settings
from index.errors import SnapshotError

KEYS = {"type", "title", "status", "detail", "instance", "request_id", "errors"}


def problem(response: Any, status: int, slug: str) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["cache-control"] == "no-store"
    body: dict[str, Any] = response.json()
    assert set(body) == KEYS
    assert body["status"] == status
    assert body["type"] == f"/docs#{slug}"
    assert body["request_id"] == response.headers["x-request-id"]
    return body


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("{", "line 1 column 2"),
        ('{"query": "a"\n"b"}', "line 2 column 1"),
        ("{'query': 1}", "line 1 column 2"),
        ('{"query": "a"} x', "Extra data"),
        ('{"query": "a", "query": "b"}', "twice"),
        ('{"query": "", "filters": {"levels": [], "levels": []}}', "twice"),
        ('{"query": NaN}', "NaN"),
        ('{"query": "", "budget_ms": -Infinity}', "-Infinity"),
        ("[" * 60_000, "nested"),
        ('{"query": ' + "9" * 5_000 + "}", "number"),
        (b'{"query": "\xff"}', "byte 11"),
        ('{"query": ""}'.encode("utf-16"), "UTF-8"),
    ],
)
def test_malformed_json_says_where(client: TestClient, content: str | bytes, words: str) -> None:
    body = problem(client.post("/v1/search", content=content), 400, "malformed-json")
    assert words in body["detail"]


@pytest.mark.parametrize("content", ["[]", '"x"', "3", "null", "true"])
def test_a_value_that_is_no_object_is_refused(client: TestClient, content: str) -> None:
    body = problem(client.post("/v1/search", content=content), 422, "invalid-request")
    assert body["errors"] == [{"pointer": "", "code": "wrong-type", "message": "must be a JSON object"}]


@pytest.mark.parametrize(("depth", "status"), [(20, 422), (40, 422), (900, 422), (30_000, 400)])
def test_nesting_is_bounded(client: TestClient, depth: int, status: int) -> None:
    content = '{"query": ' + "[" * depth + "]" * depth + "}"
    response = client.post("/v1/search", content=content)
    assert response.status_code == status
    assert ("too-deep" in response.text) == (status == 422 and depth > 32)


def test_a_byte_order_mark_is_no_error(client: TestClient) -> None:
    assert client.post("/v1/search", content=b'\xef\xbb\xbf{"query": ""}').status_code == 200


@pytest.mark.parametrize(
    "content_type", ["text/xml", "multipart/form-data; boundary=x", "text/plain", "x", "", "/"]
)
def test_other_media_types(client: TestClient, content_type: str) -> None:
    response = client.post("/v1/search", content=b'{"query": ""}', headers={"content-type": content_type})
    problem(response, 415, "unsupported-media-type")


def test_a_body_over_the_limit(client: TestClient) -> None:
    fits = '{"query": "", "unit_id": "u"' + " " * (65_536 - 29) + "}"
    assert len(fits) == 65_536
    assert client.post("/v1/search", content=fits).status_code == 200
    problem(client.post("/v1/search", content=fits + " "), 413, "body-too-large")
    # Without an announced length, and with one that lies about being a number.
    pieces = iter([b'{"query": "', b"a" * 65_536, b'"}'])
    problem(client.post("/v1/search", content=pieces), 413, "body-too-large")


@pytest.mark.parametrize("length", ["9" * 5_000, "65537"])
def test_an_announced_length_over_the_limit(client: TestClient, length: str) -> None:
    response = client.post("/v1/search", content=b"{}", headers={"content-length": length})
    problem(response, 413, "body-too-large")


@pytest.mark.parametrize(
    "path", ["/nope", "/v1", "/v1/search/", "/v1/opportunities/", "/v1/opportunities/a/b", "/é"]
)
def test_no_such_path(client: TestClient, path: str) -> None:
    body = problem(client.get(path, params={"q": "secret"}), 404, "not-found")
    assert "secret" not in str(body)
    assert body["instance"].isascii()


def test_a_method_that_does_not_apply_names_those_that_do(client: TestClient) -> None:
    methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "BREW"]
    for path in ("/v1/search", "/v1/suggest", "/v1/opportunities/x", "/healthz", "/metrics", "/docs", "/"):
        answers = {method: client.request(method, path) for method in methods}
        refused = {method for method, answer in answers.items() if answer.status_code == 405}
        assert {"PATCH", "BREW"} <= refused
        for method in refused:
            if method != "HEAD":
                problem(answers[method], 405, "method-not-allowed")
            allowed = set(answers[method].headers["allow"].split(", "))
            assert allowed == set(methods) - refused, (path, method)


def test_only_an_administrator_chooses_the_system(make_client: Any) -> None:
    client = make_client(admin_key="let-me-in")
    body = {"query": "grant", "system": "words"}
    problem(client.post("/v1/search", json=body), 403, "forbidden")
    problem(client.get("/v1/search", params={"q": "x", "system": "words"}), 403, "forbidden")
    for headers in (
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic let-me-in"},
        {"X-Api-Key": ""},
    ):
        problem(client.post("/v1/search", json=body, headers=headers), 403, "forbidden")
    for headers in ({"Authorization": "Bearer let-me-in"}, {"authorization": "bearer let-me-in"}):
        assert client.post("/v1/search", json=body, headers=headers).status_code == 200
    admin = {"X-Api-Key": "let-me-in"}
    assert client.post("/v1/search", json=body, headers=admin).json()["served"]["system"] == "words"
    unknown = problem(
        client.post("/v1/search", json={**body, "system": "nope"}, headers=admin), 422, "invalid-request"
    )
    assert unknown["errors"] == [
        {"pointer": "/system", "code": "not-allowed", "message": "must be one of: words"}
    ]


def test_nobody_is_administrator_without_a_key_but_debug_lets_all_choose(make_client: Any) -> None:
    body = {"query": "grant", "system": "words"}
    for key in ("", "None", "**********"):
        headers = {"X-Api-Key": key}
        problem(make_client().post("/v1/search", json=body, headers=headers), 403, "forbidden")
    assert make_client(debug=True).post("/v1/search", json=body).status_code == 200


class Broken(FakeAnswerer):
    """Fails in every call, with words that are nobody's business."""

    def search(self, call: SearchCall) -> Mapping[str, Any]:
        raise RuntimeError("the password is hunter2")

    def opportunity(self, doc_id: str) -> Mapping[str, Any] | None:
        raise KeyError("hunter2")


def test_an_unexpected_error_is_logged_and_not_told(
    make_client: Any, caplog: pytest.LogCaptureFixture
) -> None:
    client = make_client(lambda _: Broken())
    for path in ("/v1/search?q=x", "/v1/opportunities/x"):
        response = client.get(path)
        body = problem(response, 500, "internal")
        assert "hunter2" not in response.text
        logged = next(record for record in caplog.records if record.levelname == "ERROR")
        assert logged.exc_info is not None
        assert logged.request_id == body["request_id"]  # type: ignore[attr-defined]
        assert body["request_id"] in body["detail"]
        caplog.clear()
    assert client.get("/healthz").status_code == 200


class NotFinite(FakeAnswerer):
    """Scores that no JSON can hold."""

    def search(self, call: SearchCall) -> Mapping[str, Any]:
        answer = dict(super().search(call))
        answer["hits"] = [{**hit, "scores": {"bm25": float("nan")}} for hit in answer["hits"]]
        return answer


def test_a_score_that_is_no_number_never_leaves(make_client: Any) -> None:
    problem(make_client(lambda _: NotFinite()).get("/v1/search"), 500, "internal")


def test_an_engine_that_cannot_be_opened_says_which_part(make_client: Any) -> None:
    def damaged(_: Settings) -> FakeAnswerer:
        raise SnapshotError("snapshot 3f2a: dense.npy is missing")

    def leaking(_: Settings) -> FakeAnswerer:
        raise RuntimeError("hunter2")

    for open_answerer, words in ((damaged, "dense.npy is missing"), (leaking, "see the log")):
        client = make_client(open_answerer, ready=False)
        for _ in range(2000):
            response = client.get("/readyz")
            if "could not be opened" in response.text:
                break
        body = problem(response, 503, "not-ready")
        assert words in body["errors"][0]["message"]
        assert "hunter2" not in response.text
        assert int(response.headers["retry-after"]) > 0
        problem(client.post("/v1/search", json={"query": ""}), 503, "not-ready")
        assert client.get("/healthz").json() == {"status": "ok"}


class Missing(FakeAnswerer):
    """Open, but not ready."""

    def ready(self) -> tuple[bool, list[str]]:
        return False, ["the encoder failed its self-test", "no records"]


def test_readiness_lists_what_is_missing(make_client: Any) -> None:
    client = make_client(lambda _: Missing(), ready=False)
    body = problem(client.get("/readyz"), 503, "not-ready")
    while "being loaded" in body["detail"]:
        body = problem(client.get("/readyz"), 503, "not-ready")
    assert [fault["message"] for fault in body["errors"]] == [
        "the encoder failed its self-test",
        "no records",
    ]


def test_every_kind_of_refusal_has_its_row_and_its_place_in_the_docs(client: TestClient) -> None:
    kinds = [ServiceError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    for kind in kinds:
        assert kind_of(kind.__new__(kind)) in PROBLEMS.values()
    page = client.get("/docs").text
    named = {kind.slug for kind in (*PROBLEMS.values(), *FRAMEWORK_PROBLEMS.values())}
    assert set(re.findall(r'<tr id="([a-z-]+)">', page)) == named
    assert kind_of(BudgetExhausted("late")).status == 504
