"""Facts put into our own short sentences, in the record's language where we have one."""

from __future__ import annotations

from index.catalogue.compile.facts import Facts
from index.catalogue.compile.places import Gazetteer
from index.catalogue.compile.sentences.chinese import Chinese, SimplifiedChinese
from index.catalogue.compile.sentences.english import English
from index.catalogue.compile.sentences.german import German
from index.catalogue.compile.sentences.korean import Korean
from index.catalogue.compile.sentences.polish import Polish
from index.catalogue.compile.sentences.spanish import Spanish
from index.catalogue.compile.sentences.swedish import Swedish
from index.catalogue.compile.sentences.writer import Writer

__all__ = ["write", "writer_for"]


def writer_for(language: str, gazetteer: Gazetteer) -> Writer:
    """The writer of a language; English for languages we do not write."""
    writers: dict[str, type[Writer]] = {
        "zh": Chinese,
        "zh-Hans": SimplifiedChinese,
        "de": German,
        "es": Spanish,
        "ko": Korean,
        "pl": Polish,
        "sv": Swedish,
    }
    return writers.get(language, English)(gazetteer)


def write(facts: Facts, language: str, gazetteer: Gazetteer) -> tuple[str, str | None]:
    """(description, eligibility or None) of one programme in a language."""
    writer = writer_for(language, gazetteer)
    return writer.description(facts), writer.eligibility(facts)
