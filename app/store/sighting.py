"""What was seen of one link. Imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "gone", "error", "unreachable", "disallowed", "refused"]


@dataclass(frozen=True, slots=True)
class Known:
    """What was seen of a link before, so that a server can say "as it was": its validators and the page's hash."""

    etag: str | None = None
    last_modified: str | None = None
    content_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a look at a link has shown.

    state: ok; gone (404 or 410, said to a GET); error (another status, or redirects without end); unreachable;
    disallowed (by robots.txt, or that could not be read); refused (no public web address: never visited).
    final_url: where redirects led; None when there were none. busy: the site asked to be left alone for now.
    content_hash: of the words of the page; None when it was not read.
    """

    state: State
    status: int | None = None
    final_url: str | None = None
    detail: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    content_hash: str | None = None
    busy: bool = False
