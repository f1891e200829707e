"""One programme out of the records of several sources, or of several rounds of one source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from index.catalogue.compile import names
from index.catalogue.compile.days import with_recurrence
from index.catalogue.compile.facts import Facts, Money
from index.catalogue.compile.sources import ORDER

_TELLING_WORDS = 3
_MOST_NAMESAKES = 2
_RANK = {source: position for position, source in enumerate(ORDER)}


class _Groups:
    """Union-find over row numbers."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def find(self, item: int) -> int:
        while self._parent[item] != item:
            self._parent[item] = self._parent[self._parent[item]]
            item = self._parent[item]
        return item

    def join(self, first: int, second: int) -> None:
        a, b = self.find(first), self.find(second)
        if a != b:
            self._parent[max(a, b)] = min(a, b)


def keys(facts: Facts) -> list[str]:
    """The keys under which this record is the same programme as another."""
    title, provider = names.key(facts.title), names.provider_key(facts.provider)
    found = [f"title:{title}|{provider}"] if provider else []
    if facts.programme_key:
        found.append(facts.programme_key)
    if not provider:
        place = ",".join(facts.hosts)
        found.append(f"alone:{title}|{place}")
    return found


def merge(facts: Sequence[Facts]) -> list[Facts]:
    """The programmes, each out of all records that share a key with it, in order of first appearance."""
    groups = _Groups(len(facts))
    first: dict[str, int] = {}
    for position, item in enumerate(facts):
        for key in keys(item):
            groups.join(position, first.setdefault(key, position))
    _join_namesakes(facts, groups)
    members: dict[int, list[Facts]] = {}
    for position, item in enumerate(facts):
        members.setdefault(groups.find(position), []).append(item)
    return [one(group) for group in members.values()]


def _join_namesakes(facts: Sequence[Facts], groups: _Groups) -> None:
    """Join records of one telling title whose providers are one name said shorter, or one of them unsaid."""
    titled: dict[str, list[int]] = {}
    for position, item in enumerate(facts):
        title = names.key(item.title)
        if len(title.split()) >= _TELLING_WORDS:
            titled.setdefault(title, []).append(position)
    for positions in titled.values():
        providers = [
            frozenset(names.provider_key(facts[position].provider).split()) for position in positions
        ]
        if len({provider for provider in providers if provider}) > _MOST_NAMESAKES:
            continue
        for later in range(1, len(positions)):
            for earlier in range(later):
                same_place = _meet(facts[positions[later]].hosts, facts[positions[earlier]].hosts)
                small, large = sorted((providers[later], providers[earlier]), key=len)
                if same_place and small <= large and (small or large):
                    groups.join(positions[earlier], positions[later])


def _meet(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    return not first or not second or bool(set(first) & set(second))


def one(group: Iterable[Facts]) -> Facts:
    """One programme: the best source's words, every source's rounds, and gaps filled from the others."""
    ordered = sorted(group, key=lambda item: (_RANK.get(item.source, -1), item.source_id))
    best = ordered[0]
    aliases = _aliases(best.title, ordered)
    fields = next((item.fields for item in ordered if item.fields), ())
    traits = sorted({tag for item in ordered for tag in item.traits})
    coverage = sorted({tag for item in ordered for tag in item.coverage})
    if "tuition" in coverage or "full" in coverage:
        coverage = [tag for tag in coverage if tag != "tuition-part"]
    return replace(
        best,
        provider=next((item.provider for item in ordered if item.provider), None),
        aliases=aliases,
        hosts=next((item.hosts for item in ordered if item.hosts), ()),
        nationalities=next((item.nationalities for item in ordered if item.nationalities), ()),
        levels=next((item.levels for item in ordered if item.levels), ()),
        fields=fields,
        any_field=not fields and "stem" not in traits and any(item.any_field for item in ordered),
        money=_money(ordered),
        coverage=tuple(coverage),
        traits=tuple(traits),
        notes=tuple(dict.fromkeys(note for item in ordered for note in item.notes)),
        rounds=with_recurrence(round_ for item in ordered for round_ in item.rounds),
        url=next((item.url for item in ordered if item.url), None),
        slug=next((item.slug for item in ordered if item.slug), None),
        sources=tuple(dict.fromkeys(source for item in ordered for source in item.sources)),
    )


def _aliases(title: str, ordered: Sequence[Facts]) -> tuple[str, ...]:
    """Other names, one per spelling, without the title itself."""
    seen = {title.casefold()}
    kept = []
    for name in (name for item in ordered for name in (*item.aliases, item.title)):
        if name.casefold() not in seen and 2 <= len(name) <= 120:
            seen.add(name.casefold())
            kept.append(name)
    return tuple(kept)


def _money(ordered: Sequence[Facts]) -> Money | None:
    """The best source's sum; sums that differ over the rounds of one award give a range."""
    sums = [item.money for item in ordered if item.money]
    if not sums:
        return None
    same = [cash for cash in sums if (cash.currency, cash.period) == (sums[0].currency, sums[0].period)]
    if ordered[0].programme_key and ordered[0].programme_key.startswith("ufv:") and len(set(same)) > 1:
        values = [value for cash in same for value in (cash.low, cash.high) if value is not None]
        return Money(min(values), max(values), sums[0].currency, sums[0].period)
    return sums[0]
