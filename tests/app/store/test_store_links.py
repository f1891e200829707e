"""Links in the store, on SQLite and PostgreSQL: made after the writes, seen by followers, undone by operators."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import select, update

from app.store import Edit, Store
from app.store.archive import backup, restore
from app.store.links import NotLinkable, join, link_pending, links_of, separate, standing
from app.store.tables import META, OPPORTUNITIES
from index.catalogue.shipped import programmes
from index.document import Document, Window
from index.linking.cluster import clusters
from index.linking.decision import certainly_apart
from index.linking.linker import links
from index.linking.sketch import sketch

AT = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)
OCEAN = Document(doc_id="a", title="Ilse Marquardt Ocean Scholarship", provider="Kiel University")
TWIN = replace(OCEAN, doc_id="b", title="Ilse Marquardt Ocean Scholarships 2027", source="feed-b")
OTHER = Document(doc_id="z", title="Quantum Baking Prize", provider="Lund University")


def programmes_of(store: Store) -> dict[str, str | None]:
    return {one.doc_id: one.programme_id for one in store.documents()}


def groups_of(store: Store) -> set[frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for one in store.documents():
        if one.programme_id is not None:
            groups.setdefault(one.programme_id, set()).add(one.doc_id)
    return {frozenset(group) for group in groups.values()}


def test_two_records_of_one_award_become_one_programme_and_followers_see_it(store: Store) -> None:
    store.upsert([OCEAN, TWIN, OTHER], "feed", AT)
    seen = store.sequence()
    done = link_pending(store, AT)
    assert (done.compared, done.links, done.moved) == (3, 1, 2)
    told = programmes_of(store)
    assert told["a"] == told["b"] is not None
    assert told["z"] is None
    changed = {one.doc_id: one.document for one in store.changes_since(seen)}
    assert changed.keys() == {"a", "b"}
    assert all(one is not None and one.programme_id == told["a"] for one in changed.values())
    assert [one.document for one in store.news(seen, 10).changes] == list(changed.values())
    # What was written stays as it was written.
    assert {one.doc_id: one.programme_id for one in store.records()} == dict.fromkeys("abz")
    entry = store.get("a")
    assert entry is not None
    assert entry.document == OCEAN
    assert store.revisions("a") == []
    assert link_pending(store, AT).compared == 0
    assert store.upsert([OCEAN, TWIN], "feed", AT)[0].status == "unchanged"
    assert [(one.other, one.verdict, one.reason) for one in links_of(store, "a")] == [
        ("b", "linked", "same name and provider")
    ]


def test_a_later_record_is_linked_and_one_that_goes_lets_go(store: Store) -> None:
    store.upsert([OCEAN, OTHER], "feed", AT)
    link_pending(store, AT)
    store.upsert([TWIN], "feed", AT)
    assert link_pending(store, AT).compared == 1
    assert groups_of(store) == {frozenset("ab")}
    store.delete("b", AT)
    link_pending(store, AT)
    assert programmes_of(store) == {"a": None, "z": None}
    store.upsert([TWIN], "feed", AT)
    link_pending(store, AT)
    assert groups_of(store) == {frozenset("ab")}
    store.upsert([replace(TWIN, title="Another Thing Entirely")], "feed", AT)
    link_pending(store, AT)
    assert groups_of(store) == set()


def test_an_operator_keeps_two_apart_for_ever_and_may_join_them_again(store: Store) -> None:
    third = replace(OCEAN, doc_id="c", windows=(Window(cycle="2027"),))
    store.upsert([OCEAN, TWIN, third], "feed", AT)
    link_pending(store, AT)
    assert groups_of(store) == {frozenset("abc")}
    assert separate(store, "b", "a", AT).moved > 0
    assert not any({"a", "b"} <= group for group in groups_of(store))
    store.upsert([replace(TWIN, description="Told anew.")], "feed", AT)
    link_pending(store, AT)
    assert not any({"a", "b"} <= group for group in groups_of(store))
    assert links_of(store, "a")[0].verdict == "apart"
    join(store, "a", "b", AT)
    assert groups_of(store) == {frozenset("abc")}
    assert standing(store).joined == 1


def test_an_operator_joins_what_no_rule_would(store: Store) -> None:
    store.upsert([OCEAN, OTHER], "feed", AT)
    link_pending(store, AT)
    before = store.sequence()
    assert join(store, "z", "a", AT).moved == 2
    assert groups_of(store) == {frozenset("az")}
    assert store.sequence() == before + 2
    store.upsert([replace(OTHER, description="Told anew.")], "feed", AT)
    link_pending(store, AT)
    assert groups_of(store) == {frozenset("az")}
    separate(store, "a", "z", AT)
    assert groups_of(store) == set()


def test_a_stated_programme_names_the_group(store: Store) -> None:
    store.upsert([replace(OCEAN, programme_id="ocean"), TWIN], "feed", AT)
    link_pending(store, AT)
    assert programmes_of(store) == {"a": "ocean", "b": "ocean"}
    store.delete("b", AT)
    link_pending(store, AT)
    assert programmes_of(store) == {"a": "ocean"}


def test_what_readers_were_shown_can_be_sent_back_and_asked_for(store: Store) -> None:
    store.upsert([OCEAN, TWIN], "feed", AT)
    link_pending(store, AT)
    (shown, _) = store.documents()
    assert shown.programme_id is not None
    seen: list[Document | None] = []
    edited = store.edit([Edit.put(shown, lambda held: seen.append(held) is None)], "api", AT)
    assert seen == [shown]
    assert edited.outcomes[0].status == "unchanged"


@pytest.mark.parametrize(("first", "second"), [("a", "a"), ("a", "nobody"), ("a", "z")])
def test_only_two_records_that_are_there_can_be_linked(store: Store, first: str, second: str) -> None:
    store.upsert([OCEAN, OTHER], "feed", AT)
    store.delete("z", AT)
    for say in (join, separate):
        with pytest.raises(NotLinkable):
            say(store, first, second, AT)


def test_links_survive_a_backup_and_are_made_on_afterwards(store: Store, tmp_path: Path) -> None:
    store.upsert([OCEAN, TWIN, OTHER], "feed", AT)
    link_pending(store, AT)
    join(store, "a", "z", AT)
    backup(store, tmp_path / "kept")
    store.delete("a", AT)
    link_pending(store, AT)
    restore(store, tmp_path / "kept")
    assert groups_of(store) == {frozenset("abz")}
    link_pending(store, AT)
    assert groups_of(store) == {frozenset("abz")}
    store.upsert([replace(OCEAN, doc_id="d")], "feed", AT)
    link_pending(store, AT)
    assert groups_of(store) == {frozenset("abdz")}


def test_other_rules_make_all_links_anew(store: Store) -> None:
    store.upsert([OCEAN, TWIN], "feed", AT)
    link_pending(store, AT)
    with store.engine.begin() as connection:
        connection.execute(update(META).where(META.c.key == "linking_rules").values(value="older"))
    assert link_pending(store, AT).compared == 2
    assert groups_of(store) == {frozenset("ab")}


def test_an_interrupted_pass_goes_on_where_it_stopped(store: Store) -> None:
    store.upsert([OCEAN, OTHER, TWIN], "feed", AT)
    assert link_pending(store, AT, batch=1, most=2).compared == 2
    assert groups_of(store) == set()
    assert link_pending(store, AT, batch=1).compared == 1
    assert groups_of(store) == {frozenset("ab")}


def test_record_by_record_gives_what_one_pass_over_all_gives(store: Store) -> None:
    some = list(islice(programmes(), 120))
    rng = random.Random(5)
    copies = [replace(one, doc_id=f"copy-{one.doc_id}", title=f"The {one.title}") for one in some[::2]]
    arriving = [*some, *copies, replace(copies[0], doc_id="third", provider=None)]
    rng.shuffle(arriving)
    while arriving:
        several = [arriving.pop() for _ in range(min(len(arriving), rng.randint(1, 40)))]
        store.upsert(several, "feed", AT)
        if rng.random() < 0.5:
            store.delete(rng.choice(several).doc_id, AT)
        link_pending(store, AT, batch=rng.choice([3, 500]))
    with store.engine.begin() as connection:
        gone = select(OPPORTUNITIES.c.doc_id).where(OPPORTUNITIES.c.deleted_at.is_not(None))
        assert connection.execute(gone).scalars().all()
    known = {one.doc_id: sketch(one) for one in store.records()}
    whole = clusters(
        links(list(known.values())), conflicting=lambda one, other: certainly_apart(known[one], known[other])
    )
    assert groups_of(store) == {frozenset(group) for group in whole}
    assert len(whole) >= 30
