"""A page as a hash of its words: scripts, styles and markup may change without anything new being said."""

from __future__ import annotations

from hashlib import sha256
from html.parser import HTMLParser

_SILENT = frozenset({"script", "style", "noscript", "template", "svg"})


class _Words(HTMLParser):
    """Gathers the text that a reader sees."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in _SILENT

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _SILENT and self._silent > 0

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data)


def content_hash(body: bytes, content_type: str) -> str:
    """SHA-256 of the words of an HTML page, of the bytes of anything else."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind not in ("text/html", "application/xhtml+xml"):
        return sha256(body).hexdigest()
    words = _Words()
    # Latin-1 reads any bytes, and the same bytes always alike.
    words.feed(body.decode("latin-1"))
    words.close()
    return sha256(" ".join(" ".join(words.parts).split()).encode()).hexdigest()
