"""`/docs`: the OpenAPI document as one page for people.

No script and nothing from another host, so it works offline and under the strictest policy; every problem's
`type` points into it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.errors import FRAMEWORK_PROBLEMS, PROBLEMS

router = APIRouter(include_in_schema=False)

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
code, pre { font: 0.9em ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 6px; }
section { margin-block: 2rem; border-top: 1px solid; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
th, td { text-align: start; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; }
:target { outline: 3px solid Highlight; }
""".strip()
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
_CODE = re.compile("`([^`]+)`")
_KINDS = sorted({*PROBLEMS.values(), *FRAMEWORK_PROBLEMS.values()}, key=lambda kind: (kind.status, kind.slug))


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The page."""
    page = "".join(render(request.app.openapi()))
    headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-cache"}
    return Response(page, media_type="text/html; charset=utf-8", headers=headers)


def render(document: Mapping[str, Any]) -> Iterator[str]:
    """The page's parts, in order."""
    title = escape(document["info"]["title"])
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield f"<title>{title}: the interface</title>"
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<style>{_STYLE}</style></head><body><main><h1>{title}: the interface</h1>"
    yield f"<p>{_prose(document['info'].get('description', ''))}</p>"
    yield '<p>The same for machines: <a href="/openapi.json">OpenAPI document</a>.'
    yield ' <a href="/">Search page</a>.'
    yield ' <a href="#problems">Problems</a>. <a href="#schemas">Schemas</a>.</p>'
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield from _operation(path, method, operation)
    yield from _problems()
    yield '<section id="schemas"><h2>Schemas</h2>'
    for name, schema in sorted(document.get("components", {}).get("schemas", {}).items()):
        yield f'<h3 id="schema-{escape(name)}">{escape(name)}</h3>{_pre(schema)}'
    yield "</section></main></body></html>"


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"<section><h2><code>{method.upper()} {escape(path)}</code></h2>"
    summary, description = operation.get("summary", ""), operation.get("description", "")
    yield f"<p><strong>{escape(summary)}.</strong> {_prose(description)}</p>"
    parameters = operation.get("parameters", [])
    if parameters:
        rows = [(part["name"], part["in"], _type_of(part["schema"]), _words_of(part)) for part in parameters]
        yield _table(("Parameter", "In", "Type", "Meaning"), rows)
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"<p>Body, <code>{escape(kind)}</code>: {_type_of(content['schema'])}</p>"
        if "example" in content:
            yield _pre(content["example"])
    answers = [
        (status, _answer_type(answer), _prose(answer["description"]))
        for status, answer in sorted(operation["responses"].items())
    ]
    yield _table(("Status", "Answer", "Meaning"), answers) + "</section>"


def _problems() -> Iterator[str]:
    yield '<section id="problems"><h2>Problems</h2><p>Refusals are <code>application/problem+json</code>'
    yield " (RFC 9457); <code>type</code> ends in one of these.</p><table><thead><tr>"
    yield "<th>Type</th><th>Status</th><th>Meaning</th></tr></thead><tbody>"
    for kind in _KINDS:
        yield f'<tr id="{kind.slug}"><td><code>{kind.slug}</code></td><td>{kind.status}</td>'
        yield f"<td>{escape(kind.title)}</td></tr>"
    yield "</tbody></table></section>"


def _type_of(schema: Mapping[str, Any]) -> str:
    """The schema in a few words of markup."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#schema-{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_type_of(part) for part in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type_of(schema.get('items', {}))}"
    return escape(str(schema.get("format") or schema.get("type") or "any"))


def _words_of(parameter: Mapping[str, Any]) -> str:
    schema = parameter["schema"]
    inner: Mapping[str, Any] = next((part for part in schema.get("anyOf", []) if "description" in part), {})
    words = parameter.get("description") or schema.get("description") or inner.get("description", "")
    return _prose(words)


def _answer_type(answer: Mapping[str, Any]) -> str:
    content = answer.get("content", {})
    return ", ".join(
        f"<code>{escape(kind)}</code> {_type_of(part['schema']) if part.get('schema') else ''}"
        for kind, part in content.items()
    )


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table; the cells of `rows` are markup already."""
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _prose(text: str) -> str:
    """The text as markup, with what stands between backquotes as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def _pre(value: object) -> str:
    return f"<pre>{escape(json.dumps(value, indent=1, ensure_ascii=False))}</pre>"
