"""Rows of JSON: one object a line, or a document that holds an array or object of records near its top."""

from __future__ import annotations

import codecs
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, cast

from index.ingest.encoding import detect
from index.ingest.problem import Reject, UnreadableFile

_HEAD = 1 << 16
_LONGEST = 16 << 20
"""A longer line is no record but a file without line breaks; it is refused before it fills the memory."""


def read_lines(stream: io.BufferedReader) -> Iterator[tuple[str, Mapping[str, object]] | Reject]:
    """One row per line of JSON; blank lines count for nothing, a broken one is a reject."""
    number = 0
    for line in _text_lines(stream):
        if not line.strip():
            continue
        number += 1
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield Reject(str(number), "line", line[:200], f"is not JSON: {error}")
            continue
        if isinstance(value, dict):
            yield str(number), value
        else:
            yield Reject(str(number), "line", line[:200], "is not a JSON object")


def read_document(stream: BinaryIO) -> Iterator[tuple[str, Mapping[str, object]] | Reject]:
    """The records of one JSON document, read as they come; the row is their JSON pointer.

    Raises UnreadableFile where the document breaks off; what came before was given.
    """
    import ijson

    seekable = _utf8(stream)
    try:
        prefix, kind = _container(seekable)
        seekable.seek(0)
        if kind == "object":
            found: Iterator[tuple[object, object]] = iter(ijson.kvitems(seekable, prefix, use_float=True))
        else:
            inner = prefix if kind == "single" else f"{prefix}.item" if prefix else "item"
            found = enumerate(value for value in ijson.items(seekable, inner, use_float=True) if value != [])
        pointer = "/" + prefix.replace(".", "/") if prefix else ""
        for key, value in found:
            row = f"{pointer}/{key}"
            if isinstance(value, dict):
                yield row, value
            else:
                yield Reject(row, "record", repr(value)[:200], "is not a JSON object")
    except (ijson.JSONError, UnicodeError) as error:
        raise UnreadableFile(f"the JSON breaks off: {error}") from error


def decoded_head(head: bytes) -> str:
    """The first bytes of a file as text, for a look at what it is; what cannot be decoded is replaced."""
    return head.decode(detect(head), errors="replace").lstrip("\ufeff")


def is_object(line: str) -> bool:
    """Whether a line is one complete JSON object."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _container(stream: BinaryIO) -> tuple[str, str]:
    """Where the records are: the first array of objects, an object of objects, or the document itself."""
    import ijson

    parents: list[tuple[str, str]] = []
    objects_in_a_row: list[int] = []
    of_objects: tuple[str, str] | None = None
    for prefix, event, _ in ijson.parse(stream):
        if event == "start_map":
            if parents and parents[-1][1] == "array":
                return parents[-1]
            if parents:
                objects_in_a_row[-1] += 1
                of_objects = of_objects or (parents[-1] if objects_in_a_row[-1] == 2 else None)
                # Two objects side by side may be a head and a body ("meta", "data"); three are a collection.
                if objects_in_a_row[-1] == 3:
                    return parents[-1]
        if event in {"start_map", "start_array"}:
            parents.append((prefix, "object" if event == "start_map" else "array"))
            objects_in_a_row.append(0)
        elif event in {"end_map", "end_array"}:
            parents.pop()
            objects_in_a_row.pop()
    return of_objects or ("", "single")


def _text_lines(stream: io.BufferedReader) -> Iterator[str]:
    """The lines of a stream in its own encoding."""
    encoding = detect(stream.peek(_HEAD)[:_HEAD])
    if encoding in {"utf-8", "utf-8-sig"}:
        while line := stream.readline(_LONGEST):
            if len(line) == _LONGEST:
                raise UnreadableFile("a line is longer than 16 MB: this is no file of one record a line")
            yield line.decode("utf-8", errors="replace").lstrip("\ufeff")
        return
    text = io.TextIOWrapper(stream, encoding, errors="replace")
    try:
        yield from text
    finally:
        text.detach()


def _utf8(stream: BinaryIO) -> BinaryIO:
    """A seekable stream of UTF-8 without a byte order mark, whatever the encoding of the given one."""
    start = stream.read(_HEAD)
    encoding = detect(start)
    stream.seek(0)
    if encoding == "utf-8":
        return stream
    return cast(BinaryIO, _Recoded(stream, encoding))


class _Recoded(io.RawIOBase):
    """A stream read in one encoding and given out as UTF-8."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._stream = stream
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        self._held = b""

    def readable(self) -> bool:
        """True."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Back to the beginning, the only place it can go to."""
        self._stream.seek(0)
        self._decoder.reset()
        self._held = b""
        return offset * whence

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - whatever can be written to
        """How many bytes of UTF-8 were put into `buffer`; 0 at the end."""
        room = memoryview(buffer)
        while len(self._held) < len(room):
            chunk = self._stream.read(_HEAD)
            self._held += self._decoder.decode(chunk, final=not chunk).removeprefix("\ufeff").encode()
            if not chunk:
                break
        size = min(len(room), len(self._held))
        room[:size] = self._held[:size]
        self._held = self._held[size:]
        return size
