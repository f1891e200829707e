from hypothesis import given
from hypothesis import strategies as st

from index.document import Document, Translation
from index.passage import MAX_PASSAGES, facts, passages, split, units, without_head

TEXTS = st.text(alphabet=st.sampled_from("ab 奖学。.\n"), max_size=600)


@given(TEXTS, st.integers(5, 60))
def test_a_split_loses_no_word_and_keeps_the_bound(text: str, limit: int) -> None:
    chunks = split(text, limit)
    assert "".join("".join(chunks).split()) == "".join(text.split())
    assert all(units(chunk) <= limit for chunk in chunks)


def test_sentences_stay_whole_where_they_can() -> None:
    assert split("One two. Three four. Five six.", 4) == ["One two. Three four.", "Five six."]


def test_each_passage_can_be_understood_alone() -> None:
    document = Document(
        doc_id="x", title="Ocean Award", provider="Northsea Institute", description="word " * 300,
        host_countries=("NO",), levels=("phd",),
    )  # fmt: skip
    texts = [text for text, _ in passages(document, 90)]
    assert 3 <= len(texts) <= MAX_PASSAGES
    assert all(text.startswith("Ocean Award. Northsea Institute") for text in texts)
    assert "Norway" in texts[0]
    assert "PhD" in texts[0]


def test_a_document_without_a_body_is_one_passage() -> None:
    assert passages(Document(doc_id="x", title="Ocean Award"), 90) == [("Ocean Award", "en")]


def test_what_is_not_stated_is_not_said() -> None:
    assert facts(Document(doc_id="x", title="t")) == ""


def test_a_translation_is_a_passage_in_its_own_language() -> None:
    document = Document(
        doc_id="x",
        title="玉河奖学金",
        language="zh",
        translations={
            "en": Translation("Jade River Scholarship", "For master students."),
            "de": Translation(""),
        },
    )
    assert passages(document, 90) == [
        ("玉河奖学金", "zh"),
        ("Jade River Scholarship. For master students.", "en"),
    ]


def test_field_codes_are_not_words() -> None:
    document = Document(doc_id="x", title="t", fields=("0521", "Marine science"))
    assert facts(document) == "Marine science"


def test_a_passages_own_words_come_without_its_head() -> None:
    document = Document(
        doc_id="x", title="Ocean Award", provider="Institute", description="For divers.", levels=("phd",)
    )
    (text, _), *_ = passages(document, 90)
    assert without_head(text, document) == "For divers."
    bare = Document(doc_id="x", title="Ocean Award")
    assert without_head(passages(bare, 90)[0][0], bare) == "Ocean Award"
