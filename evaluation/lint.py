"""What is wrong with a test set before a figure of it is believed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .likeness import alike, levelled
from .slices import SMALL
from .testset import Qrels, TestQuery, TestSet

Weight = Literal["error", "warning", "note"]
HIGHEST_USUAL_GRADE = 3
# Every pair of queries is compared; above so many, only equal ones are looked for.
_MOST_COMPARED = 5_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. code: its kind, of a closed set; where: the query, document or tag it is about.

    An error makes figures wrong, a warning makes them doubtful, a note is for the reader.
    """

    weight: Weight
    code: str
    where: str
    words: str


def lint(test_set: TestSet) -> list[Finding]:
    """Every finding of a set that can be read: errors first, then by kind. Raises TestSetError if it cannot."""
    queries = test_set.queries()
    corpus = {str(document["_id"]): document for _, document in test_set.corpus()}
    found: list[Finding] = [*_texts(queries, corpus), *_duplicates(queries), *_documents(corpus)]
    judged: set[str] = set()
    for split in test_set.splits():
        qrels = test_set.qrels(split)
        found += _judgements(split, qrels, {query.query_id for query in queries}, corpus)
        found += _tags([query for query in queries if query.query_id in qrels], split)
        for query_id in judged & set(qrels):
            found.append(
                Finding("warning", "two-splits", query_id, f"is judged in {split!r} and in another split")
            )
        judged |= set(qrels)
    if alone := [query.query_id for query in queries if query.query_id not in judged]:
        words = f"{len(alone)} queries are judged in no split, among them {', '.join(alone[:3])}"
        found.append(Finding("note", "unjudged", "", words))
    return in_order(found)


def leaks(queries: Sequence[TestQuery], training: Sequence[str], source: str) -> list[Finding]:
    """One error for each query that says the same as a text it was trained on; source: where these texts are from."""
    nearest: dict[int, tuple[int, float]] = {}
    for query, text, likeness in alike([query.text for query in queries], training):
        if query not in nearest or likeness > nearest[query][1]:
            nearest[query] = (text, likeness)
    return [
        Finding(
            "error",
            "leakage",
            queries[query].query_id,
            f"{queries[query].text!r:.80} is text {text + 1} of {source}: {training[text]!r:.80} ({likeness:.0%})",
        )
        for query, (text, likeness) in sorted(nearest.items())
    ]


def in_order(found: Sequence[Finding]) -> list[Finding]:
    """The findings: errors, warnings, notes; within them by kind, then by what they are about."""
    weights = ("error", "warning", "note")
    return sorted(found, key=lambda one: (weights.index(one.weight), one.code, one.where))


def _texts(queries: Sequence[TestQuery], corpus: Mapping[str, Mapping[str, object]]) -> Iterator[Finding]:
    for query in queries:
        if not levelled(query.text):
            yield Finding("error", "empty-query", query.query_id, "has no letter or digit to search for")
    for doc_id, document in corpus.items():
        if not levelled(f"{document.get('title') or ''} {document.get('text') or ''}"):
            yield Finding("warning", "empty-document", doc_id, "has neither title nor text")


def _duplicates(queries: Sequence[TestQuery]) -> Iterator[Finding]:
    """Queries that count twice. The same words at another instant, or under other filters, are another question."""
    by_question: dict[tuple[object, ...], list[TestQuery]] = {}
    for query in queries:
        by_question.setdefault((levelled(query.text), query.as_of, repr(query.filters)), []).append(query)
    for same in by_question.values():
        for query in same[1:]:
            yield Finding(
                "warning", "duplicate-query", query.query_id, f"asks what {same[0].query_id!r} asks"
            )
    first = [same[0] for same in by_question.values()]
    if len(first) > _MOST_COMPARED:
        return
    texts = [query.text for query in first]
    for one, other, likeness in alike(texts, texts):
        left, right = first[one], first[other]
        if (
            one < other
            and likeness < 1
            and (left.as_of, repr(left.filters)) == (right.as_of, repr(right.filters))
        ):
            words = f"{right.text!r:.80} is {likeness:.0%} like {left.text!r:.80} of {left.query_id!r}"
            yield Finding("note", "near-duplicate-query", right.query_id, words)


def _documents(corpus: Mapping[str, Mapping[str, object]]) -> Iterator[Finding]:
    contents = Counter(
        (document.get("title"), document.get("text"), repr(document.get("metadata")))
        for document in corpus.values()
    )
    copies = sum(
        count - 1 for content, count in contents.items() if count > 1 and content != (None, None, "None")
    )
    if copies:
        words = f"{copies} of {len(corpus)} documents are copies of others: an unjudged copy counts as not relevant"
        yield Finding("note", "copied-documents", "", words)


def _judgements(
    split: str, qrels: Qrels, queries: set[str], corpus: Mapping[str, object]
) -> Iterator[Finding]:
    for query_id, grades in qrels.items():
        if query_id not in queries:
            yield Finding("error", "missing-query", query_id, f"is judged in {split!r} and has no text")
        if missing := [doc_id for doc_id in grades if doc_id not in corpus]:
            relevant = [doc_id for doc_id in missing if grades[doc_id] > 0]
            words = (
                f"{len(missing)} judged documents are not in the corpus, such as {missing[0]!r} ({split!r})"
            )
            yield Finding("error" if relevant else "warning", "missing-document", query_id, words)
        if max(grades.values()) <= 0:
            yield Finding(
                "warning", "nothing-relevant", query_id, f"has no relevant document in {split!r}: 0 for all"
            )
        if odd := [grade for grade in grades.values() if not 0 <= grade <= HIGHEST_USUAL_GRADE]:
            words = f"has the grade {odd[0]} in {split!r}; grades are 0 to {HIGHEST_USUAL_GRADE}"
            yield Finding("warning", "grade-out-of-range", query_id, words)


def _tags(judged: Sequence[TestQuery], split: str) -> Iterator[Finding]:
    for tag, count in sorted(Counter(tag for query in judged for tag in query.tags).items()):
        if count < SMALL:
            yield Finding(
                "note",
                "small-tag",
                tag,
                f"{count} judged queries in {split!r}; a slice of under {SMALL} says little",
            )
