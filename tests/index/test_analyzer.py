import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.analyzer import analyze, fingerprint, fold, normalise
from index.language import detect


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("CSC奖学金2026", ["csc", "奖学", "学金", "奖学金", "2026"]),
        ("獎學金", ["奖学", "学金", "奖学金"]),  # traditional and simplified are one word
        ("ＮＳＦ　ＧＲＦＰ", ["nsf", "grfp"]),  # full width
        ("N.S.F. award", ["nsf", "award"]),
        ("Master's scholarships for engineers", ["master", "scholarship", "engin"]),
        ("maestría", ["maestri"]),
        ("장학금", ["장학", "학금"]),
        ("ทุน", ["ทุ", "ุน"]),  # a vowel sign belongs to its word
        ("金", ["金"]),
        ("", []),
        ("!!! --- ", []),
    ],
)
def test_terms(text: str, terms: list[str]) -> None:
    assert analyze(text, None if text != "maestría" else "es") == terms


def test_a_latin_word_inside_chinese_is_stemmed_as_english() -> None:
    assert "fellowship" in analyze("博士后 Fellowships 2026")


def test_query_and_document_words_meet_in_each_language() -> None:
    pairs = [
        ("es", "becas doctorales", "beca doctoral"),
        ("de", "Stipendien für Promotionen", "Stipendium Promotion"),
        ("sv", "bidraget för studier", "bidrag"),
    ]
    for language, document, query in pairs:
        assert set(analyze(document, language)) & set(analyze(query, language)), language


@given(st.text())
def test_any_text_gives_terms_without_white_space(text: str) -> None:
    assert all(term and not any(c.isspace() for c in term) for term in analyze(text))


@given(st.text(alphabet=st.characters(max_codepoint=0x24F)))
def test_case_and_composition_do_not_matter(text: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    assert fold(decomposed) == fold(text)


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_the_fingerprint_is_stable_and_says_what_it_is() -> None:
    assert fingerprint() == fingerprint()
    assert fingerprint().startswith("analyzer-")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("phd scholarships taiwan", "en"),
        ("tata capital scholarship", "en"),
        ("国家留学基金委 博士", "zh"),
        ("CSC奖学金 2026", "zh"),
        ("대통령과학장학금", "ko"),
        ("日本学生支援機構の奨学金", "ja"),
        ("ทุนการศึกษา", "th"),
        ("beca para estudiar maestría en Corea del Sur", "es"),
        ("Stipendium für Promotion Krebsforschung", "de"),
        ("2026", "en"),
        ("", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert detect(text) == language
