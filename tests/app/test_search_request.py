"""What a search request may say: each wrong value is refused with its place, its kind and what would be right."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.api.problems import CODES

WRONG: list[tuple[dict[str, Any], str, str, str]] = [
    ({}, "/query", "required", ""),
    ({"query": None}, "/query", "required", ""),
    ({"query": 3}, "/query", "wrong-type", "string"),
    ({"query": ["a"]}, "/query", "wrong-type", "string"),
    ({"query": "a" * 513}, "/query", "too-long", "512"),
    ({"query": "ﷺ" * 29}, "/query", "too-long", "NFKC"),
    ({"query": "a\x00b"}, "/query", "unwritable-text", "NUL"),
    ({"query": "", "qeury": 1}, "/qeury", "unknown-field", ""),
    ({"query": "", "a/b~c": 1}, "/a~1b~0c", "unknown-field", ""),
    ({"query": "", "filters": []}, "/filters", "wrong-type", ""),
    ({"query": "", "filters": {"level": ["phd"]}}, "/filters/level", "unknown-field", ""),
    ({"query": "", "filters": {"levels": "phd"}}, "/filters/levels", "wrong-type", "list"),
    ({"query": "", "filters": {"levels": ["phd", "dr"]}}, "/filters/levels/1", "not-allowed", "'postdoc'"),
    ({"query": "", "filters": {"levels": [None]}}, "/filters/levels/0", "not-allowed", "'phd'"),
    (
        {"query": "", "filters": {"host_countries": ["DE", "UK"]}},
        "/filters/host_countries/1",
        "not-allowed",
        "use GB",
    ),
    (
        {"query": "", "filters": {"host_countries": ["Germany"]}},
        "/filters/host_countries/0",
        "not-allowed",
        "3166",
    ),
    (
        {"query": "", "filters": {"host_countries": ["ıd"]}},
        "/filters/host_countries/0",
        "not-allowed",
        "3166",
    ),
    ({"query": "", "filters": {"nationality": "ZZ"}}, "/filters/nationality", "not-allowed", "3166"),
    ({"query": "", "filters": {"nationality": ["DE"]}}, "/filters/nationality", "wrong-type", "string"),
    ({"query": "", "filters": {"fields": ["05111"]}}, "/filters/fields/0", "not-allowed", "ISCED"),
    ({"query": "", "filters": {"fields": [" "]}}, "/filters/fields/0", "too-short", "blank"),
    ({"query": "", "filters": {"fields": ["a" * 201]}}, "/filters/fields/0", "too-long", "200"),
    ({"query": "", "filters": {"provider": ""}}, "/filters/provider", "too-short", "blank"),
    (
        {"query": "", "filters": {"languages": ["english language"]}},
        "/filters/languages/0",
        "not-allowed",
        "zh",
    ),
    ({"query": "", "filters": {"min_amount": 100}}, "/filters/min_amount", "wrong-type", ""),
    ({"query": "", "filters": {"min_amount": {"value": 1}}}, "/filters/min_amount/currency", "required", ""),
    (
        {"query": "", "filters": {"min_amount": {"value": -1, "currency": "EUR"}}},
        *("/filters/min_amount/value", "out-of-range", "0"),
    ),
    (
        {"query": "", "filters": {"min_amount": {"value": 1, "currency": "euro"}}},
        *("/filters/min_amount/currency", "not-allowed", "4217"),
    ),
    (
        {"query": "", "filters": {"availability": ["opne"]}},
        "/filters/availability/0",
        "not-allowed",
        "'rolling'",
    ),
    ({"query": "", "filters": {"unknown": "hide"}}, "/filters/unknown", "not-allowed", "'exclude'"),
    (
        {"query": "", "filters": {"deadline": {"from": "2026-02-30"}}},
        "/filters/deadline/from",
        "invalid",
        "exists",
    ),
    ({"query": "", "filters": {"deadline": {"to": "01.02.2026"}}}, "/filters/deadline/to", "invalid", "YYYY"),
    ({"query": "", "filters": {"deadline": {"to": "20260201"}}}, "/filters/deadline/to", "invalid", "YYYY"),
    (
        {"query": "", "filters": {"deadline": {"from": "2026-02-02", "to": "2026-02-01"}}},
        *("/filters/deadline", "out-of-range", "before"),
    ),
    ({"query": "", "as_of": "yesterday"}, "/as_of", "invalid", "2026-05-01"),
    ({"query": "", "as_of": "2026-13-01"}, "/as_of", "invalid", "exists"),
    ({"query": "", "as_of": "2026-05-01T25:00:00Z"}, "/as_of", "invalid", "exists"),
    ({"query": "", "as_of": "0001-01-01"}, "/as_of", "invalid", "1900"),
    ({"query": "", "as_of": "9999-12-31T23:59:59-12:00"}, "/as_of", "invalid", "1900"),
    ({"query": "", "as_of": "2199-12-31T23:59:59-12:00"}, "/as_of", "invalid", "1900"),
    ({"query": "", "as_of": 20260501}, "/as_of", "wrong-type", "string"),
    ({"query": "", "timezone": "Berlin"}, "/timezone", "invalid", "IANA"),
    ({"query": "", "timezone": "../../etc/passwd"}, "/timezone", "invalid", "IANA"),
    ({"query": "", "timezone": "Europe"}, "/timezone", "invalid", "IANA"),
    ({"query": "", "timezone": "AoE"}, "/timezone", "invalid", "IANA"),
    ({"query": "", "timezone": "a" * 65}, "/timezone", "too-long", "64"),
    ({"query": "", "lang": "chinese!"}, "/lang", "not-allowed", "zh"),
    ({"query": "", "profile": {"name": "x"}}, "/profile/name", "unknown-field", ""),
    ({"query": "", "profile": {"birth_year": 200}}, "/profile/birth_year", "out-of-range", "1900"),
    ({"query": "", "profile": {"gpa": "3.9"}}, "/profile/gpa", "wrong-type", "number"),
    ({"query": "", "facets": ["colour"]}, "/facets/0", "not-allowed", "'host_countries'"),
    ({"query": "", "sort": ["newest"]}, "/sort/0", "not-allowed", "'-updated'"),
    ({"query": "", "sort": ["deadline", "-deadline"]}, "/sort", "not-allowed", "twice"),
    ({"query": "", "sort": "deadline"}, "/sort", "wrong-type", "list"),
    ({"query": "", "page_size": 0}, "/page_size", "out-of-range", "1"),
    ({"query": "", "page_size": 51}, "/page_size", "out-of-range", "50"),
    ({"query": "", "page_size": "10"}, "/page_size", "wrong-type", "integer"),
    ({"query": "", "page_size": True}, "/page_size", "wrong-type", "integer"),
    ({"query": "", "page_size": 10**400}, "/page_size", "out-of-range", "50"),
    ({"query": "", "cursor": ""}, "/cursor", "too-short", "1"),
    ({"query": "", "cursor": "not a cursor"}, "/cursor", "cursor-invalid", "not a cursor"),
    ({"query": "", "cursor": "é"}, "/cursor", "cursor-invalid", "not a cursor"),
    ({"query": "", "budget_ms": 0}, "/budget_ms", "out-of-range", "1"),
    ({"query": "", "budget_ms": 60_001}, "/budget_ms", "out-of-range", "60000"),
    ({"query": "", "min_score": 0.2}, "/min_score", "required", "scale"),
    ({"query": "", "min_score": {"value": 0.2}}, "/min_score/scale", "required", ""),
    (
        {"query": "", "min_score": {"scale": "cosine", "value": 1}},
        "/min_score/scale",
        "not-allowed",
        "'fused'",
    ),
    ({"query": "", "rerank": {"depth": 0}}, "/rerank/depth", "out-of-range", "1"),
    ({"query": "", "rerank": True}, "/rerank", "wrong-type", ""),
    ({"query": "", "explain": "yes"}, "/explain", "wrong-type", "boolean"),
    ({"query": "", "priority": "urgent"}, "/priority", "not-allowed", "'realtime'"),
    ({"query": "", "unit_id": "u" * 129}, "/unit_id", "too-long", "128"),
]


@pytest.mark.parametrize(("body", "pointer", "code", "words"), WRONG, ids=lambda value: str(value)[:60])
def test_what_is_wrong_is_named(
    client: TestClient, body: dict[str, Any], pointer: str, code: str, words: str
) -> None:
    response = client.post("/v1/search", json=body)
    problem = response.json()
    assert response.status_code == problem["status"] == 422, problem
    assert response.headers["content-type"] == "application/problem+json"
    (fault,) = problem["errors"]
    assert (fault["pointer"], fault["code"]) == (pointer, code)
    assert words in fault["message"]
    assert code in CODES | {"cursor-invalid"}


@pytest.mark.parametrize(
    ("number", "place"),
    [("1e999", "budget_ms"), ("-1e999", "budget_ms"), ("1" + "0" * 400, "budget_ms"), ("1e999", "page_size")],
)
def test_a_number_without_end_is_refused(client: TestClient, number: str, place: str) -> None:
    response = client.post("/v1/search", content=f'{{"query": "", "{place}": {number}}}')
    assert response.status_code == 422
    assert [fault["pointer"] for fault in response.json()["errors"]] == [f"/{place}"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (r'{"query": "\ud800"}', "/query"),
        (r'{"query": "a\udc00b"}', "/query"),
        (r'{"query": "", "filters": {"provider": "\udfff"}}', "/filters/provider"),
        (r'{"query": "", "filters": {"fields": ["ok", "\u0000"]}}', "/filters/fields/1"),
        (r'{"query": "", "\ud800": 1}', ""),
    ],
)
def test_text_that_cannot_be_written_is_refused_at_once(client: TestClient, body: str, pointer: str) -> None:
    response = client.post("/v1/search", content=body)
    assert response.status_code == 422
    assert [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]] == [
        (pointer, "unwritable-text")
    ]


def test_a_whole_surrogate_pair_is_text(client: TestClient) -> None:
    response = client.post("/v1/search", content=r'{"query": "\ud83c\udf93"}')
    assert response.json()["query"]["raw"] == "🎓"


def test_every_wrong_field_is_named_at_once_but_not_without_end(client: TestClient) -> None:
    body = {"query": 3, "page_size": 0, "sort": ["x"]}
    faults = client.post("/v1/search", json=body).json()["errors"]
    assert {fault["pointer"] for fault in faults} == {"/query", "/page_size", "/sort/0"}
    many = client.post("/v1/search", json={"query": "", "filters": {"host_countries": ["ZZ"] * 200}})
    assert len(many.json()["errors"]) == 20


def test_what_the_asker_said_is_not_repeated(client: TestClient) -> None:
    private = "Zq7-private"
    profile = {
        "nationality": private,
        "gender": private * 20,
        "gpa": private,
        "level": private,
        "fields": [3],
    }
    response = client.post("/v1/search", json={"query": "", "profile": profile})
    assert response.status_code == 422
    assert private not in response.text


@pytest.mark.parametrize(
    "filters",
    [
        {"host_countries": ["de", "Us", "XK"]},
        {"fields": ["05", "0521", "marine biology"]},
        {"languages": ["EN", "zh-Hans"]},
        {"deadline": {"from": "2026-05-01", "to": "2026-05-01"}},
        {"deadline": {}},
        {"min_amount": {"value": 0, "currency": "eur"}},
        {"availability": []},
    ],
)
def test_what_is_right_is_taken(client: TestClient, filters: dict[str, Any]) -> None:
    response = client.post("/v1/search", json={"query": "", "filters": filters})
    assert response.status_code == 200, response.text


@pytest.mark.parametrize(
    ("params", "pointer", "code"),
    [
        ({"level": ["phd", "dr"]}, "/level/1", "not-allowed"),
        ({"country": "UK"}, "/country/0", "not-allowed"),
        ({"page_size": "0"}, "/page_size", "out-of-range"),
        ({"page_size": "ten"}, "/page_size", "wrong-type"),
        ({"query": "x"}, "/query", "unknown-field"),
        ({"q": "a\x00"}, "/q", "unwritable-text"),
        ({"q": "a" * 513}, "/q", "too-long"),
        ({"as_of": "soon"}, "/as_of", "invalid"),
        ({"sort": ["title", "-title"]}, "/sort", "not-allowed"),
        ({"deadline_from": "2026-02-02", "deadline_to": "2026-02-01"}, "/filters/deadline", "out-of-range"),
    ],
)
def test_the_query_string_is_read_as_strictly(
    client: TestClient, params: dict[str, Any], pointer: str, code: str
) -> None:
    response = client.get("/v1/search", params=params)
    assert response.status_code == 422
    assert [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]] == [(pointer, code)]


@pytest.mark.parametrize("raw", ["q=%FF%FE", "q=%", "q=%C3", "q=a;b", "q==&&", "q=%ED%A0%80"])
def test_a_broken_query_string_is_still_a_query(client: TestClient, raw: str) -> None:
    response = client.get(f"/v1/search?{raw}")
    assert response.status_code == 200
    json.loads(response.text.encode())
