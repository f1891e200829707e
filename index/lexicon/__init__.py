"""Names that mean the same: countries, concepts and programmes in many languages, as data beside their reader."""

from index.lexicon.entity import Entity, Kind
from index.lexicon.table import entities

__all__ = ["Entity", "Kind", "entities"]
