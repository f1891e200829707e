"""One record, completions, version and the documentation."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.fake_programmes import programmes
from index.record import parse_record, to_record

PATH = "/v1/opportunities/gaoshan-phd"


@pytest.mark.parametrize("document", programmes(), ids=lambda document: document.doc_id)
def test_a_record_comes_back_whole(client: TestClient, document: Any) -> None:
    record = client.get(f"/v1/opportunities/{document.doc_id}").json()
    assert record == to_record(document)
    assert parse_record(record) == document


def test_an_etag_saves_the_second_transfer(client: TestClient) -> None:
    first = client.get(PATH)
    etag = first.headers["etag"]
    assert re.fullmatch(r'"[0-9a-f]{32}"', etag)
    assert client.get(PATH).headers["etag"] == etag
    assert client.get("/v1/opportunities/cinder-prize").headers["etag"] != etag
    for held in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        again = client.get(PATH, headers={"If-None-Match": held})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    for held in ('"other"', etag.strip('"'), ""):
        assert client.get(PATH, headers={"If-None-Match": held}).status_code == 200


@pytest.mark.parametrize("doc_id", ["nope", "GAOSHAN-PHD", "高山", "a" * 4000, "%00", "%ED%A0%80"])
def test_no_such_record(client: TestClient, doc_id: str) -> None:
    response = client.get(f"/v1/opportunities/{doc_id}")
    assert (response.status_code, response.json()["type"]) == (404, "/docs#not-found")


def test_suggestions(client: TestClient) -> None:
    def texts(**params: Any) -> list[str]:
        return [entry["text"] for entry in client.get("/v1/suggest", params=params).json()["suggestions"]]

    assert texts(q="AURORA") == ["Aurora Doctoral Fellowship", "Aurora PhD Award"]
    assert texts(q="aurora", limit=1) == ["Aurora Doctoral Fellowship"]
    assert texts(q="高山") == ["高山博士奖学金"]
    assert texts(q="") == texts(q="zz") == []
    entry = client.get("/v1/suggest", params={"q": "deg"}).json()["suggestions"]
    assert entry == [{"text": "DEG", "kind": "alias", "id": "delta-rolling"}]


@pytest.mark.parametrize(
    ("params", "pointer"),
    [
        ({}, "/q"),
        ({"q": "a" * 513}, "/q"),
        ({"q": "a", "limit": "21"}, "/limit"),
        ({"q": "a", "k": "1"}, "/k"),
    ],
)
def test_suggestions_refuse(client: TestClient, params: dict[str, str], pointer: str) -> None:
    response = client.get("/v1/suggest", params=params)
    assert response.status_code == 422
    assert [fault["pointer"] for fault in response.json()["errors"]] == [pointer]


def test_version_names_the_parts(client: TestClient) -> None:
    parts = client.get("/v1/version").json()
    assert {
        "version",
        "fingerprint",
        "snapshot",
        "analyzer",
        "encoder",
        "reranker",
        "rungs",
        "config",
    } <= set(parts)
    assert parts["fingerprint"] == client.get("/v1/search").json()["served"]["fingerprint"]


def test_health_and_readiness(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    ready = client.get("/readyz").json()
    assert (ready["status"], ready["store"], ready["since"], ready["lag_s"]) == ("ready", "ok", None, 0.0)


class Page(HTMLParser):
    """The ids, links and tags of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in ("href", "src"):
                self.links.append(value or "")


def test_the_docs_page_is_whole_and_needs_nobody_else(client: TestClient) -> None:
    response = client.get("/docs")
    page = Page(response.text)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert len(set(page.ids)) == len(page.ids)
    assert {link.removeprefix("#") for link in page.links if link.startswith("#")} <= set(page.ids)
    assert {link for link in page.links if not link.startswith("#")} == {"/openapi.json", "/"}
    assert "script" not in page.tags
    for path in client.get("/openapi.json").json()["paths"]:
        assert path in response.text


def test_the_openapi_document_describes_what_is_there(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) == {
        *("/v1/search", "/v1/rerank", "/v1/opportunities/{doc_id}", "/v1/opportunities:bulk"),
        *("/v1/suggest", "/v1/version", "/v1/precision", "/v1/feedback", "/v1/feedback:erase"),
        *("/v1/experiments", "/v1/experiments/{key}", "/v1/experiments/{key}:stop"),
        "/v1/experiments/{key}/report",
        *("/healthz", "/readyz", "/metrics"),
    }
    schemas = document["components"]["schemas"]
    named = set(re.findall(r'#/components/schemas/(\w+)"', client.get("/openapi.json").text))
    assert named <= set(schemas)
    request = document["paths"]["/v1/search"]["post"]["requestBody"]["content"]["application/json"]
    assert client.post("/v1/search", json=request["example"]).status_code == 200
    assert schemas["SearchRequest"]["additionalProperties"] is False
    assert schemas["SearchRequest"]["required"] == ["query"]
