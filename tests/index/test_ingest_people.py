from __future__ import annotations

import pytest
from babel import Locale
from hypothesis import given
from hypothesis import strategies as st

from index.countries import COUNTRIES
from index.gazetteer import LOCALES
from index.ingest.clean.citizens import read_citizens
from index.ingest.clean.disciplines import read_fields, split_fields
from index.ingest.clean.levels import levels_in_prose, levels_in_title, read_levels
from index.ingest.clean.places import find_countries, host_countries, host_in_prose, host_in_title, names

Codes = tuple[str, ...] | None


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("Montreal ,Canada", ("CA",)),
        ("Zagreb ,Croatia (Hrvatska)", ("HR",)),
        ("Groningen ,Netherlands The", ("NL",)),
        ("Hong Kong, Hong Kong (SAR)", ("HK",)),
        ("Hong Kong ,Hong Kong S.A.R.", ("HK",)),
        ("Chile, Colombia, México, Perú", ("CL", "CO", "MX", "PE")),
        ("Corea del Sur", ("KR",)),
        ("Anywhere in Australia", ("AU",)),
        ("Australian Capital Territory", ("AU",)),
        ("Atlanta, Georgia, United States", ("US",)),
        ("Europe ,Europe", None),
        ("Multiple ,Africa", None),
        ("Varios", None),
        ("En línea", None),
        ("Albuquerque, New Mexico", None),
    ],
)
def test_places_of_study(place: str, expected: Codes) -> None:
    assert host_countries(place) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("PhD in Physics, Ghent University, Belgium", ("BE",)),
        ("studia licencjackie w USA", ("US",)),
        ("studia doktoranckie w Australii", ("AU",)),
        ("pobyty badawcze we Francji", ("FR",)),
        ("Challenge Yourself India", None),
        ("wystawa w Warszawie", None),
        ("Chinese Government Scholarship", None),
    ],
)
def test_a_title_names_the_place_only_where_it_says_so(title: str, expected: Codes) -> None:
    assert host_in_title(title) == expected


def test_a_sentence_names_the_place_only_where_it_says_so() -> None:
    assert host_in_prose("candidates enrolled in graduate schools located in the Kanto area of Japan.") == (
        "JP",
    )
    assert host_in_prose("die zur Promotion an einer deutschen Hochschule zugelassen sind") == ("DE",)
    assert host_in_prose("a scholarship for students from Japan") is None


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("Chilean citizens undertaking study", ("CL",)),
        ("be citizens and permanent residents of Australia, Canada and New Zealand.", ("AU", "CA", "NZ")),
        ("Nacionalidad peruana", ("PE",)),
        ("Ser nacional de Chile, Colombia, México o Perú", ("CL", "CO", "MX", "PE")),
        ("대한민국 국적으로 국내 대학에 재학 중인", ("KR",)),
        ("일본 국적을 보유한 외국인 유학생", ("JP",)),
        ("具有中華民國國籍", ("TW",)),
        ("不限定中華民國國籍", ("any",)),
        ("open to any nationality", ("any",)),
    ],
)
def test_nationalities_that_a_rule_asks_for(rule: str, expected: Codes) -> None:
    assert read_citizens(rule).codes == expected


