"""Addresses that a reader can follow; broken, private and aggregator ones are dropped."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, quote, urlsplit, urlunsplit

_AGGREGATORS = (
    "wemakescholars.com",
    "scholarshipexplore.com",
    "bit.ly",
    "tinyurl.com",
    "forms.gle",
    "docs.google.com",
)
_HOST = re.compile(r"^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$")


def cleaned(url: str | None) -> str | None:
    """The address as ASCII http(s), "safe links" unwrapped; None when it is broken, personal or not the award's."""
    if not url:
        return None
    text = url.strip()
    if re.match(r"^www\.", text, re.I):
        text = "https://" + text
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    host = (parts.hostname or "").lower()
    if host.endswith("safelinks.protection.outlook.com"):
        inner = parse_qs(parts.query).get("url", [""])[0]
        return cleaned(inner) if inner else None
    if parts.scheme.lower() not in ("http", "https") or not _HOST.match(host) or "@" in text:
        return None
    if any(host == bad or host.endswith("." + bad) for bad in _AGGREGATORS) or re.search(r"\s", text):
        return None
    path = parts.path
    # Spell-checked into another language by a source: such a path leads nowhere.
    if re.search(r"[^\x00-\x7f]|%[cC]3%", path):
        return None
    query = quote(parts.query, safe="=&%+-_.~/:;,!*'()@$[]")
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit((parts.scheme.lower(), host + port, path, query, ""))
