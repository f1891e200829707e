"""The records that a measurement is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from index.document import Document


def documents_of(files: Sequence[Path]) -> Iterator[Document]:
    """The records of files, or of the store when there are none."""
    from index.ingest.assemble import Reading
    from index.ingest.reading import read_file

    if files:
        readings = (item for file in files for item in read_file(file))
        yield from (item.document for item in readings if isinstance(item, Reading))
        return
    from app.settings import Settings
    from app.store import open_store

    store = open_store(Settings())
    try:
        yield from store.documents()
    finally:
        store.close()
