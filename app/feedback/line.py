"""Lines of a spool file: JSON behind its checksum, so that a torn or altered one is known for what it is."""

from __future__ import annotations

import json
from typing import Any
from zlib import crc32

_CHECK = 9  # eight hex digits and a blank


def line_of(value: object) -> bytes:
    """The line, its end included."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return b"%08x %b\n" % (crc32(text), text)


def value_of(line: bytes) -> Any:  # noqa: ANN401 - JSON
    """What the line holds. Raises ValueError for one that is torn or altered."""
    if not line.endswith(b"\n") or line[_CHECK - 1 : _CHECK] != b" ":
        raise ValueError("a torn line")
    text = line[_CHECK:-1]
    if line[: _CHECK - 1] != b"%08x" % crc32(text):
        raise ValueError("an altered line")
    return json.loads(text.decode("utf-8", "surrogatepass"))
