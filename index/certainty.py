"""Which facts of a record were read for certain, which were not, and which its source does not state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from index.document import Document

Certainty = Literal["certain", "uncertain", "unknown"]

FACTS = (
    "provider", "description", "eligibility", "host_countries", "eligible_nationalities", "levels", "fields", "amount",
    "coverage", "windows", "language", "url",
)  # fmt: skip
"""The fields of a record that a source may state."""


def certainties(document: Document) -> Mapping[str, Certainty]:
    """Field → how sure its value is; what is doubted is uncertain whether or not a part of it was read."""
    doubted = {doubt.field for doubt in document.doubts}
    by_region = {rule.field for rule in document.regions}
    return {
        name: "uncertain"
        if name in doubted
        else "certain"
        if getattr(document, name) or name in by_region
        else "unknown"
        for name in FACTS
    }
