"""The small tables of ours that turn words into facts and facts into words."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "tables"


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """The rows of one of our tab-separated tables, in file order."""
    with (FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as handle:
        return tuple(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def phrases() -> dict[str, dict[str, str]]:
    """Key such as `level:phd` or `field:0613` -> language -> words."""
    table = {row["key"]: row for row in rows("phrases")}
    table |= {f"field:{row['code']}": row for row in rows("fields")}
    return table


def phrase(key: str, language: str) -> str:
    """The words for `key` in `language`, in English where we have none."""
    row = phrases()[key]
    return row.get(language) or row["en"]
