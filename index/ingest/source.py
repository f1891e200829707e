"""One file as a stream of rows, whatever its format: (where it stands, column → value), in constant memory."""

from __future__ import annotations

import gzip
import io
import unicodedata
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, cast, get_args

from index.ingest import objects, sheets, tables
from index.ingest.problem import Reject, UnreadableFile

Format = Literal["jsonl", "json", "csv", "xlsx", "ndjson.gz"]
FORMATS: tuple[str, ...] = ("auto", *get_args(Format))
Row = tuple[str, Mapping[str, object]]

_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0"
_HEAD = 1 << 16
_SUFFIXES: Mapping[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".xlsx": "xlsx",
    ".xls": "xlsx",
    ".xlsm": "xlsx",
}
_SPACES = "\t\n\r\f\v\u0085"
# Exports carry a stray control character now and then; a picture or an archive is full of them.
_MOST_CONTROL = 0.02


def read_rows(path: Path, form: str = "auto", header: bool | None = None) -> Iterator[Row | Reject]:
    """The rows of a file in order; a line that cannot be read comes as a `Reject` in its place.

    `header` says whether a table has a heading row; None lets its first rows decide. Raises UnreadableFile.
    """
    try:
        known = detect_format(path) if form in {"auto", "ndjson.gz"} else cast(Format, form)
        if known == "xlsx":
            yield from sheets.read(path, header)
            return
        with open_bytes(path) as stream:
            _require_text(path, stream.peek(_HEAD)[:_HEAD])
            if known == "jsonl":
                yield from objects.read_lines(stream)
            elif known == "json":
                yield from objects.read_document(stream)
            else:
                yield from tables.read(stream, header)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableFile(f"{path.name}: {_words(error)}") from error


def detect_format(path: Path) -> Format:
    """The format of a file, by its first bytes where they tell and by its name where they do not."""
    with path.open("rb") as file:
        start = file.read(8)
    if start.startswith((_ZIP, _OLE)):
        return "xlsx"
    name = path.name.lower().removesuffix(".gz")
    by_name = _SUFFIXES.get(Path(name).suffix)
    if by_name in {"csv", "jsonl"}:
        return by_name
    if by_name == "xlsx":
        raise UnreadableFile(f"{path.name}: is called a workbook and is none")
    with open_bytes(path) as stream:
        head = stream.read(_HEAD)
    return _by_content(head)


def open_bytes(path: Path) -> io.BufferedReader:
    """The bytes of a file, unpacked when it is gzip, whatever it is called."""
    with path.open("rb") as file:
        packed = file.read(2) == _GZIP
    if not packed:
        return cast(io.BufferedReader, path.open("rb", buffering=_HEAD))
    # A GzipFile has all that a raw stream needs, only its declared type is another.
    return io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(path)), _HEAD)


def _by_content(head: bytes) -> Format:
    text = objects.decoded_head(head).lstrip()
    if text.startswith("["):
        return "json"
    if not text.startswith("{"):
        return "csv"
    first, newline, rest = text.partition("\n")
    complete = objects.is_object(first)
    return "jsonl" if complete and newline and rest.lstrip()[:1] in {"{", ""} else "json"


def _require_text(path: Path, head: bytes) -> None:
    """Nothing, for text; raises UnreadableFile for what is full of control characters in whatever encoding it is."""
    text = objects.decoded_head(head)
    control = sum(unicodedata.category(character) == "Cc" and character not in _SPACES for character in text)
    if control > _MOST_CONTROL * len(text):
        raise UnreadableFile(f"{path.name}: is not text, neither a table nor JSON")


def _words(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return reason or type(error).__name__
