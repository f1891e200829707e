from hypothesis import given
from hypothesis import strategies as st

from index.analyzer import analyze
from index.highlight import spans


def marked(text: str, query: str) -> list[str]:
    return [text[start:end] for start, end in spans(text, frozenset(analyze(query)))]


def test_words_of_the_query_are_marked_as_they_stand() -> None:
    assert marked("Grants for Engineers in Germany's north", "engineering grant germany") == [
        "Grants",
        "Engineers",
        "Germany's",
    ]


def test_scripts_without_spaces_are_marked_in_stretches() -> None:
    assert marked("國家留學基金獎學金項目", "奖学金") == ["獎學金"]


def test_no_term_no_mark() -> None:
    assert marked("Grants for engineers", "") == []


@given(st.text(max_size=80), st.text(max_size=20))
def test_spans_lie_in_the_text_in_order(text: str, query: str) -> None:
    found = spans(text, frozenset(analyze(query)))
    edges = [edge for span in found for edge in span]
    assert edges == sorted(edges)
    assert all(0 <= start < end <= len(text) for start, end in found)