@pytest.mark.parametrize(
    "rule",
    [
        "No tener nacionalidad china",
        "한국 이외의 국적 소유",
        "must not be citizens of the US",
        "nationals of countries that are not part of the EU",
        "with the exception of Indian nationals",
        "Canadian citizen or landed immigrant",
        "vara svensk medborgare eller ha bott i Sverige",
        "an Australian bachelor degree",
        "226 nationalities",
        "international students",
        "legally living in the United States",
        "aus dem Ausland",
        "Nacionalidad de un país de America Latina",
        "아시아 국적 소유자",
        "Commonwealth citizens",
        "設籍嘉義市六個月以上",
        "EU citizens",
        "Australian or New Zealand citizens, or permanent residents or international students",
    ],
)
def test_what_is_no_list_of_nationalities_is_none(rule: str) -> None:
    assert read_citizens(rule).codes is None


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (["Undergraduate"], ("bachelor",)),
        (["Maestría", "Doctorado", "Posdoctorado"], ("master", "phd", "postdoc")),
        (["Pregrado", "Doctorado", "Intercambio"], ("bachelor", "phd", "other")),
        (["大一", "大二", "大三", "大四", "碩", "博"], ("bachelor", "master", "phd")),
        (["Técnico"], ("vocational",)),
        (["Undergraduate", "Postgraduate"], None),
        (["studenci"], None),
        ([], None),
    ],
)
def test_a_level_column_is_read_whole_or_not_at_all(items: list[str], expected: Codes) -> None:
    assert read_levels(items) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Fully Funded PhD & Postdoc Positions", ("phd", "postdoc")),
        ("Banting Postdoctoral Fellowships", ("postdoc",)),
        ("Post-doctoral Fellowships", ("postdoc",)),
        ("Fully Funded Master’s and PhD", ("master", "phd")),
        ("Computational Biology (M.Sc.)", ("master",)),
        ("Stipendien für Promovierende", ("phd",)),
        ("Humboldt-Forschungsstipendien für Postdoktoranden", ("postdoc",)),
        ("석사우수 장학금 (이공계)", ("master",)),
        ("獎助碩博士獎學金", ("master", "phd")),
        ("(ปริญญาโท)", ("master",)),
        ("studia magisterskie/doktoranckie", ("master", "phd")),
        ("Fully Funded Rotary Peace Fellowship", None),
    ],
)
def test_levels_in_titles(title: str, expected: Codes) -> None:
    assert levels_in_title(title) == expected


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("open for international Ph.D. students", ("phd",)),
        ("A full-time student in a bachelor's degree program", ("bachelor",)),
        ("students in the Master of Social Work degree program", ("master",)),
        ("Bachelorstudierende aus den Naturwissenschaften", ("bachelor",)),
        ("Studierende (MSc oder PhD) in den Naturwissenschaften", ("master", "phd")),
        ("นักศึกษาระดับมหาบัณฑิต", ("master",)),
        ("ผู้สำเร็จการศึกษาระดับปริญญาโท", None),
        ("hold an Australian or New Zealand bachelor degree", None),
        ("Honours / Postgraduate scholarships", None),
        ("post-graduate, doctoral and post-doctoral students", None),
    ],
)
def test_levels_in_sentences(rule: str, expected: Codes) -> None:
    assert levels_in_prose(rule) == expected


def test_fields_become_codes_where_the_name_is_known() -> None:
    assert read_fields(split_fields("Mathematics, Medicine and Health Sciences, Sciences and Chemistry")) == (
        "0541", "091", "Sciences and Chemistry",
    )  # fmt: skip
    assert read_fields(split_fields("Unrestricted")) is None
    assert read_fields(["Todas"]) is None


@given(st.sampled_from(sorted(COUNTRIES)), st.sampled_from(LOCALES))
def test_a_country_that_cldr_names_is_found_or_left_alone(code: str, locale: str) -> None:
    name = str(Locale.parse(locale).territories.get(code, "")).casefold()
    found = find_countries(name)
    assert names().get(name, code) == code
    assert found in {(), (code,)} or code in found or len(name) < 4 or name not in names()


@given(st.text())
def test_nothing_raises(text: str) -> None:
    read_citizens(text)
    host_countries(text)
    host_in_title(text)
    levels_in_prose(text)
    read_fields(split_fields(text))


@given(st.text(alphabet="0123456789 .,;:-()/[]{}!?%$€\n", max_size=60))
def test_no_country_level_or_nationality_without_a_word(text: str) -> None:
    assert (host_countries(text), read_citizens(text).codes, levels_in_title(text)) == (None, None, None)
