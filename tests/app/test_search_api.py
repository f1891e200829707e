"""`/v1/search` from outside: the shape of an answer, its pages, its time, its headers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

ANSWER = {
    *("request_id", "query_id", "query", "as_of", "total", "reachable", "next_cursor", "hits", "facets"),
    *("experiments", "degraded", "served", "timings_ms"),
}
HIT = {
    *(
        "id",
        "rank",
        "title",
        "provider",
        "url",
        "host_countries",
        "levels",
        "fields",
        "amount",
        "availability",
        "sources",
    ),
    *(
        "window",
        "estimate",
        "days_left",
        "eligibility",
        "highlights",
        "scores",
        "matched_by",
        "truncated",
        "propensity",
        "team",
        "why",
    ),
}


def search(client: TestClient, query: str = "", **rest: Any) -> dict[str, Any]:
    response = client.post("/v1/search", json={"query": query, **rest})
    assert response.status_code == 200, response.text
    return response.json()


def ids(answer: dict[str, Any]) -> list[str]:
    return [hit["id"] for hit in answer["hits"]]


def test_the_shape_is_the_documented_one_with_nulls_explicit(client: TestClient) -> None:
    answer = search(client, "cinder", facets=["levels"])
    assert set(answer) == ANSWER
    (hit,) = answer["hits"]
    assert set(hit) == HIT
    assert (
        hit["provider"] is hit["amount"] is hit["host_countries"] is hit["window"] is hit["days_left"] is None
    )
    assert hit["scores"] == {"bm25": 1.0, "dense": None, "fused": None, "rerank": None}
    assert hit["rank"] == 1
    assert answer["total"] == {"value": 1, "relation": "eq"}
    assert answer["facets"] == [{"field": "levels", "counts": [{"value": None, "count": 1}]}]
    assert answer["as_of"] == "2026-05-01T12:00:00+00:00"


def test_curl_without_a_content_type_works(client: TestClient) -> None:
    response = client.post(
        "/v1/search",
        content=b'{"query":"NSF GRFP"}',
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    assert response.status_code == 200
    assert response.json()["query"]["raw"] == "NSF GRFP"


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "application/ld+json", None],
)
def test_json_types_are_read(client: TestClient, content_type: str | None) -> None:
    headers = {"content-type": content_type} if content_type else {}
    response = client.post("/v1/search", content=b'{"query":""}', headers=headers)
    assert response.status_code == 200, response.text


@pytest.mark.parametrize(
    ("params", "body"),
    [
        ({"q": "grant"}, {"query": "grant"}),
        ({}, {"query": ""}),
        (
            {"q": "", "country": ["de", "US"], "level": "phd", "unknown": "exclude"},
            {
                "query": "",
                "filters": {"host_countries": ["DE", "US"], "levels": ["phd"], "unknown": "exclude"},
            },
        ),
        (
            {
                "deadline_from": "2026-05-01",
                "deadline_to": "2026-06-30",
                "as_of": "2026-04-01",
                "sort": "-deadline",
            },
            {
                "query": "",
                "filters": {"deadline": {"from": "2026-05-01", "to": "2026-06-30"}},
                "as_of": "2026-04-01",
                "sort": ["-deadline"],
            },
        ),
        (
            {"availability": ["open", "rolling"], "page_size": "2", "facet": "levels", "explain": "true"},
            {
                "query": "",
                "filters": {"availability": ["open", "rolling"]},
                "page_size": 2,
                "facets": ["levels"],
                "explain": True,
            },
        ),
    ],
)
def test_get_is_the_same_search(client: TestClient, params: dict[str, Any], body: dict[str, Any]) -> None:
    by_query_string = client.get("/v1/search", params=params)
    assert by_query_string.status_code == 200, by_query_string.text
    left, right = by_query_string.json(), client.post("/v1/search", json=body).json()
    for answer in (left, right):
        for own in ("request_id", "query_id", "timings_ms"):
            del answer[own]
    assert left == right


@pytest.mark.parametrize("page_size", [1, 2, 4, 9, 10])
@pytest.mark.parametrize("sort", [[], ["deadline"], ["-amount", "title"]])
def test_pages_partition_the_ranking(client: TestClient, page_size: int, sort: list[str]) -> None:
    whole = search(client, sort=sort, page_size=50)
    seen, totals, cursor = [], set(), None
    for _ in range(20):
        page = search(client, sort=sort, page_size=page_size, **({"cursor": cursor} if cursor else {}))
        seen += [(hit["rank"], hit["id"]) for hit in page["hits"]]
        totals.add(page["total"]["value"])
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == list(enumerate(ids(whole), 1))
    assert totals == {9}


def test_an_altered_cursor_is_invalid(client: TestClient) -> None:
    cursor = search(client, page_size=2)["next_cursor"]
    altered = cursor[:-2] + ("A" if cursor[-2] != "A" else "B") + cursor[-1]
    refused = client.post("/v1/search", json={"query": "", "page_size": 2, "cursor": altered})
    assert refused.status_code == 422
    assert refused.json()["type"].endswith("cursor-invalid")
    assert refused.json()["errors"][0]["pointer"] == "/cursor"


@pytest.mark.parametrize(
    "other",
    [
        {"query": "grant"},
        {"query": "", "filters": {"levels": ["phd"]}},
        {"query": "", "sort": ["title"]},
        {"query": "", "as_of": "2026-05-02"},
        {"query": "", "profile": {"level": "phd"}},
    ],
)
def test_a_cursor_of_another_search_is_invalid(client: TestClient, other: dict[str, Any]) -> None:
    cursor = search(client, page_size=2)["next_cursor"]
    refused = client.post("/v1/search", json={**other, "cursor": cursor})
    assert (refused.status_code, refused.json()["type"]) == (422, "/docs#cursor-invalid")


def test_a_cursor_keeps_its_instant_when_the_clock_moves_on(client: TestClient) -> None:
    first = search(client, page_size=2, as_of="2026-04-30")
    second = search(client, page_size=2, cursor=first["next_cursor"])
    assert second["as_of"] == first["as_of"]


def test_the_deadline_day_is_still_open_and_the_next_is_not(client: TestClient) -> None:
    def state(as_of: str) -> str:
        return search(client, "gaoshan", as_of=as_of, timezone="Asia/Shanghai")["hits"][0]["availability"]

    assert [state(day) for day in ("2026-01-31", "2026-02-01", "2026-05-01", "2026-05-02")] == [
        "upcoming",
        "open",
        "open",
        "closed",
    ]


def test_an_instant_is_taken_to_the_minute(client: TestClient) -> None:
    def state(as_of: str, timezone: str = "UTC") -> str:
        return search(client, "harbour", as_of=as_of, timezone=timezone)["hits"][0]["availability"]

    # Closes at 12:00 in the last place on earth: midnight UTC.
    assert state("2026-05-01T23:59:00Z") == "open"
    assert state("2026-05-02T00:01:00Z") == "closed"
    assert state("2026-05-02T01:59:00+02:00") == "open"
    assert state("2026-05-02T01:59", "Europe/Berlin") == "open"
    assert state("2026-05-02T02:01", "Europe/Berlin") == "closed"


def test_eligibility_is_there_when_the_asker_says_who_they_are(client: TestClient) -> None:
    def verdict(**rest: Any) -> Any:
        eligibility = search(client, "baobab", **rest)["hits"][0]["eligibility"]
        return eligibility and eligibility["verdict"]

    assert verdict() is None
    assert verdict(profile={"nationality": "de"}) == "ineligible"
    assert verdict(profile={"nationality": "KE"}) == "eligible"
    assert verdict(filters={"nationality": "KE"}) == "eligible"


def test_null_means_not_given(client: TestClient) -> None:
    nulls = dict.fromkeys(
        ["as_of", "timezone", "filters", "facets", "sort", "page_size", "rerank", "budget_ms"]
    )
    assert ids(search(client, "grant", **nulls)) == ids(search(client, "grant"))
    assert ids(search(client, filters={"levels": None, "deadline": None})) == ids(search(client))


def test_explanations_on_demand(client: TestClient) -> None:
    assert search(client, "aurora")["hits"][0]["why"] is None
    assert search(client, "aurora", explain=True)["hits"][0]["why"] == ["holds 1 of the words"]


def test_a_search_without_hits_is_an_answer(client: TestClient) -> None:
    answer = search(client, "zzqx")
    assert (answer["hits"], answer["total"]["value"], answer["next_cursor"]) == ([], 0, None)


def test_markup_in_a_title_stays_text(client: TestClient) -> None:
    response = client.get("/v1/search", params={"q": "iris"})
    assert response.headers["content-type"] == "application/json"
    assert response.json()["hits"][0]["title"] == 'Iris <b>Research</b> & "Travel" Fund'


@pytest.mark.parametrize(
    "text", ["奖学金", "CSC奖学金2026", "naïve café", "🎓", "a" * 512, "ﷺ" * 28, "' OR 1=1 --"]
)
def test_any_script_is_a_query(client: TestClient, text: str) -> None:
    assert search(client, text)["query"]["raw"] == text


def test_server_timing_lists_the_stages_and_ends_with_the_total(client: TestClient) -> None:
    response = client.get("/v1/search", params={"q": "grant"})
    stages = [part.split(";dur=") for part in response.headers["server-timing"].split(", ")]
    assert [name for name, _ in stages] == ["queue", "parse", "lexical", "serialise", "expose", "total"]
    assert all(float(duration) >= 0 for _, duration in stages)
    timings = response.json()["timings_ms"]
    assert list(timings) == ["queue", "parse", "lexical", "total"]
    assert timings["total"] == pytest.approx(0.3 + timings["queue"])


def test_the_same_request_id_in_header_and_answer(client: TestClient) -> None:
    response = client.get("/v1/search", params={"q": "grant"}, headers={"X-Request-Id": "mine-1"})
    assert response.headers["x-request-id"] == response.json()["request_id"] == "mine-1"


@pytest.mark.parametrize(
    "body",
    [
        {"query": "", "profile": {"nationality": "DE"}},
        {"query": "", "profile": {}},
        {"query": "", "filters": {"nationality": "DE"}},
        {"query": "", "profile": {"nationality": "XX"}},
        {"query": "", "profile": 3},
    ],
)
def test_nothing_about_the_asker_is_kept(client: TestClient, body: dict[str, Any]) -> None:
    assert client.post("/v1/search", json=body).headers["cache-control"] == "no-store"
    assert client.post("/v1/search", json={"query": ""}).headers["cache-control"] == "no-cache"


def test_numbers_are_plain_and_finite(client: TestClient) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(name)

    json.loads(
        client.post("/v1/search", json={"query": "grant", "explain": True}).text, parse_constant=refuse
    )
