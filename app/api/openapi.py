"""The OpenAPI document: what the framework derives, with bodies we parse ourselves and problems added."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from app.errors import PROBLEMS, ServiceError

from .problems import MEDIA_TYPE
from .schemas.experiment import ExperimentBody, StopBody
from .schemas.feedback import EraseBody, FeedbackBody
from .schemas.lookup import Problem
from .schemas.precision import PrecisionBody
from .schemas.rerank import RerankRequest
from .schemas.search_request import SearchRequest

_TEMPLATE = "#/components/schemas/{model}"
_BODIES: tuple[type[BaseModel], ...] = (
    *(ExperimentBody, StopBody),
    *(SearchRequest, RerankRequest, FeedbackBody, EraseBody, PrecisionBody, Problem),
)

Responses = dict[int | str, dict[str, Any]]


def refusals(*errors: type[ServiceError]) -> Responses:
    """The responses of a route that may refuse in these ways."""
    found: Responses = {}
    for error in errors:
        kind = PROBLEMS[error]
        known = found.get(kind.status)
        described = f"{known['description']}, or `{kind.slug}`" if known else f"{kind.title}: `{kind.slug}`"
        found[kind.status] = {
            "description": described,
            "content": {MEDIA_TYPE: {"schema": {"$ref": _TEMPLATE.format(model="Problem")}}},
        }
        if kind.status in (429, 503):
            found[kind.status]["headers"] = {
                "Retry-After": {
                    "description": "Seconds to wait.",
                    "schema": {"type": "integer", "minimum": 1},
                }
            }
    return found


def json_body(model: type[BaseModel], example: dict[str, Any]) -> dict[str, Any]:
    """The part of a route's description that says what its body is."""
    schema = {"$ref": _TEMPLATE.format(model=model.__name__)}
    return {
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schema, "example": example}},
        }
    }


class DescribedApp(FastAPI):
    """An application whose document also holds the models that the framework does not see."""

    def openapi(self) -> dict[str, Any]:
        """The document; made once."""
        if self.openapi_schema is None:
            document = super().openapi()
            _, extra = models_json_schema(
                [(model, "validation") for model in _BODIES], ref_template=_TEMPLATE
            )
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            for name, schema in extra["$defs"].items():
                schemas.setdefault(name, schema)
            _drop_framework_errors(document)
            self.openapi_schema = document
        return self.openapi_schema


def _drop_framework_errors(document: dict[str, Any]) -> None:
    """Nothing; takes out the error model that the framework puts beside every parameter and we never send."""
    schemas = document["components"]["schemas"]
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    for methods in document["paths"].values():
        for operation in methods.values():
            refused = operation["responses"].get("422", {}).get("content", {})
            if "application/json" in refused:
                del operation["responses"]["422"]
