"""Writing over HTTP: who may, what becomes of each item, entity tags, and bodies of every shape."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.errors import StoreDown
from app.fake import FakeAnswerer
from app.fake_programmes import programmes
from index.record import to_record

from .conftest import MakeClient

KEY = {"X-Api-Key": "a-writer"}
BULK = "/v1/opportunities:bulk"
ONE = "/v1/opportunities/new-award"
RECORD = {"id": "new-award", "title": "Zephyr Grant", "levels": ["phd"]}


@pytest.fixture
def writer(make_client: MakeClient) -> TestClient:
    client = make_client(write_key="a-writer", admin_key="the-boss")
    client.headers.update(KEY)
    return client


def lines(*values: object) -> bytes:
    return "\n".join(json.dumps(value, ensure_ascii=False) for value in values).encode()


def bulk(client: TestClient, body: bytes, **headers: str) -> dict[str, Any]:
    response = client.post(BULK, content=body, headers=headers)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def found(client: TestClient, query: str) -> list[str]:
    return [hit["id"] for hit in client.post("/v1/search", json={"query": query}).json()["hits"]]


CALLS = [("PUT", ONE), ("DELETE", "/v1/opportunities/cinder-prize"), ("POST", BULK)]


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_only_a_writer_writes(make_client: MakeClient, method: str, path: str) -> None:
    body = json.dumps([RECORD] if path == BULK else RECORD)
    unset = make_client().request(method, path, content=body, headers=KEY)
    assert (unset.status_code, unset.json()["type"]) == (403, "/docs#forbidden")
    assert "SCHOLARSEARCH_WRITE_KEY" in unset.json()["detail"]
    guarded = make_client(write_key="a-writer", admin_key="the-boss")
    wrong: list[dict[str, str]] = [{}, {"X-Api-Key": "a-writeR"}, {"Authorization": "Basic a-writer"}]
    for headers in wrong:
        assert guarded.request(method, path, content=body, headers=headers).status_code == 403
    assert guarded.get("/v1/opportunities/cinder-prize").status_code == 200
    assert found(guarded, "Zephyr") == []
    for headers in ({"Authorization": "Bearer a-writer"}, {"X-Api-Key": "the-boss"}):
        accepted = make_client(write_key="a-writer", admin_key="the-boss")
        assert accepted.request(method, path, content=body, headers=headers).status_code in (200, 201)


def test_a_record_is_stored_changed_and_deleted(writer: TestClient) -> None:
    created = writer.put(ONE, json=RECORD)
    assert (created.status_code, created.json()["status"]) == (201, "created")
    assert created.json()["searchable"] is True
    assert found(writer, "Zephyr") == ["new-award"]
    held = writer.get(ONE)
    assert created.headers["etag"] == held.headers["etag"]
    same = writer.put(ONE, json={key: value for key, value in RECORD.items() if key != "id"})
    assert (same.status_code, same.json()["status"]) == (200, "unchanged")
    assert same.json()["sequence"] == created.json()["sequence"]
    changed = writer.put(ONE, json={**RECORD, "title": "Zephyr Prize"})
    assert (changed.status_code, changed.json()["status"]) == (200, "updated")
    assert changed.headers["etag"] == writer.get(ONE).headers["etag"] != held.headers["etag"]
    assert writer.delete(ONE).json()["status"] == "deleted"
    assert (writer.get(ONE).status_code, writer.delete(ONE).status_code) == (404, 404)
    assert found(writer, "Zephyr") == []


def test_an_entity_tag_keeps_writers_from_undoing_one_another(writer: TestClient) -> None:
    tag = writer.put(ONE, json=RECORD, headers={"If-None-Match": "*"}).headers["etag"]
    stale = {"If-Match": '"0123"'}
    for refused in (
        writer.put(ONE, json={**RECORD, "title": "x"}, headers={"If-None-Match": "*"}),
        writer.put(ONE, json={**RECORD, "title": "x"}, headers=stale),
        writer.put(ONE, json={**RECORD, "title": "x"}, headers={"If-Match": f"W/{tag}"}),
        writer.put("/v1/opportunities/other", json={"title": "x"}, headers={"If-Match": "*"}),
        writer.delete(ONE, headers=stale),
    ):
        assert (refused.status_code, refused.json()["type"]) == (412, "/docs#precondition-failed")
    assert writer.get(ONE).json()["title"] == "Zephyr Grant"
    assert writer.put(ONE, json={**RECORD, "title": "y"}, headers={"If-Match": tag}).status_code == 200
    assert writer.put(ONE, json={**RECORD, "title": "z"}, headers={"If-Match": tag}).status_code == 412
    assert writer.delete(ONE, headers={"If-Match": "*"}).status_code == 200


def test_bad_items_do_not_stop_good_ones(writer: TestClient) -> None:
    body = b"\n".join(
        (
            lines({"id": "a-1", "title": "Zephyr one", "windows": []}),
            b"  ",
            lines({"id": "a-2", "title": "Zephyr two", "windows": [{"deadline_on": "2026-02-30"}]}),
            lines({"id": "a 3", "title": "x"}),
            b'{"id": "a-4", "title": "x"',
            b"7",
            lines({"id": "a-5", "title": "\x00"}, {"id": "a-6", "title": "x", "colour": 1}),
            lines({"id": "a-7", "title": "Zephyr seven", "deadline": "2026-12-01"}),
            lines(
                {"delete": "cinder-prize"}, {"delete": "never-was"}, {"delete": 5}, {"delete": "x", "id": "x"}
            ),
        )
    )
    answer = bulk(writer, body)
    told = [(item["id"], item["status"], [e["pointer"] for e in item["errors"]]) for item in answer["items"]]
    assert told == [
        ("a-1", "created", []),
        ("a-2", "rejected", ["/windows/0/deadline_on"]),
        ("a 3", "rejected", ["/id"]),
        (None, "rejected", [""]),
        (None, "rejected", [""]),
        (None, "rejected", ["/title"]),
        ("a-6", "rejected", ["/colour"]),
        ("a-7", "created", []),
        ("cinder-prize", "deleted", []),
        ("never-was", "unchanged", []),
        (None, "rejected", ["/delete"]),
        (None, "rejected", ["/delete"]),
    ]
    assert [item["index"] for item in answer["items"]] == list(range(12))
    assert answer["counts"] == {"created": 2, "deleted": 1, "unchanged": 1, "rejected": 8}
    assert found(writer, "Zephyr") == ["a-1", "a-7"]
    deadline = writer.get("/v1/opportunities/a-7").json()["windows"][0]["deadline_on"]
    assert deadline == "2026-12-01"
    metrics = writer.get("/metrics").text
    assert 'scholarsearch_writes_total{status="created"} 2.0' in metrics
    assert 'scholarsearch_writes_total{status="rejected"} 8.0' in metrics


def test_every_form_of_a_body_says_the_same(writer: TestClient) -> None:
    records = [to_record(document) for document in programmes()]
    array, packed = json.dumps(records).encode(), gzip.compress(lines(*records))
    created = bulk(writer, lines(*({**record, "title": "New"} for record in records)))
    assert created["counts"] == {"updated": len(records)}
    assert bulk(writer, array)["counts"] == {"updated": len(records)}
    for body, headers in (
        (array, {"Content-Type": "application/json"}),
        (b"\xef\xbb\xbf" + lines(*records), {"Content-Type": "application/x-ndjson"}),
        (lines(*records).replace(b"\n", b"\r\n\r\n"), {"Content-Type": "application/jsonl"}),
        (packed, {"Content-Encoding": "gzip", "Content-Type": "application/x-ndjson"}),
        (gzip.compress(array[:100]) + gzip.compress(array[100:]), {"Content-Encoding": "gzip"}),
    ):
        again = bulk(writer, body, **headers)
        assert again["counts"] == {"unchanged": len(records)}
        assert again["sequence"] == bulk(writer, array)["sequence"]


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"", {}, 400),
        (b"[1, 2", {}, 400),
        (b'{"id": "a", "title": "x"}', {"Content-Type": "application/json"}, 422),
        (b"\xff\xfe", {}, 400),
        (b"{}", {"Content-Type": "text/csv"}, 415),
        (b"{}", {"Content-Encoding": "br"}, 415),
        (b"not gzip", {"Content-Encoding": "gzip"}, 400),
        (gzip.compress(b"[]")[:-4], {"Content-Encoding": "gzip"}, 400),
        (gzip.compress(b" " * 10_000_000), {"Content-Encoding": "gzip"}, 413),
        (b" " * 100_001, {}, 413),
        (b'{"delete":"x"}\n' * 20_001, {"Content-Encoding": "identity"}, 413),
    ],
    ids=str,
)
def test_a_body_that_cannot_be_read_is_refused_whole(
    make_client: MakeClient, body: bytes, headers: dict[str, str], status: int
) -> None:
    client = make_client(write_key="a-writer", bulk_limit_bytes=100_000)
    before = client.get("/readyz").json()["sequence"]
    assert client.post(BULK, content=body, headers={**KEY, **headers}).status_code == status
    assert client.get("/readyz").json()["sequence"] == before


def test_too_many_items_are_refused(writer: TestClient) -> None:
    refused = writer.post(BULK, content=b'{"delete":"x"}\n' * 20_001)
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "too-long")


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        (ONE, {"id": "other", "title": "x"}, "/id"),
        (ONE, {"title": " "}, "/title"),
        (ONE, {"title": "x", "levels": ["phd", "doctor"]}, "/levels/1"),
        (ONE, {"title": "x", "translations": {"de": {"title": ""}}}, "/translations/de/title"),
        (ONE, {"delete": "new-award"}, "/delete"),
        ("/v1/opportunities/%E9%AB%98", {"title": "x"}, "/id"),
        (f"{ONE}?wait_ms=-1", {"title": "x"}, "/wait_ms"),
        (f"{ONE}?wait=1", {"title": "x"}, "/wait"),
    ],
)
def test_a_wrong_field_is_named(writer: TestClient, path: str, body: dict[str, Any], pointer: str) -> None:
    refused = writer.put(path, json=body)
    assert refused.status_code == 422, refused.text
    assert [fault["pointer"] for fault in refused.json()["errors"]] == [pointer]


class Broken(FakeAnswerer):
    """A fake whose store is down."""

    def write(self, *_: object) -> Any:
        raise StoreDown("The store takes no writes now.", retry_after_s=5)


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_a_store_that_is_down_is_said_and_searches_go_on(
    make_client: MakeClient, method: str, path: str
) -> None:
    client = make_client(lambda _: Broken(), write_key="a-writer")
    body = json.dumps([RECORD] if path == BULK else RECORD)
    refused = client.request(method, path, content=body, headers=KEY)
    assert (refused.status_code, refused.json()["type"]) == (503, "/docs#store-down")
    assert refused.headers["retry-after"] == "5"
    assert found(client, "cinder") == ["cinder-prize"]
    # Nothing to store, nothing to refuse.
    assert client.post(BULK, content=b"[7]", headers=KEY).json()["counts"] == {"rejected": 1}
