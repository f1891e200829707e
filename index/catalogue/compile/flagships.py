"""The programmes people try first: our own table, the checked alias list, and the records that belong to them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from index.catalogue.compile import names
from index.catalogue.compile.facts import Facts, Round
from index.catalogue.compile.merge import one
from index.catalogue.compile.tables import rows

# Lists of famous programmes: any part of the title may name one. Elsewhere the whole title must.
_LISTS = frozenset(
    [
        "grad_manager",
        "pe_becas",
        "achivr",
        "id_beasiswa",
        "arnmx",
        "vi_semscholars",
        "board_ryankatayi",
        "pl_stypendia",
        "kr_universities",
    ]
)
# Sources whose rounds speak for the programme itself rather than for one university's handling of it.
_ROUNDS = frozenset(
    [
        "pe_becas",
        "achivr",
        "arnmx",
        "open_scholarships",
        "in_indiascholarships",
        "kr_thedream",
        "kr_universities",
        "de_daad",
        "eu_funding_tenders",
        "il_ggmatcher",
        "us_grants_gov",
        "in_cusaathi",
    ]
)
_OLDEST_ROUND = 2025


class Flagships:
    """Canonical programmes by the keys of all their names."""

    def __init__(self, aliases_file: Path) -> None:
        self._facts: dict[str, Facts] = {}
        self._by_key: dict[str, str] = {}
        given = _alias_rows(aliases_file)
        for row in rows("flagships"):
            facts = _from_table(row, given.get(row["name"], []))
            self._facts[facts.title] = facts
            for name in (facts.title, *facts.aliases):
                self._by_key.setdefault(names.key(name), facts.title)

    def canonical(self, facts: Facts) -> str | None:
        """The flagship that this record is about, if any."""
        title = facts.title
        bare = re.sub(r"\s*[(\[（].*?[)\]）]", "", title).strip()
        candidates = [title, bare]
        if facts.source in _LISTS:
            candidates += re.findall(r"[(\[（](.*?)[)\]）]", title)
            candidates += re.split(r"\s+[/—–:|-]\s+|\s*/\s*|: |, ", title) + re.split(r"\s+[/—–-]\s+", bare)
        for candidate in candidates:
            found = self._by_key.get(names.key(candidate)) if len(candidate) >= 3 else None
            if found and self._compatible(self._facts[found], facts):
                return found
        return None

    @staticmethod
    def _compatible(flagship: Facts, facts: Facts) -> bool:
        return not (flagship.hosts and facts.hosts) or bool(set(flagship.hosts) & set(facts.hosts))

    def gather(
        self, records: Iterable[Facts], calls: Iterable[tuple[str, Facts]]
    ) -> tuple[list[Facts], list[Facts]]:
        """(the flagships with what the records add, the records that are about none of them)."""
        members: dict[str, list[Facts]] = {name: [] for name in self._facts}
        others: list[Facts] = []
        for record in records:
            name = self.canonical(record)
            (members[name] if name else others).append(record)
        for name, call in calls:
            members[name].append(call)
        return [self._complete(name, found) for name, found in members.items()], others

    def _complete(self, name: str, found: list[Facts]) -> Facts:
        own = self._facts[name]
        # One Peruvian list gives rounded days; they count only where nobody else gives any.
        dated = [item for item in found if _current(item)]
        if any(item.source != "pe_becas" for item in dated):
            found = [replace(item, rounds=()) if item.source == "pe_becas" else item for item in found]
        useful = [
            replace(item, aliases=(), traits=(), coverage=(), notes=(), money=None, rounds=_current(item))
            for item in found
        ]
        whole = replace(one([own, *useful]), url=_official(own.url, found))
        # The table is ours and checked: where it is silent on purpose, a record must not fill in.
        nationalities = own.nationalities
        names_only = [
            item.title for item in found if item.source in _LISTS and names.key(item.title) != names.key(name)
        ]
        aliases = dict.fromkeys([*own.aliases, *(title for title in names_only if len(title) < 70)])
        return replace(
            whole, nationalities=nationalities, hosts=own.hosts, levels=own.levels, fields=own.fields, notes=own.notes,
            any_field=own.any_field, aliases=tuple(_distinct(name, aliases)), kind=own.kind,
        )  # fmt: skip


def _official(url: str | None, found: Iterable[Facts]) -> str | None:
    """A record's page on the programme's own site, which says more than the site's front; else our address."""
    if url is None:
        return next((item.url for item in found if item.url and "mastersportal" not in item.url), None)
    site = re.sub(r"^https?://(?:www\.)?([^/]+).*$", r"\1", url)
    own = [item.url for item in found if item.url and item.source in _LISTS]
    return next(
        (page for page in own if re.match(rf"https?://(?:[\w-]+\.)*{re.escape(site)}(?:/|$)", page)), url
    )


def _distinct(title: str, aliases: Iterable[str]) -> Iterator[str]:
    seen = {title.casefold()}
    for alias in aliases:
        if alias.casefold() not in seen:
            seen.add(alias.casefold())
            yield alias


def _current(item: Facts) -> tuple[Round, ...]:
    if item.source not in _ROUNDS:
        return ()
    return tuple(
        round_
        for round_ in item.rounds
        if round_.kind == "recurring" or (round_.deadline_on and round_.deadline_on.year >= _OLDEST_ROUND)
    )


def _alias_rows(path: Path) -> dict[str, list[dict[str, str]]]:
    """Canonical name -> alias rows that we keep: the same programme or its old name, and not a doubtful one."""
    excluded = {row["alias"] for row in rows("alias_exclusions")}
    found: dict[str, list[dict[str, str]]] = {}
    with path.open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle):
            usable = row["relation"] in ("same", "rename") and row["alias"] not in excluded
            if usable or row["alias"] == row["canonical_name"]:
                found.setdefault(row["canonical_name"], []).append(row)
    return found


def _list(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(",") if part)


def _from_table(row: dict[str, str], given: list[dict[str, str]]) -> Facts:
    nationalities = tuple(code for code in _list(row["nationalities"]) if not code.endswith("*"))
    notes = tuple(
        ("citizens_or_residents", code[:-1]) for code in _list(row["nationalities"]) if code.endswith("*")
    )
    if notes:
        nationalities = ()
    official = re.match(r"official site (\S+)", given[0]["source"]) if given else None
    aliases = [item["alias"] for item in given if item["alias"] != row["name"]] + [
        part for part in row["aliases"].split("|") if part
    ]
    return Facts(
        source="curated",
        source_id=row["slug"] or names.slug(row["name"]),
        title=row["name"],
        language=row["language"],
        provider=row["provider"] or (given[0]["provider"] if given else None),
        aliases=tuple(_distinct(row["name"], aliases)),
        hosts=_list(row["hosts"]),
        nationalities=nationalities,
        levels=_list(row["levels"]),
        fields=tuple(sorted(_list(row["fields"]))),
        kind=row["kind"],
        coverage=_list(row["coverage"]),
        traits=tuple(sorted(_list(row["traits"]))),
        notes=notes,
        url=row["url"] or (f"https://{official[1]}" if official else None),
        slug=row["slug"] or names.slug(row["name"]),
        sources=("curated",),
    )
