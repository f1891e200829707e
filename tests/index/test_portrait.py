"""Portraits: the telling facts first, in words, nothing twice, no days among the facts."""

from hypothesis import given
from hypothesis import strategies as st

from index.document import Amount, Document, Translation
from index.fieldname import field_name
from index.passage import passages, units
from index.portrait import MAX_UNITS, portrait, portrait_fingerprint


def told(twelve: tuple[Document, ...], doc_id: str, passage: str | None = None) -> str:
    return portrait(next(one for one in twelve if one.doc_id.startswith(doc_id)), passage)


def test_facts_stand_in_words_and_the_most_telling_first(twelve):
    text = told(twelve, "a01")
    order = [
        "Ocean Futures Doctoral Fellowship", "Also OFDF", "Northsea Institute", "In Norway", "Level PhD doctoral",
        "Field environmental science", "Open to any nationality", "Amount EUR 32000 a year",
        "Four years of funding",
    ]  # fmt: skip
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_a_foreign_record_keeps_its_title_and_gains_the_english_one(twelve):
    text = told(twelve, "a02")
    assert text.startswith(
        "丝路青年硕士奖学金. Also Silk Road Youth Master's Scholarship; Silk Road Youth Scholarship"
    )
    assert "In China" in text
    assert "Open to nationals of Indonesia, Kazakhstan, Pakistan" in text


def test_an_alias_that_repeats_the_title_is_not_said_again():
    one = Document(doc_id="x", title="Foo-Bar Award", aliases=("foo bar award", "FBA"))
    assert portrait(one) == "Foo-Bar Award. Also FBA"


def test_no_window_shows(twelve):
    # Windows hold dates of 2026 and 2027; the facts speak of neither.
    assert all("2026" not in portrait(one) and "2027" not in portrait(one) for one in twelve)


def test_the_chosen_passage_is_said_once_without_its_head(twelve):
    one = twelve[0]
    for text, _ in passages(one, 12):
        shown = portrait(one, text)
        assert shown.count(one.title) == 1
        assert shown.count("Northsea Institute") == 1
    eligibility = passages(one, 12)[-1][0]
    assert "chemistry or earth science" in portrait(one, eligibility)


def test_an_empty_record_is_its_title():
    assert portrait(Document(doc_id="x", title="Only a name")) == "Only a name"
    assert portrait(Document(doc_id="x", title="", description="Only a text.")) == "Only a text"


@given(title=st.text(max_size=80), description=st.text(max_size=3000), alias=st.text(max_size=20))
def test_a_portrait_is_one_line_of_bounded_length(title, description, alias):
    shown = portrait(Document(doc_id="x", title=title, description=description, aliases=(alias,)))
    head = units(title) + units(alias)
    assert units(shown) <= head + MAX_UNITS + 5


def test_long_lists_say_how_many_more():
    codes = ("AT", "BE", "BG", "HR", "CY", "CZ", "DK", "EE")
    one = Document(doc_id="x", title="T", host_countries=codes, amount=Amount(min=5, max=9, period="month"))
    assert (
        portrait(one)
        == "T. In Austria, Belgium, Bulgaria, Croatia, Cyprus, Czechia and 2 more. Amount 5 to 9 a month"
    )


def test_fields_are_named_whatever_their_code(shared):
    lines = (shared / "data/vocab/isced_f_2013.csv").read_text(encoding="utf-8").splitlines()[1:]
    codes = [line.split(",", 1)[0] for line in lines]
    assert len(codes) > 100
    assert [code for code in codes if field_name(code) == code] == []
    assert field_name("Horizon Europe") == "Horizon Europe"


def test_a_translation_without_a_new_title_adds_nothing():
    one = Document(doc_id="x", title="同名", translations={"en": Translation("同名", "An award.")})
    assert portrait(one) == "同名"


def test_the_fingerprint_names_the_rules(monkeypatch):
    before = portrait_fingerprint()
    monkeypatch.setattr("index.portrait.MAX_UNITS", 10)
    assert portrait_fingerprint() != before
