"""What changed between two records: nothing if and only if they say the same, otherwise in plain words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.store.content import canonical, read, written
from app.store.diff import changes, sentence
from index.document import Amount, Document, Translation, Window

days = st.dates(date(2026, 1, 1), date(2026, 1, 3))
words = st.sampled_from(["one", "two", "three words here"])
few = st.lists(words, max_size=2, unique=True).map(tuple)


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


windows = st.builds(
    Window,
    opens_on=maybe(st.dates(date(2025, 1, 1), date(2025, 1, 2))),
    deadline_on=maybe(days),
    time=maybe(st.just("12:00")),
    zone=maybe(st.sampled_from(["AoE", "Europe/Oslo"])),
    kind=st.sampled_from(["fixed", "rolling"]),
    text=maybe(words),
)
documents = st.builds(
    Document,
    doc_id=st.just("a"),
    title=words,
    aliases=few,
    provider=maybe(words),
    description=maybe(words),
    host_countries=maybe(st.just(("NO",)) | st.just(("NO", "SE"))),
    levels=maybe(st.just(("phd",))),
    amount=maybe(st.builds(Amount, min=maybe(st.just(1.0)), max=st.just(2.0), text=maybe(words))),
    windows=st.lists(windows, max_size=2).map(tuple),
    translations=st.dictionaries(st.sampled_from(["zh", "de"]), st.builds(Translation, words), max_size=2),
    verified_on=maybe(days),
    updated_at=maybe(st.just(datetime(2026, 1, 1, tzinfo=UTC))),
)


@given(documents, documents)
def test_it_is_empty_exactly_when_both_say_the_same(old: Document, new: Document) -> None:
    found = changes(old, new)
    same = replace(old, updated_at=None) == replace(new, updated_at=None)
    assert (found == []) == same == (written(old)[1] == written(new)[1])
    assert all(change.sentence and change.before != change.after for change in found)
    assert all("\n" not in change.sentence and "None" not in change.sentence for change in found)


@given(documents)
def test_what_is_written_is_read_back(document: Document) -> None:
    text, _ = written(document)
    assert read(text) == document
    assert written(read(text))[0] == text
    assert canonical({"b": 1, "a": "ü"}) == '{"a":"ü","b":1}'


def award(**facts: Any) -> Document:
    return Document("a", "Award", **facts)


def fixed(*deadlines: date | None) -> tuple[Window, ...]:
    return tuple(Window(deadline_on=day, kind="fixed") for day in deadlines)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ({"windows": fixed(date(2026, 10, 1))}, {"windows": fixed(date(2026, 11, 15))},
         "deadline moved from 2026-10-01 to 2026-11-15"),
        ({"windows": fixed(None)}, {"windows": fixed(date(2026, 11, 15))}, "deadline set to 2026-11-15"),
        ({"windows": fixed(date(2026, 11, 15))}, {"windows": fixed(None)},
         "deadline removed (was 2026-11-15)"),
        ({}, {"windows": fixed(date(2026, 11, 15))}, "round added (deadline 2026-11-15)"),
        ({"windows": fixed(date(2026, 1, 1))}, {"windows": fixed(date(2026, 1, 1), None)},
         "round added (no stated deadline)"),
        ({"amount": Amount(max=1000.0, currency="EUR", period="month")}, {"amount": Amount(text="varies")},
         "amount changed from 1000 EUR per month to varies"),
        ({"amount": Amount(min=1e6, max=2e6)}, {}, "amount changed from 1000000 to 2000000 to not stated"),
        ({"provider": "A"}, {"provider": "B"}, "provider changed from A to B"),
        ({}, {"host_countries": ("NO",)}, "host countries added: NO"),
        ({"levels": ("phd", "master")}, {"levels": ("phd", "postdoc")},
         "levels: added postdoc, removed master"),
        ({"description": "x y"}, {"description": "z"}, "description reworded"),
        ({"translations": {"de": Translation("x")}}, {}, "translations changed: de"),
    ],
)  # fmt: skip
def test_sentences(old: dict[str, Any], new: dict[str, Any], said: str) -> None:
    assert sentence(changes(award(**old), award(**new))) == said
