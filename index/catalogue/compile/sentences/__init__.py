"""Facts put into our own short sentences, in the record's language where we have one."""

from __future__ import annotations

from ..facts import Facts
from ..places import Gazetteer
from .chinese import Chinese
from .english import English
from .german import German
from .korean import Korean
from .polish import Polish
from .spanish import Spanish
from .swedish import Swedish
from .writer import Writer

__all__ = ["write", "writer_for"]


def writer_for(language: str, gazetteer: Gazetteer) -> Writer:
    """The writer of a language; English for languages we do not write."""
    writers: dict[str, type[Writer]] = {
        "zh": Chinese, "de": German, "es": Spanish, "ko": Korean, "pl": Polish, "sv": Swedish,
    }  # fmt: skip
    return writers.get(language, English)(gazetteer)


def write(facts: Facts, gazetteer: Gazetteer) -> tuple[str, str | None]:
    """(description, eligibility or None) of one programme."""
    writer = writer_for(facts.language, gazetteer)
    return writer.description(facts), writer.eligibility(facts)
