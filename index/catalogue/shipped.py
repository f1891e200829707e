"""Reading the shipped catalogue."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from index.document import Document
from index.record import parse_record

RECORDS = Path(__file__).parent / "opportunities.jsonl.gz"
VECTORS = Path(__file__).parent / "vectors"
"""Vectors of the catalogue's passages by the default encoder, so that a first start encodes nothing."""


def programmes() -> Iterator[Document]:
    """Every programme of the catalogue."""
    with gzip.open(RECORDS, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield parse_record(json.loads(line))
