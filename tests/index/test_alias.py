from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.abbreviation import long_form, mine
from index.alias import Alias, only_names
from index.document import Document
from index.lexical import Lexical
from index.lexicon import entities
from index.mention import Names
from index.spelling import Spelling
from index.terms import document_terms

DOCUMENTS = tuple(
    Document(doc_id=f"d{at}", title=title, provider=provider, host_countries=countries, language="en")
    for at, (title, provider, countries) in enumerate(
        [
            ("NSF Graduate Research Fellowship Program", "U.S. National Science Foundation", ("US",)),
            ("Chinese Government Scholarship", "China Scholarship Council", ("CN",)),
            ("Commonwealth Scholarship", "Commonwealth Scholarship Commission in the UK", ("GB",)),
            ("Doctoral grants in engineering", "German Academic Exchange Service (GAES)", ("DE",)),
            ("National Science Week prize", "Town of Springfield", None),
            ("Orange Knowledge Programme", "Nuffic", ("NL",)),
        ]
    )
)
LEXICAL = Lexical.build([document_terms(document) for document in DOCUMENTS], 1.5, 0.75)
ALIAS = Alias.build(DOCUMENTS)


def found(query: str) -> list[str]:
    ranked, _ = ALIAS.search(query, None, LEXICAL, 10)
    return [DOCUMENTS[row].title for row in ranked.rows]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("NSF GRFP", "NSF Graduate Research Fellowship Program"),
        ("grfp", "NSF Graduate Research Fellowship Program"),
        ("国家留学基金委", "Chinese Government Scholarship"),
        ("德国 博士 工程", "Doctoral grants in engineering"),
        ("nuffic NFP", "Orange Knowledge Programme"),
        ("GAES grants", "Doctoral grants in engineering"),  # an abbreviation that a document explains
        ("commonwelth scholarship", "Commonwealth Scholarship"),
        ("장학금 독일 박사", "Doctoral grants in engineering"),
    ],
)
def test_another_name_finds_the_programme(query: str, first: str) -> None:
    assert found(query)[0] == first


def test_a_shared_abbreviation_follows_the_country_that_is_named() -> None:
    assert found("CSC scholarship in the UK")[0] == "Commonwealth Scholarship"
    assert found("CSC scholarship China")[0] == "Chinese Government Scholarship"


def test_half_of_a_name_is_another_name() -> None:
    """B53: "NSF" stands for three words; documents with one or two of them are not meant."""
    assert "National Science Week prize" not in found("NSF xyz")


def test_a_query_that_names_nothing_gets_nothing() -> None:
    assert found("springfield science week") == []
    assert found("zzqx") == []
    assert found("") == []


def test_a_mask_holds() -> None:
    only = np.zeros(len(DOCUMENTS), bool)
    only[4] = True
    ranked, _ = ALIAS.search("NSF GRFP", None, LEXICAL, 10, only)
    assert set(ranked.rows.tolist()) <= {4}


def test_short_capitals_are_names_only_in_capitals() -> None:
    names = Names.of(entities())
    assert [m.surface for m in names.mentions("what if VR")] == ["VR"]
    assert not [m for m in names.mentions("what if vr") if m.surface == "vr"]


@given(st.text(max_size=60))
def test_any_text_can_be_asked(text: str) -> None:
    for mention in Names.of(entities()).mentions(text):
        assert mention.entities


def test_the_longest_name_wins() -> None:
    surfaces = [mention.surface for mention in Names.of(entities()).mentions("机械工程 博士后")]
    assert surfaces == ["机械工程", "博士后"]


def test_a_loaded_leg_answers_as_the_built_one(tmp_path: Path) -> None:
    ALIAS.save(tmp_path)
    loaded = Alias.load(tmp_path)
    for query in ("GAES grants", "commonwelth", "德国 博士"):
        ours, theirs = (leg.search(query, None, LEXICAL, 9)[0] for leg in (ALIAS, loaded))
        assert ours.rows.tolist() == theirs.rows.tolist()
        assert ours.scores.tolist() == theirs.scores.tolist()


@pytest.mark.parametrize(
    ("before", "short", "long"),
    [
        (
            "the Society of Hispanic Professional Engineers",
            "SHPE",
            "Society of Hispanic Professional Engineers",
        ),
        ("by the Department of Energy", "DOE", "Department of Energy"),
        ("Deutscher Akademischer Austauschdienst", "DAAD", None),  # its letters are not its initials
        ("pay a fee", "PF", None),
        ("a few words", "abc", None),
    ],
)
def test_long_forms(before: str, short: str, long: str | None) -> None:
    assert long_form(before, short) == long


def test_an_explained_abbreviation_is_mined_once() -> None:
    explained = [
        Document(doc_id=str(at), title="x", description="Paid by the Great Lakes Trust (GLT).")
        for at in range(3)
    ]
    assert [entity.surfaces for entity in mine(explained)] == [("Great Lakes Trust", "GLT")]


def test_only_unknown_long_words_are_corrected() -> None:
    spelling = Spelling.of(DOCUMENTS)
    corrected = dict(spelling.corrections("goverment fellowshp NSF grant", lambda word: word == "grant"))
    assert corrected["goverment"][0][0] == "government"
    assert corrected["fellowshp"][0][0] == "fellowship"
    assert set(corrected) == {"goverment", "fellowshp"}


def test_every_shipped_surface_finds_its_own_entity() -> None:
    """A surface that reads as something else in its own table is a mistake of the table."""
    names = Names.of(entities())
    for entity in entities():
        if entity.kind == "programme":
            mentioned = names.mentions(entity.name)
            assert any(entity in mention.entities for mention in mentioned), entity.name


def test_only_a_query_that_is_nothing_but_a_name_is_certain() -> None:
    for text, certain in (("NSF GRFP", True), ("GRFP deadline", False), ("germany phd", False), ("", False)):
        bridges = ALIAS.bridges(text, None, LEXICAL)
        assert only_names(text, bridges, None) is certain, text
