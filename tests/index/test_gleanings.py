"""An alias leg over edited documents against one built anew from what the edits leave."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from index.alias import Alias
from index.document import Document
from index.gleanings import Gleaned
from index.splice import Splice

IDS = st.sampled_from([f"d{at:02}" for at in range(12)])
TITLES = st.sampled_from(["Ocean Grant", "Fulbright Award", "Fulbright Öcean grants", "奖学金", "USA"])
PROVIDERS = st.none() | st.sampled_from(["Great Lakes Trust (GLT)", "GREAT Lakes Trust (GLT)", "Nuffic"])
# Long forms that differ in case only, two in one text, one abbreviation of two long forms, one shipped surface.
EXPLAINED = st.none() | st.sampled_from(
    [
        "Paid by the Great Lakes Trust (GLT).",
        "Great Lakes Trust (GLT). Society of Hispanic Professional Engineers (SHPE).",
        "Green Land Trees (GLT)",
        "National Sea Foundation (NSF)",
    ]
)
FACTS = st.tuples(TITLES, PROVIDERS, EXPLAINED)
CORPUS = st.dictionaries(IDS, FACTS, max_size=10)
EDITS = st.dictionaries(IDS, st.none() | FACTS, max_size=10)

Facts = tuple[str, str | None, str | None]


def documents(facts: dict[str, Facts]) -> list[Document]:
    return [
        Document(doc_id=doc_id, title=title, provider=provider, description=description, aliases=("Laker",))
        for doc_id, (title, provider, description) in sorted(facts.items())
    ]


def edited(base: Alias, corpus: dict[str, Facts], edits: dict[str, Facts | None]) -> Alias:
    added = documents({doc_id: facts for doc_id, facts in edits.items() if facts is not None})
    splice = Splice.of(
        sorted(corpus), [i for i, facts in edits.items() if facts is None], [d.doc_id for d in added]
    )
    return base.spliced(splice, [Gleaned.of(document) for document in added])


def agree(live: Alias, rebuilt: Alias) -> None:
    assert list(live.names.by_key.items()) == list(rebuilt.names.by_key.items())
    assert live.names.capitals_only == rebuilt.names.capitals_only
    assert live.spelling == rebuilt.spelling
    assert live.gleanings.stated == rebuilt.gleanings.stated


LAKES: Facts = ("Ocean Grant", "Great Lakes Trust (GLT)", None)
LOUD: Facts = ("Ocean Grant", "GREAT Lakes Trust (GLT)", None)


@given(CORPUS, EDITS)
@example({}, {"d01": LAKES})  # nothing was built
@example({"d01": LAKES}, {"d01": None})  # nothing is left
@example({"d01": LAKES}, {})  # nothing changed
@example({"d01": LAKES, "d02": LOUD}, {"d01": None})  # the first to write a long form is gone
@example({"d02": LAKES}, {"d01": LOUD})  # another comes to be the first
def test_edited_equals_rebuilt(corpus: dict[str, Facts], edits: dict[str, Facts | None]) -> None:
    left = {i: facts for i, facts in {**corpus, **edits}.items() if facts is not None}
    agree(edited(Alias.build(documents(corpus)), corpus, edits), Alias.build(documents(left)))


@given(CORPUS, EDITS)
def test_a_saved_leg_can_be_edited(
    tmp_path_factory: pytest.TempPathFactory, corpus: dict[str, Facts], edits: dict[str, Facts | None]
) -> None:
    folder: Path = tmp_path_factory.mktemp("alias")
    Alias.build(documents(corpus)).save(folder)
    left = {i: facts for i, facts in {**corpus, **edits}.items() if facts is not None}
    agree(edited(Alias.load(folder), corpus, edits), Alias.build(documents(left)))
