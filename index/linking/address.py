"""Web addresses in one spelling, and what two of them say about each other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

# What a link carries for the one who counts clicks, not for the page.
_COUNTED = re.compile(r"utm_.*|fbclid|gclid|mc_[ce]id|ref|lang|locale")
_INDEX = re.compile(r"/(?:index|default|home)(?:\.\w+)?$")


@dataclass(frozen=True, slots=True)
class Address:
    """A page in one spelling. `page` is None for a site's front page, which says little of any one award."""

    site: str
    page: str | None


def address(url: str | None) -> Address | None:
    """The address of `url`, or None where there is none that can be read."""
    if not url:
        return None
    try:
        parts = urlsplit(url.strip().lower())
        host = parts.hostname or ""
    except ValueError:
        return None
    site = host.removeprefix("www.")
    if "." not in site:
        return None
    path = _INDEX.sub("", unquote(parts.path)).rstrip("/")
    asked = sorted(pair for pair in parse_qsl(parts.query) if not _COUNTED.fullmatch(pair[0]))
    query = "&".join(f"{name}={value}" for name, value in asked)
    page = f"{site}{path}?{query}" if query else f"{site}{path}"
    return Address(site, None if page == site else page)
