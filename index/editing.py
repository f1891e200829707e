"""A snapshot and what changed since → the snapshot that a build of all of it would give, without building it.

Every part keeps what it has on the disk and in memory and learns where its rows went; what came is beside it. The
ranking is that of a build with the same centring, score for score. Exceptions: a document whose vectors are not
known yet is not found by the dense leg, and an approximate dense index finds what it finds.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np

from index.addition import Addition
from index.columns import Columns
from index.dense import Dense
from index.lexical import Lexical
from index.lexical_splice import LexicalSplice
from index.passages import Passages
from index.snapshot import Snapshot
from index.splice import Splice
from index.types import Rows, Vector

_EDITION = "+"


def edited(base: Snapshot, additions: Sequence[Addition], gone: Collection[str]) -> Snapshot:
    """`base`, which was built, without the documents `gone` and with the `additions`, which replace those of their ids.

    The additions ascend by id and were made with the settings of `base`. An id of `gone` that is not in `base` means
    nothing. Raises ValueError for additions out of order, and for a base that is itself edited.
    """
    if not isinstance(base.lexical, Lexical):
        raise ValueError("an edited snapshot is made from the built one and everything that changed since")
    added_ids = [addition.doc_id for addition in additions]
    gone = {doc_id for doc_id in gone if base.corpus.row(doc_id) is not None}.difference(added_ids)
    if not additions and not gone:
        return base
    documents = [addition.document for addition in additions]
    splice = Splice.of(base.corpus.ids, gone, added_ids)
    corpus = base.corpus.spliced(splice, documents)
    counts: Rows = np.array([len(addition.passages) for addition in additions], np.int64)
    places = base.passages.splice(splice, counts)
    texts = [text for addition in additions for text, _ in addition.passages]
    passages = base.passages.spliced(splice, places, texts, counts)
    return replace(
        base,
        corpus=corpus,
        columns=base.columns.spliced(splice, Columns.of(documents)),
        passages=passages,
        lexical=LexicalSplice.of(
            base.lexical, splice, [one.terms for one in additions], base.settings.k1, base.settings.b
        ),
        dense=None if base.dense is None else _dense(base.dense, places, passages, additions),
        alias=base.alias.spliced(splice, [addition.gleaned for addition in additions]),
        parts=_parts(base, additions, gone),
    )


def _dense(base: Dense, places: Splice, passages: Passages, additions: Sequence[Addition]) -> Dense:
    known = [addition.vectors is not None for addition in additions for _ in addition.passages]
    languages = [language for one in additions if one.vectors is not None for _, language in one.passages]
    vectors = [addition.vectors for addition in additions if addition.vectors is not None]
    nothing: Vector = np.empty((0, base.vectors.shape[1]), np.float32)
    return base.spliced(
        places, passages.owners, np.flatnonzero(known), np.concatenate([nothing, *vectors]), languages
    )


def _parts(base: Snapshot, additions: Sequence[Addition], gone: Collection[str]) -> dict[str, str]:
    """Names the base and what makes this snapshot differ from it: equal wherever the same state was reached."""
    edition = sha256()
    for doc_id in sorted(gone):
        edition.update(f"-{doc_id}\n".encode())
    for addition in additions:
        found = "+" if addition.vectors is not None else "~"
        edition.update(f"{found}{addition.doc_id} {addition.digest}\n".encode())
    name = f"{base.parts['snapshot']}{_EDITION}{edition.hexdigest()[:16]}"
    return {**base.parts, "snapshot": name}
