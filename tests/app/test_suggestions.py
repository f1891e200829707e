"""Completions after edits against those of the documents that the edits leave."""

from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.suggestions import Suggestions
from index.document import Document
from index.snapshot import Snapshot

IDS = st.sampled_from([f"d{at:02}" for at in range(10)])
# Few texts, shared by titles, aliases and providers, some of them the later words of others.
TEXTS = st.sampled_from(
    ["Ocean Grant", "Grant", "Nuffic", "Nuffic Ocean Grant", "奖学金", "Öcean Fund", "Fund"]
)
FACTS = st.tuples(TEXTS, st.lists(TEXTS, max_size=2).map(tuple), st.none() | TEXTS)
CORPUS = st.dictionaries(IDS, FACTS, max_size=8)
EDITS = st.dictionaries(IDS, st.none() | FACTS, max_size=8)
PREFIXES = ("o", "g", "n", "f", "奖", "ocean g", "nuffic", "fund", "zz")

Facts = tuple[str, tuple[str, ...], str | None]


def documents(facts: dict[str, Facts]) -> list[Document]:
    return [
        Document(doc_id=doc_id, title=title, aliases=aliases, provider=provider)
        for doc_id, (title, aliases, provider) in sorted(facts.items())
    ]


def of(facts: dict[str, Facts]) -> Suggestions:
    return Suggestions.of(cast("Snapshot", SimpleNamespace(corpus=documents(facts))))


def plainly(facts: dict[str, Facts], prefix: str) -> list[tuple[str, str, str | None]]:
    """The completions written from their definition: look through everything."""
    first: dict[str, tuple[str, str, str | None]] = {}
    for one in documents(facts):
        for text, kind in [
            (one.title, "title"),
            *((a, "alias") for a in one.aliases),
            (one.provider, "provider"),
        ]:
            if text:
                first.setdefault(text, (text, kind, None if kind == "provider" else one.doc_id))
    ranked = []
    for text, found in first.items():
        words = text.casefold().replace("ö", "o").split()
        begins = [at for at in range(len(words)) if " ".join(words[at:]).startswith(prefix)]
        if begins:
            ranked.append((begins[0] != 0, len(text), text, found))
    return [found for *_, found in sorted(ranked)]


def completions(suggestions: Suggestions, prefix: str) -> list[tuple[str, str, str | None]]:
    return [(one["text"], one["kind"], one["id"]) for one in suggestions.complete(prefix, 99)]


@given(CORPUS, EDITS, EDITS)
@example({}, {}, {"d01": ("Grant", (), None)})  # nothing was built
@example({"d01": ("Grant", (), "Grant")}, {}, {"d01": None})  # nothing is left
@example({"d02": ("Grant", (), None)}, {}, {"d01": ("Fund", (), "Grant")})  # a title becomes a provider first
@example(
    {"d01": ("Grant", (), None), "d02": ("Fund", (), "Grant")}, {}, {"d01": None}
)  # and the other way round
def test_edited_equals_remade(
    corpus: dict[str, Facts], earlier: dict[str, Facts | None], edits: dict[str, Facts | None]
) -> None:
    live = of(corpus)
    for edit in (earlier, {**earlier, **edits}):
        added = documents({i: facts for i, facts in edit.items() if facts is not None})
        live = live.edited(added, {i for i, facts in edit.items() if facts is None})
    left = {i: facts for i, facts in {**corpus, **earlier, **edits}.items() if facts is not None}
    for prefix in PREFIXES:
        expected = plainly(left, prefix)
        assert completions(of(left), prefix) == expected
        assert completions(live, prefix) == expected


@pytest.mark.parametrize("limit", [1, 2])
def test_the_shortest_come_first_and_no_more_than_asked(limit: int) -> None:
    live = of({"d1": ("Grant", (), "Grants Office"), "d2": ("Grant of Oslo", (), None)})
    assert [text for text, *_ in completions(live, "grant")] == ["Grant", "Grant of Oslo", "Grants Office"]
    assert [one["text"] for one in live.complete("grant", limit)] == ["Grant", "Grant of Oslo"][:limit]
