"""Relevant documents that no search can find, because the query's own filters keep them out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evaluation.lint import Finding
from evaluation.testset import Qrels, TestQuery
from index.columns import Columns
from index.filters import mask
from index.record import from_beir

from .ranker import asked


def unreachable(
    queries: Sequence[TestQuery], qrels: Qrels, corpus: Sequence[Mapping[str, object]]
) -> Iterator[Finding]:
    """One error for each query whose filters, at its own `as_of`, keep a document out that is judged as relevant.

    Raises CorpusError for filters, RecordError for a document, that cannot be read.
    """
    filtered = [query for query in queries if query.filters and query.query_id in qrels]
    if not filtered:
        return
    documents = sorted((from_beir(line) for line in corpus), key=lambda document: document.doc_id)
    rows = {document.doc_id: row for row, document in enumerate(documents)}
    columns = Columns.of(documents)
    for query in filtered:
        question = asked(query)
        allowed = mask(columns, question.filters, question.as_of)
        out = [
            doc_id
            for doc_id, grade in qrels[query.query_id].items()
            if grade > 0 and doc_id in rows and allowed is not None and not allowed[rows[doc_id]]
        ]
        if out:
            words = f"its own filters keep out {len(out)} relevant documents, such as {out[0]!r}"
            yield Finding("error", "unreachable-document", query.query_id, words)
