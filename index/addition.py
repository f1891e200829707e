"""What one new or changed document brings to a snapshot: made once, used at every swap until the next compaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from index.document import Document
from index.gleanings import Gleaned
from index.passage import passages
from index.record import to_record
from index.settings import BuildSettings
from index.terms import document_terms
from index.types import Vector


@dataclass(frozen=True, slots=True, eq=False)
class Addition:
    """A document with its terms, what it teaches of names, its passages as (text, language), and their vectors.

    vectors: (p, D) float32 as the encoder gives them, one a passage, not centred; None while they are not known: the
    dense leg then does not find the document. digest: names the content of the document.
    """

    document: Document
    terms: Sequence[str]
    gleaned: Gleaned
    passages: Sequence[tuple[str, str]]
    vectors: Vector | None
    digest: str

    @staticmethod
    def of(document: Document, settings: BuildSettings, vectors: Vector | None = None) -> Addition:
        """What `document` brings to a snapshot built with `settings`."""
        record = json.dumps(to_record(document), ensure_ascii=False, separators=(",", ":"))
        addition = Addition(
            document=document,
            terms=document_terms(document, settings.weights),
            gleaned=Gleaned.of(document),
            passages=passages(document, settings.passage_units),
            vectors=None,
            digest=blake2b(record.encode("utf-8"), digest_size=16).hexdigest(),
        )
        return addition if vectors is None else addition.encoded(vectors)

    @property
    def doc_id(self) -> str:
        """The id of the document."""
        return self.document.doc_id

    def encoded(self, vectors: Vector) -> Addition:
        """The same with `vectors`. Raises ValueError unless there is one a passage."""
        if len(vectors) != len(self.passages):
            raise ValueError(f"{self.doc_id}: {len(vectors)} vectors for {len(self.passages)} passages")
        return replace(self, vectors=vectors)
