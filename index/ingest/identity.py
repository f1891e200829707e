"""The id of a record that comes from a row: its own where it has one, else made of what does not change."""

from __future__ import annotations

import re
from hashlib import blake2b

_FOREIGN = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST = 128
_PUBLIC = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_TELLING = 8


def source_name(text: str) -> str:
    """A name fit to stand before the colon of an id."""
    return _FOREIGN.sub("-", text).strip("-.").lower()[:40] or "file"


def record_id(source: str, own: str | None, title: str, provider: str | None, url: str | None) -> str:
    """`own`, or `source:own`, or `source:` and a hash of title, provider and address; the same row gives the same id.

    An id that could be anybody's ("12", "a7") gets its source in front; one that tells records apart by itself is
    kept, so that the same record in a renamed file is the same record.
    """
    if own and _tells(own):
        return own
    if own:
        plain = _FOREIGN.sub("-", own).strip("-")
        made = f"{source}:{plain}"
        if plain and len(made) <= _LONGEST and any(map(str.isalnum, plain)):
            return made
        return f"{source}:{_hash(own)}"
    return f"{source}:{_hash(title, provider or '', url or '')}"


def _tells(own: str) -> bool:
    """Whether an id is valid as it stands and more than a number or a short code."""
    if not _PUBLIC.fullmatch(own) or not any(map(str.isalpha, own)):
        return False
    return len(own) >= _TELLING or any(mark in own.strip("-._:") for mark in "-._:")


def public_id(own: str) -> str:
    """`own` with characters that no id may hold made hyphens; too long a one keeps its beginning and a hash."""
    plain = re.sub(r"[^A-Za-z0-9._:-]+", "-", own).strip("-")
    return plain if len(plain) <= _LONGEST else f"{plain[:100]}-{_hash(own)}"


def fingerprint(*parts: str) -> int:
    """A number that two different contents share once in 2^64."""
    return int(_hash(*parts)[:16], 16)


def _hash(*parts: str) -> str:
    return blake2b("\x1f".join(parts).encode(), digest_size=10).hexdigest()
