"""What the shipped fake sorts by: facts of a document, None where it does not state them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from index.availability import availability
from index.document import Document


def _deadline(document: Document, as_of: datetime) -> float | None:
    closes_at = availability(document.windows, as_of).closes_at
    return closes_at.timestamp() if closes_at else None


def _amount(document: Document, _: datetime) -> float | None:
    return document.amount.max if document.amount else None


def _updated(document: Document, _: datetime) -> float | None:
    return document.updated_at.timestamp() if document.updated_at else None


FACTS: Mapping[str, Callable[[Document, datetime], Any]] = {
    "deadline": _deadline,
    "amount": _amount,
    "title": lambda document, _: document.title.casefold(),
    "updated": _updated,
}
