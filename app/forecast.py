"""How long a large file will take, from its first megabytes: to read and store, and then to embed."""

from __future__ import annotations

import gzip
import io
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from index.document import Document
from index.ingest.assemble import Reading
from index.ingest.mapping import ColumnMap
from index.ingest.problem import UnreadableFile
from index.ingest.reading import read_file
from index.passage import passages
from index.settings import AWARDS
from models.errors import ModelError
from models.registry import DEFAULT_ENCODER, load_encoder

LARGE_BYTES = 8 << 20
"""Smaller files are read before a forecast of them would be ready."""
_HEAD_BYTES = 2 << 20
_SAMPLE = 1000
_ENCODED = 24
_STORE_S = 60e-6
"""Seconds to store one record, as measured; reading is measured anew."""
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class Forecast:
    """About how many records and passages, and how long. Embedding is unknown (None) without an encoder."""

    records: int
    read_s: float
    passages: int
    passages_per_s: float | None
    embed_s: float | None


def forecast(files: Sequence[Path], form: str = "auto", by: ColumnMap | None = None) -> Forecast | None:
    """What reading `files` and embedding them would take here; None when none is large, or all are workbooks."""
    parts = [part for file in files if (part := _sampled(file, form, by)) is not None]
    if not parts:
        return None
    records = sum(round(rows) for rows, _, _ in parts)
    read_s = sum(rows * seconds for rows, seconds, _ in parts) + records * _STORE_S
    texts = [
        [text for text, _ in passages(one, AWARDS.passage_units)] for _, _, seen in parts for one in seen
    ]
    count = round(records * sum(map(len, texts)) / len(texts))
    rate = _encoding_rate([text for some in texts for text in some])
    return Forecast(records, round(read_s, 1), count, rate, None if rate is None else round(count / rate, 1))


def _sampled(file: Path, form: str, by: ColumnMap | None) -> tuple[float, float, list[Document]] | None:
    """Rows of a large file, seconds to read one, and its first documents."""
    size = file.stat().st_size
    if size < LARGE_BYTES:
        return None
    with file.open("rb") as raw:
        start = raw.peek(4)[:4] if isinstance(raw, io.BufferedReader) else b""
        if start == _ZIP:
            return None
        stream = gzip.GzipFile(fileobj=raw) if start[:2] == _GZIP else raw
        head = stream.read(_HEAD_BYTES)
        share = raw.tell() / size
    suffixes = "".join(suffix for suffix in file.suffixes if suffix != ".gz")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / f"{file.name.split('.')[0]}{suffixes}"
        copy.write_bytes(head)
        next(iter(read_file(copy, form, by)), None)  # patterns are compiled once, not once a row
        began = time.perf_counter()
        rows, found = 0, list[Document]()
        for item in _until_it_breaks_off(copy, form, by):
            rows += 1
            found += [item.document] if isinstance(item, Reading) and len(found) < _SAMPLE else []
        seconds = time.perf_counter() - began
    return (rows / share, seconds / rows, found) if found else None


def _until_it_breaks_off(copy: Path, form: str, by: ColumnMap | None) -> Iterator[object]:
    """The rows of the head of a file; that its last one is cut says nothing of the file."""
    try:
        yield from read_file(copy, form, by)
    except UnreadableFile:
        return


def _encoding_rate(texts: Sequence[str]) -> float | None:
    """Passages that the default encoder encodes in a second here; None when it cannot be loaded."""
    try:
        encoder = load_encoder(DEFAULT_ENCODER)
    except ModelError:
        return None
    some = list(islice(texts, 0, None, max(1, len(texts) // _ENCODED)))[:_ENCODED]
    encoder.encode_passages(some[:4])
    began = time.perf_counter()
    encoder.encode_passages(some)
    return round(len(some) / (time.perf_counter() - began), 1)
