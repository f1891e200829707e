"""The OpenAPI document against the service, and bodies of every shape: nothing is ever a 500."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    negative_data_rejection,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from schemathesis.python.asgi import get_client
from starlette.testclient import TestClient

from app.api.schemas.search_request import SearchRequest
from app.main import keep_feedback

from .conftest import fake_app, when_ready

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]


@pytest.fixture(scope="module")
def openapi(tmp_path_factory: pytest.TempPathFactory) -> Any:
    home = tmp_path_factory.mktemp("home")
    keys = {"write_key": KEY, "feedback_key": KEY}
    app = fake_app(**keys, home=home, open_feedback=keep_feedback)
    return schemathesis.openapi.from_asgi("/openapi.json", app)


KEY = "a-writer"
OPERATIONS = [
    *[
        ("/v1/search", "POST"),
        ("/v1/search", "GET"),
        ("/v1/rerank", "POST"),
        ("/v1/suggest", "GET"),
        ("/v1/opportunities/{doc_id}", "GET"),
    ],
    *[
        ("/v1/opportunities/{doc_id}", "PUT"),
        ("/v1/opportunities/{doc_id}", "DELETE"),
        ("/v1/opportunities:bulk", "POST"),
    ],
    *[
        ("/v1/experiments", "GET"),
        ("/v1/experiments/{key}", "GET"),
        ("/v1/experiments/{key}", "PUT"),
        ("/v1/experiments/{key}/report", "GET"),
        ("/v1/experiments/{key}:stop", "POST"),
    ],
    *[("/v1/feedback", "POST"), ("/v1/feedback:erase", "POST")],
    *[("/v1/precision", "GET"), ("/v1/precision", "PUT")],
    *[("/v1/version", "GET"), ("/healthz", "GET"), ("/readyz", "GET"), ("/metrics", "GET")],
]


def test_every_operation_is_tried(openapi: Any) -> None:
    found = {(each.ok().path, each.ok().method.upper()) for each in openapi.get_all_operations()}
    assert found == set(OPERATIONS)


@pytest.mark.parametrize("mode", GenerationMode, ids=lambda mode: mode.value)
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_what_the_document_says_is_what_happens(
    openapi: Any, path: str, method: str, mode: GenerationMode
) -> None:
    cases = openapi[path][method].as_strategy(generation_mode=mode)

    @settings(max_examples=25, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
    @given(case=cases)
    def conforms(case: Any) -> None:
        case.call_and_validate(session=client, checks=CHECKS, headers={"X-Api-Key": KEY})

    try:
        # One client for all requests: each that starts the service anew may find it still loading.
        with get_client(openapi.app) as client:
            when_ready(client)
            conforms()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE  # an operation that takes nothing has nothing to get wrong


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = sorted(SearchRequest.model_json_schema()["properties"])
FILTER_NAMES = sorted(SearchRequest.model_json_schema()["$defs"]["SearchFilters"]["properties"])
# Right names, wrong values: deeper than noise gets.
NEAR = st.fixed_dictionaries(
    {"query": st.text(max_size=30) | JSON},
    optional={
        **dict.fromkeys([name for name in NAMES if name != "query"], JSON),
        "filters": st.dictionaries(st.sampled_from(FILTER_NAMES), JSON, max_size=4) | JSON,
    },
)
QUIET = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def answered(response: Any) -> None:
    assert response.status_code in {200, 400, 415, 422, 403}, response.text
    body = json.loads(response.content.decode("utf-8"))
    if response.status_code == 200:
        assert body["hits"] is not None
    else:
        assert body["status"] == response.status_code
        assert all(set(fault) == {"pointer", "code", "message"} for fault in body["errors"])


@QUIET
@given(body=NEAR | JSON)
def test_no_value_is_a_server_error(client: TestClient, body: object) -> None:
    answered(client.post("/v1/search", content=json.dumps(body)))


@QUIET
@given(body=st.binary(max_size=200))
def test_no_bytes_are_a_server_error(client: TestClient, body: bytes) -> None:
    response = client.post("/v1/search", content=body)
    answered(response)
    assert response.status_code in {400, 422}


@QUIET
@given(
    params=st.dictionaries(
        st.sampled_from(
            ["q", "as_of", "timezone", "page_size", "cursor", "country", "level", "sort", "x", "facet"]
        ),
        st.text(max_size=20),
        max_size=5,
    )
)
def test_no_query_string_is_a_server_error(client: TestClient, params: dict[str, str]) -> None:
    answered(client.get("/v1/search", params=params))
    assert client.get("/v1/suggest", params=params).status_code in {200, 422}


@QUIET
@given(
    path=st.text(min_size=1, max_size=40), held=st.text(st.characters(max_codepoint=126, min_codepoint=32))
)
def test_no_id_is_a_server_error(client: TestClient, path: str, held: str) -> None:
    response = client.get(f"/v1/opportunities/{quote(path)}", headers={"If-None-Match": held})
    assert response.status_code in {200, 304, 404, 405}  # a guess may be the id of a programme
