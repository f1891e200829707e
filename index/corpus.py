"""All documents of one snapshot, by row. Rows follow ascending document id, which makes ties easy everywhere."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import overload

from index.document import Document
from index.errors import CorpusError
from index.record import from_stored, to_record
from index.splice import Splice, Spliced
from index.textfile import TextFile, open_texts, write_texts

_DOCUMENTS = "documents.jsonl"
_IDS = "ids.txt"
_RECENT = 4096


class Corpus(Sequence[Document]):
    """Documents by row, with their ids."""

    def __init__(self, documents: Sequence[Document], ids: list[str]) -> None:
        self._documents = documents
        self.ids = ids

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, at: int) -> Document: ...
    @overload
    def __getitem__(self, at: slice) -> list[Document]: ...
    def __getitem__(self, at: int | slice) -> Document | list[Document]:
        """The document of row `at`. Raises IndexError outside 0 .. len-1."""
        return list(self._documents[at]) if isinstance(at, slice) else self._documents[at]

    def __iter__(self) -> Iterator[Document]:
        return iter(self._documents)

    def row(self, doc_id: str) -> int | None:
        """The row of `doc_id`, or None."""
        at = bisect_left(self.ids, doc_id)
        return at if at < len(self.ids) and self.ids[at] == doc_id else None

    def spliced(self, splice: Splice, added: Sequence[Document]) -> Corpus:
        """These documents and those `added`, at their new rows; what was read of these stays read."""
        ids = splice.listed(self.ids, [document.doc_id for document in added])
        return Corpus(Spliced(splice, self._documents, added), ids)


class StoredDocuments(Sequence[Document]):
    """Documents on disk, parsed when asked for; the most recent ones are kept."""

    def __init__(self, lines: TextFile) -> None:
        self._lines = lines
        self._read = lru_cache(maxsize=_RECENT)(self._parse)

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, at: int) -> Document: ...
    @overload
    def __getitem__(self, at: slice) -> list[Document]: ...
    def __getitem__(self, at: int | slice) -> Document | list[Document]:
        """The document at place `at`. Raises IndexError outside 0 .. len-1."""
        if isinstance(at, slice):
            return [self[row] for row in range(*at.indices(len(self)))]
        return self._read(int(at))

    def __iter__(self) -> Iterator[Document]:
        return (self._parse(row) for row in range(len(self)))

    def _parse(self, row: int) -> Document:
        return from_stored(json.loads(self._lines[row]))


def sorted_documents(documents: Iterable[Document]) -> list[Document]:
    """`documents` in row order. Raises CorpusError when an id stands twice."""
    ordered = sorted(documents, key=lambda document: document.doc_id)
    for earlier, later in pairwise(ordered):
        if earlier.doc_id == later.doc_id:
            raise CorpusError(f"document id {later.doc_id!r} stands twice")
    return ordered


def write_corpus(folder: Path, documents: Sequence[Document]) -> None:
    """Nothing; writes documents, which must be in row order, into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    records = (json.dumps(to_record(d), ensure_ascii=False, separators=(",", ":")) for d in documents)
    write_texts(folder / _DOCUMENTS, (record + "\n" for record in records))
    (folder / _IDS).write_text("".join(f"{d.doc_id}\n" for d in documents), encoding="utf-8")


def open_corpus(folder: Path) -> Corpus:
    """The corpus in `folder`, memory-mapped."""
    ids = (folder / _IDS).read_text(encoding="utf-8").split("\n")[:-1]
    return Corpus(StoredDocuments(open_texts(folder / _DOCUMENTS)), ids)
