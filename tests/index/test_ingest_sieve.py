"""What is spared a rule because it cannot find anything there: the answer is the same as if it had looked."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from index.ingest.clean import citizens, levels, places, sums
from index.ingest.clean.rounds import cell_texts
from index.ingest.clean.text import _NOTHING, sound, stated

FRAGMENTS = (
    "PhD", "Ph. D", "post-doc", "Postdoktorand", "Master's", "M.Sc.", "LL.M", "MBA", "Máster",
    "undergraduate", "Bachelor of Science", "high school", "students", "candidates", "programme", "碩士",
    "學士", "博士後", "석사과정", "นักศึกษาปริญญาเอก", "Promovierende", "(M.Sc., Ph.D)", "hold a",
    "Citizens of", "German", "South African", "nationals", "International", "the United States",
    "staatsangehörige", "deutsche", "국적", "한국", "不限國籍", "nacionalidad", "china", "any nationality",
    "permanent residents", "or", "not", "€", "1.000", "$5,000", "per month", "2026", "三萬五千元", "10%",
    "australian dollars", "to", "enrolled at a university in Japan", "Studienaufenthalt in Chile", "up to",
    ".", ",", ";", "\n", "plus", "budget", "um in", "zur Promotion an einer deutschen Hochschule", "each",
    "ß", "İ", "ſchool",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=24).map(" ".join)


def _always(_text: str, _words: object) -> bool:
    return True


@given(TEXTS)
@example("Stipendium für Promovierende und Masterstudenten")
@example("Masterstudium (Ph.D, M.Sc.)")
def test_levels_are_found_where_they_are(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "holds_any", _always)
        wanted = levels.levels_in_title(text), levels.levels_in_prose(text)
    assert (levels.levels_in_title(text), levels.levels_in_prose(text)) == wanted


@given(TEXTS)
@example("Only German, French and South African citizens may apply")
@example("international nationals of the United States")
def test_nationalities_are_found_where_they_are(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(citizens, "_worth_reading", lambda _low: True)
        wanted = citizens.read_citizens(text)
    assert citizens.read_citizens(text) == wanted


@given(TEXTS)
@example("enrolled in graduate schools in Japan")
def test_countries_of_study_are_found_where_they_are(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "holds_any", _always)
        wanted = places.host_in_prose(text)
    assert places.host_in_prose(text) == wanted


def _everywhere(plain: str) -> Iterator[re.Match[str]]:
    return sums._pattern().finditer(plain)


@given(TEXTS, st.integers(0, 200))
@example("500 australian dollars to australian dollars 600", 90)
def test_sums_are_found_where_they_are(text: str, gap: int) -> None:
    text = f"{text}{' word' * (gap // 5)} {text}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "_numbers", _everywhere)
        wanted = sums.mentions(text)
    assert sums.mentions(text) == wanted


@given(st.text(alphabet="-/.* N/Aané\n\t", max_size=450))
@example("/\n/")
def test_a_long_cell_says_nothing_on_the_same_terms_as_a_short_one(text: str) -> None:
    clean = sound(text)
    plain = "-".join(clean.casefold().strip(" .-–—/*?#").split())
    assert stated(text) == (None if not plain or plain in _NOTHING else clean)


def test_a_list_written_out_is_opened_and_what_only_looks_so_is_not() -> None:
    assert cell_texts(" ['a', 'b'] ") == ["a", "b"]
    assert cell_texts("[LEGACY] Award") == ["[LEGACY] Award"]
    assert cell_texts("[LEGACY]") == ["[LEGACY]"]
    assert cell_texts("{'a': 1}") == ["{'a': 1}"]
