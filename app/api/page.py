"""The pages and the files they are made of, served from inside the package.

They run under a policy that forbids inline code and styles, anything from another host, and (where the
browser knows trusted types) turning text into markup at all: whatever a record's title holds, it stays text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from fastapi import APIRouter, Request, Response

from app.errors import NotFound

POLICY = "; ".join(
    (
        "default-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        # Kept by browsers, but asked about each time: modules of two versions must never meet in one page.
        "Cache-Control": "no-cache",
    }
)
# Named here and not guessed: `mimetypes` reads the machine's own tables.
TYPES: Mapping[str, str] = MappingProxyType(
    {
        "html": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml; charset=utf-8",
    }
)
INDEX = "index.html"
EXPERIMENTS = "experiments.html"

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of the page: its bytes, its media type and its entity tag (quotes included)."""

    content: bytes
    media_type: str
    etag: str


@cache
def assets() -> Mapping[str, Asset]:
    """Every file of the page by name, read once, on the first request."""
    found = {}
    for file in files("app").joinpath("page").iterdir():
        suffix = file.name.rpartition(".")[2]
        if suffix in TYPES:
            content = file.read_bytes()
            etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
            found[file.name] = Asset(content, TYPES[suffix], etag)
    return MappingProxyType(found)


def unchanged(etag: str, if_none_match: str | None) -> bool:
    """Whether a caller that holds the versions of `If-None-Match` already has this one (RFC 9110: weakly)."""
    if if_none_match is None:
        return False
    held = re.findall(r'(?:W/)?("[^"]*"|\*)', if_none_match)
    return "*" in held or etag in held


def _respond(asset: Asset, request: Request) -> Response:
    headers = {**HEADERS, "ETag": asset.etag}
    if unchanged(asset.etag, request.headers.get("If-None-Match")):
        return Response(status_code=304, headers=headers)
    return Response(asset.content, media_type=asset.media_type, headers=headers)


@router.get("/")
async def page(request: Request) -> Response:
    """The search page; what is asked stands in its address and is read by the page itself."""
    return _respond(assets()[INDEX], request)


@router.get("/experiments")
async def experiments(request: Request) -> Response:
    """The page of the experiments; it reads them, and changes them with the key, through `/v1/experiments`."""
    return _respond(assets()[EXPERIMENTS], request)


@router.get("/assets/{name}")
async def asset(name: str, request: Request) -> Response:
    """One file of the page. Only the files that lie there have a name, so no path can lead elsewhere."""
    found = assets().get(name)
    if found is None or name in (INDEX, EXPERIMENTS):
        raise NotFound(f"There is no page file of the name {name!r}.")
    return _respond(found, request)
