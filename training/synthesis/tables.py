"""The small tables of this package: words, templates, times, places. Written for this project."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "zh", "de", "es", "ko", "fr", "sv", "pl")


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a tab-separated table, in file order."""
    text = files("training.synthesis").joinpath(f"{name}.tsv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def words() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Key such as `level:phd` → language → the ways people say it."""
    return {
        row["key"]: {tag: tuple(row[tag].split("|")) for tag in LANGUAGES if row[tag]}
        for row in rows("words")
    }


@cache
def templates(language: str, style: str) -> tuple[str, ...]:
    """The templates of one language and style, () when there are none."""
    found = (row for row in rows("templates") if row["language"] == language and row["style"] == style)
    return tuple(row["template"] for row in found)


@cache
def times(language: str, kind: str) -> tuple[str, ...]:
    """Ways to speak of time: kind "open" or "period"."""
    found = (row for row in rows("times") if row["language"] == language and row["kind"] == kind)
    return tuple(row["phrase"] for row in found)


@cache
def places() -> Mapping[str, str]:
    """Name of a state, province or city → code of its country."""
    return {place: row["country"] for row in rows("places") for place in row["places"].split("|")}


@cache
def jobs(language: str) -> tuple[str, ...]:
    """What people work as, in one language; English where we have none."""
    found = {row["language"]: tuple(row["jobs"].split("|")) for row in rows("jobs")}
    return found.get(language, found["en"])
