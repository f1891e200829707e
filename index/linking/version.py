"""What a link depends on besides the two records."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from index.analyzer import fingerprint as analyzer_fingerprint

# Raise when a rule in this package changes: links made by other rules are then made anew.
_RULES = "2"


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """A short hash of the rules and of every table they use."""
    folder = Path(__file__).parent
    beside = ("catalogue/tables/flagships.tsv", "lexicon/programmes.tsv", "lexicon/demonyms.tsv")
    tables = (*sorted((folder / "tables").glob("*.tsv")), *(folder.parent / name for name in beside))
    told = sha256(f"{_RULES} {analyzer_fingerprint()}".encode())
    for table in tables:
        told.update(table.read_bytes())
    return f"linking-{told.hexdigest()[:12]}"
