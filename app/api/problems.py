"""Refusals as RFC 9457 `application/problem+json`, and the handlers that make them out of exceptions."""

from __future__ import annotations

import http
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from app.errors import (
    FRAMEWORK_PROBLEMS,
    PROBLEMS,
    BudgetExhausted,
    Fault,
    InvalidRequest,
    Overloaded,
    ProblemKind,
    ServiceError,
    kind_of,
)
from app.observation import observation_of

MEDIA_TYPE = "application/problem+json"
_MOST_FAULTS = 20
_LONGEST_POINTER = 200
_LONGEST_INSTANCE = 512

# Pydantic's kinds of error, in our closed set of codes; the ones not listed are "invalid".
# Our own checks (`app.api.schemas.vocabulary.refuse`) name their code themselves.
_CODES = {
    "missing": "required",
    "extra_forbidden": "unknown-field",
    "literal_error": "not-allowed",
    "too_long": "too-long",
    "string_too_long": "too-long",
    "too_short": "too-short",
    "string_too_short": "too-short",
    "greater_than": "out-of-range",
    "greater_than_equal": "out-of-range",
    "less_than": "out-of-range",
    "less_than_equal": "out-of-range",
    "finite_number": "out-of-range",
    "model_type": "wrong-type",
    "model_attributes_type": "wrong-type",
    "dict_type": "wrong-type",
}


CODES = frozenset({*_CODES.values(), "invalid", "unwritable-text", "too-deep"})


class ProblemResponse(JSONResponse):
    """One problem document."""

    media_type = MEDIA_TYPE


def problem_response(
    scope: Scope,
    kind: ProblemKind,
    detail: str,
    faults: Iterable[Fault] = (),
    headers: Mapping[str, str] | None = None,
) -> ProblemResponse:
    """The answer that says what is wrong, never why inside."""
    body = {
        "type": f"/docs#{kind.slug}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "instance": quote(scope["path"], errors="replace")[:_LONGEST_INSTANCE],
        "request_id": observation_of(scope).request_id,
        "errors": [
            {"pointer": fault.pointer[:_LONGEST_POINTER], "code": fault.code, "message": fault.message}
            for fault in list(faults)[:_MOST_FAULTS]
        ],
    }
    return ProblemResponse(body, kind.status, {"Cache-Control": "no-store", **(headers or {})})


def faults_of(errors: Sequence[Mapping[str, Any]], drop: int = 0) -> tuple[Fault, ...]:
    """Pydantic's errors as ours, without the input; `drop` = leading parts of the location to leave out."""
    return tuple(
        Fault(pointer(_place(error["loc"][drop:])), _code(error["type"]), _sentence(str(error["msg"])))
        for error in errors
    )


def _place(parts: Sequence[str | int]) -> Sequence[str | int]:
    """Where a fault is: pydantic marks one of an object's own names with a part that no pointer has."""
    return parts[:-1] if parts and parts[-1] == "[key]" else parts


def pointer(parts: Iterable[str | int]) -> str:
    """The JSON pointer (RFC 6901) of a location."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def field_pointer(field: str) -> str:
    """The JSON pointer of a record's field as the index names it: `windows[0].opens_on` → `/windows/0/opens_on`."""
    return pointer(part for part in re.split(r"[.\[\]]", field) if part and part != "record")


def _code(kind: str) -> str:
    if kind.endswith(("_type", "_parsing")):
        return "wrong-type"
    return kind if kind in CODES else _CODES.get(kind, "invalid")


def _sentence(message: str) -> str:
    return message.removeprefix("Value error, ").replace("Input should", "must")


async def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, ServiceError):
        raise error
    if isinstance(error, Overloaded | BudgetExhausted):
        observation_of(request.scope).rejected = error.reason
    headers = {"Retry-After": str(error.retry_after_s)} if error.retry_after_s is not None else {}
    return problem_response(request.scope, kind_of(error), error.detail, error.faults, headers)


async def _invalid(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    refusal = InvalidRequest(*faults_of(error.errors(), drop=1))
    return problem_response(request.scope, PROBLEMS[InvalidRequest], refusal.detail, refusal.faults)


async def _framework(request: Request, error: Exception) -> Response:
    """The answer to what the framework refuses: no such path, no such method."""
    if not isinstance(error, HTTPException):
        raise error
    status = error.status_code
    kind = FRAMEWORK_PROBLEMS.get(status) or ProblemKind(status, "http", http.HTTPStatus(status).phrase)
    headers = dict(error.headers or {})
    if status == http.HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = _allowed(request)
    return problem_response(request.scope, kind, f"{kind.title}.", (), headers)


def _allowed(request: Request) -> str:
    """Every method the path answers to: routes of one path that differ in method are separate routes."""
    path = getattr(request.scope.get("route"), "path", "")
    described = request.app.openapi()["paths"].get(path, {"get": {}})
    methods = {method.upper() for method in described}
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


def install(app: FastAPI) -> None:
    """Nothing; from here on the app's refusals are problem documents."""
    app.add_exception_handler(ServiceError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _framework)
