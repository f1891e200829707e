"""A document as weighted terms: what the lexical leg counts.

A field's weight is how often its terms are counted, which keeps one plain BM25 instead of one per field. The weights
were chosen on the development set (docs/retrieval.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from index.analyzer import analyze
from index.document import Document
from index.language import detect
from index.passage import body, facts

AWARD_WEIGHTS: Mapping[str, int] = MappingProxyType(
    {"title": 4, "aliases": 4, "provider": 2, "facts": 2, "body": 1}
)
PLAIN_WEIGHTS: Mapping[str, int] = MappingProxyType(
    {"title": 1, "aliases": 1, "provider": 1, "facts": 1, "body": 1}
)


def document_terms(document: Document, weights: Mapping[str, int] = AWARD_WEIGHTS) -> list[str]:
    """The terms of `document`, each field's repeated by its weight; each text in its own language."""
    text = body(document)
    language = document.language or detect(f"{document.title} {text[:400]}")
    fields = {
        "title": (document.title, language),
        "aliases": ("\n".join(document.aliases), language),
        "provider": (document.provider or "", language),
        "facts": (facts(document), "en"),
        "body": (text, language),
    }
    terms: list[str] = []
    for tag, translation in document.translations.items():
        terms.extend(analyze(translation.title, tag) * weights.get("aliases", 0))
        terms.extend(analyze(translation.description or "", tag) * weights.get("body", 0))
    for name, (value, tongue) in fields.items():
        if value:
            terms.extend(analyze(value, tongue) * weights.get(name, 0))
    return terms


def query_terms(text: str, language: str | None = None) -> list[str]:
    """The terms of a query; `language` is detected when None."""
    return analyze(text, language)
