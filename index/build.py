"""Documents → a published snapshot."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from index.alias import Alias
from index.analyzer import fingerprint as analyzer_fingerprint
from index.centring import SHARE, Centring
from index.columns import Columns
from index.corpus import sorted_documents, write_corpus
from index.dense import Dense
from index.document import Document
from index.lexical import Lexical
from index.passage import fingerprint as passage_fingerprint
from index.passage import passages
from index.passages import Passages
from index.settings import AWARDS, BuildSettings
from index.storage import Manifest, new_draft, publish, write_manifest
from index.terms import document_terms
from index.types import Encoder
from index.vectorbook import VectorBook

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Built:
    """A published snapshot: its folder and manifest."""

    folder: Path
    manifest: Manifest


def build(
    documents: Iterable[Document],
    home: Path,
    encoder: Encoder | None,
    settings: BuildSettings = AWARDS,
    *,
    books: Sequence[Path] = (),
    centring: Centring | None = None,
    sequence: int = 0,
    progress: Progress = lambda step, done, total: None,
) -> Built:
    """A snapshot of `documents` under `home`, published as the current one.

    Without an encoder there is no dense leg. `books` are folders of vectors that are already known; new ones go to
    `home/vectors`, so an interrupted build goes on where it stopped. `centring` None takes the means of these
    documents; that of a base makes a snapshot that ranks as the base edited. `sequence` is the last change of the store
    that is in `documents`. `progress(step, done, total)` is told as it goes.
    Raises CorpusError when an id stands twice.
    """
    ordered = sorted_documents(documents)
    snapshots = home / "snapshots"
    draft = new_draft(snapshots)
    try:
        write_corpus(draft / "corpus", ordered)
        Columns.of(ordered).save(draft / "columns")
        _write_lexical(draft / "lexical", ordered, settings, progress)
        Alias.build(ordered).save(draft / "alias")
        settings.write(draft / "settings.json")
        texts = [passages(document, settings.passage_units) for document in ordered]
        count = _write_passages(draft, texts, encoder, (home / "vectors", *books), centring, progress)
        manifest = write_manifest(draft, len(ordered), count, _parts(encoder, settings), sequence)
        return Built(publish(draft, snapshots, manifest), manifest)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write_lexical(
    folder: Path, documents: Sequence[Document], settings: BuildSettings, progress: Progress
) -> None:
    term_lists = []
    for done, document in enumerate(documents, start=1):
        term_lists.append(document_terms(document, settings.weights))
        progress("terms", done, len(documents))
    Lexical.build(term_lists, settings.k1, settings.b).save(folder)


def _write_passages(
    draft: Path,
    per_document: Sequence[list[tuple[str, str]]],
    encoder: Encoder | None,
    books: Sequence[Path],
    centring: Centring | None,
    progress: Progress,
) -> int:
    texts = [text for group in per_document for text, _ in group]
    languages = [language for group in per_document for _, language in group]
    owners = np.repeat(np.arange(len(per_document)), [len(group) for group in per_document]).astype(np.int64)
    (draft / "passages").mkdir()
    Passages.write(draft / "passages", texts, owners)
    if encoder is not None:
        done = 0

        def advance(count: int) -> None:
            nonlocal done
            done += count
            progress("vectors", done, len(texts))

        vectors = VectorBook(encoder, books).vectors(texts, advance)
        leg = Dense.build(vectors.astype(np.float32), owners, languages, centring=centring)
        leg.save(draft / "dense")
    return len(texts)


def _parts(encoder: Encoder | None, settings: BuildSettings) -> dict[str, str]:
    parts = {
        "analyzer": analyzer_fingerprint(),
        "passages": passage_fingerprint(),
        "settings": settings.fingerprint,
    }
    if encoder is not None:
        parts["centring"] = f"centring-{SHARE}"
        parts["encoder"] = encoder.fingerprint
    return parts
