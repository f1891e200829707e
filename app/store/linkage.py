"""Links inside one transaction: who is like whom, which programmes that makes, and the rows that say so."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from index.linking.cluster import Pair, clusters, pair, programme_id
from index.linking.decision import Link, certainly_apart, link
from index.linking.keys import crowded, keys
from index.linking.rarity import rarity
from index.linking.sketch import Sketch, sketch

from .batch import IDS_AT_ONCE, stored
from .content import read
from .tables import CLOCK, LINK_KEYS, LINKS, OPPORTUNITIES

_REMEMBERED = 20_000

Row = dict[str, Any]


class Sketches:
    """Sketches of stored records, the latest kept: the same few are asked for again and again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Sketch] = OrderedDict()

    def of(self, row: Row) -> Sketch:
        """The sketch of a stored row."""
        name = (row["doc_id"], row["content_hash"])
        found = self._kept.get(name)
        if found is None:
            found = self._kept[name] = sketch(read(row["record"]))
            if len(self._kept) > _REMEMBERED:
                self._kept.popitem(last=False)
        return found


@dataclass(slots=True)
class Linkage:
    """The links of a store, seen and changed in one transaction, which holds the writers' lock to its end."""

    connection: Connection
    at: datetime
    sketches: Sketches = field(default_factory=Sketches)
    _sequence: int = 0

    def __post_init__(self) -> None:
        self._sequence = self.connection.execute(
            update(CLOCK).values(sequence=CLOCK.c.sequence).returning(CLOCK.c.sequence)
        ).scalar_one()

    def compare(self, rows: Sequence[Row]) -> tuple[int, int]:
        """How many links the stored rows have, and how many records changed their programme."""
        ids = [row["doc_id"] for row in rows]
        before = self._neighbours(ids)
        present = [self.sketches.of(row) for row in rows if row["deleted_at"] is None]
        self._forget(ids)
        found = self._found(present)
        self._keep(found)
        moved = self.settle({*ids, *before, *(one.first for one in found), *(one.second for one in found)})
        told = [
            {"key": row["doc_id"], "hash": None if row["deleted_at"] else row["content_hash"]} for row in rows
        ]
        statement = update(OPPORTUNITIES).where(OPPORTUNITIES.c.doc_id == bindparam("key"))
        self.connection.execute(statement.values(linked_hash=bindparam("hash")), told)
        return len(found), moved

    def say(self, first: str, second: str, verdict: str) -> int:
        """How many records changed their programme because an operator has said what a pair is."""
        one, other = pair(first, second)
        row = {"first_id": one, "second_id": other, "verdict": verdict, "score": 1.0, "at": self.at}
        self.connection.execute(delete(LINKS).where(LINKS.c.first_id == one, LINKS.c.second_id == other))
        self.connection.execute(insert(LINKS), [{**row, "reason": "said by an operator"}])
        return self.settle({one, other})

    def settle(self, ids: Collection[str]) -> int:
        """How many records changed their programme, among those that hang together with `ids`."""
        edges = list(self._component(ids))
        members = {*ids, *(row["first_id"] for row in edges), *(row["second_id"] for row in edges)}
        rows = {
            doc_id: row
            for doc_id, row in stored(self.connection, sorted(members)).items()
            if row["deleted_at"] is None or row["programme"] is not None
        }
        wanted = self._programmes(edges, rows)
        changed = [row for doc_id, row in sorted(rows.items()) if row["programme"] != wanted.get(doc_id)]
        if changed:
            values = [
                {"row": row["doc_id"], "part": wanted.get(row["doc_id"]), "number": self._next()}
                for row in changed
            ]
            statement = update(OPPORTUNITIES).where(OPPORTUNITIES.c.doc_id == bindparam("row"))
            moving = statement.values(programme=bindparam("part"), sequence=bindparam("number"))
            self.connection.execute(moving, values)
            self.connection.execute(update(CLOCK).values(sequence=self._sequence))
        return len(changed)

    def _programmes(self, edges: Sequence[Row], rows: Mapping[str, Row]) -> dict[str, str]:
        """The programme of every member of a group."""
        here = {doc_id: self.sketches.of(row) for doc_id, row in rows.items() if row["deleted_at"] is None}
        both = [row for row in edges if row["first_id"] in here and row["second_id"] in here]
        told: dict[str, list[Pair]] = defaultdict(list)
        for row in both:
            told[row["verdict"]].append((row["first_id"], row["second_id"]))
        linked = [
            Link(row["first_id"], row["second_id"], row["score"], row["reason"])
            for row in both
            if row["verdict"] == "linked"
        ]
        groups = clusters(
            linked,
            told["joined"],
            told["apart"],
            lambda first, second: certainly_apart(here[first], here[second]),
        )
        return {one: programme_id(here[two] for two in group) for group in groups for one in group}

    def _found(self, present: Sequence[Sketch]) -> list[Link]:
        """The links of records that are here, to one another and to those that were here before; keeps their keys."""
        mine = {one.doc_id: keys(one, rarity()) for one in present}
        rows = [{"key": key, "doc_id": doc_id} for doc_id, held in mine.items() for key in sorted(held)]
        if rows:
            self.connection.execute(insert(LINK_KEYS), rows)
        beside = self._beside(mine)
        known = {one.doc_id: one for one in present}
        others = sorted({other for held in beside.values() for other in held} - known.keys())
        rows_of = stored(self.connection, others)
        known |= {doc_id: self.sketches.of(row) for doc_id, row in rows_of.items()}
        pairs = {pair(one, other) for one, held in beside.items() for other in held if other in known}
        found = (link(known[one], known[other]) for one, other in sorted(pairs))
        return [one for one in found if one is not None]

    def _beside(self, mine: Mapping[str, frozenset[int]]) -> dict[str, set[str]]:
        """The records that share a telling key with each of these."""
        under: dict[int, list[str]] = defaultdict(list)
        for some in _chunks({key for held in mine.values() for key in held}):
            wanted = select(LINK_KEYS.c.key, LINK_KEYS.c.doc_id).where(LINK_KEYS.c.key.in_(some))
            for key, doc_id in self.connection.execute(wanted):
                under[key].append(doc_id)
        return {
            doc_id: {other for key in held if not crowded(len(under[key])) for other in under[key]} - {doc_id}
            for doc_id, held in mine.items()
        }

    def _forget(self, ids: Iterable[str]) -> None:
        for some in _chunks(ids):
            self.connection.execute(delete(LINK_KEYS).where(LINK_KEYS.c.doc_id.in_(some)))
            touched = or_(LINKS.c.first_id.in_(some), LINKS.c.second_id.in_(some))
            self.connection.execute(delete(LINKS).where(touched, LINKS.c.verdict == "linked"))

    def _keep(self, found: Sequence[Link]) -> None:
        """Writes links, but for pairs of which an operator has said something."""
        said = {
            (row["first_id"], row["second_id"])
            for row in self._edges({one.first for one in found})
            if row["verdict"] != "linked"
        }
        rows = [
            {
                "first_id": one.first,
                "second_id": one.second,
                "verdict": "linked",
                "score": one.score,
                "reason": one.reason,
                "at": self.at,
            }
            for one in found
            if (one.first, one.second) not in said
        ]
        if rows:
            self.connection.execute(insert(LINKS), rows)

    def _neighbours(self, ids: Collection[str]) -> set[str]:
        return {one for row in self._edges(ids) for one in (row["first_id"], row["second_id"])}

    def _component(self, ids: Collection[str]) -> Iterator[Row]:
        """Every row about records that can be reached from `ids` over links, and those that keep such records apart."""
        seen: set[str] = set()
        told: set[Pair] = set()
        new = set(ids)
        while new:
            seen |= new
            reached: set[str] = set()
            for row in self._edges(new):
                if (row["first_id"], row["second_id"]) not in told:
                    told.add((row["first_id"], row["second_id"]))
                    yield row
                if row["verdict"] != "apart":
                    reached |= {row["first_id"], row["second_id"]}
            new = reached - seen

    def _edges(self, ids: Collection[str]) -> Iterator[Row]:
        for some in _chunks(ids):
            for side in (LINKS.c.first_id, LINKS.c.second_id):
                found = self.connection.execute(select(LINKS).where(side.in_(some))).mappings().all()
                yield from map(dict, found)

    def _next(self) -> int:
        self._sequence += 1
        return self._sequence


def _chunks(items: Iterable[Any]) -> Iterator[list[Any]]:
    ordered = sorted(items)
    for start in range(0, len(ordered), IDS_AT_ONCE):
        yield ordered[start : start + IDS_AT_ONCE]
