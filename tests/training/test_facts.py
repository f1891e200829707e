from __future__ import annotations

import pytest

from index.document import Document
from training.synthesis.facts import all_facts, facts, title_key


def test_stated_facts_go_before_what_the_text_says():
    document = Document(
        doc_id="a",
        title="Nursing Award",
        description="For master's students.",
        levels=("bachelor",),
        host_countries=("CA",),
    )
    found = facts(document)
    assert found.levels == {"bachelor"}
    assert found.fields == {"0913"}
    assert found.hosts == {"CA"}


def test_a_silent_record_learns_from_its_twin_in_another_feed():
    poor = Document(doc_id="a", title="Fjord Prize", provider="Fjord University")
    rich = Document(
        doc_id="b", title="FJORD PRIZE", provider="Fjord University", levels=("phd",), fields=("0521",)
    )
    found = all_facts([poor], [rich])[0]
    assert (found.levels, found.fields, found.doc_id) == ({"phd"}, {"0521"}, "a")


@pytest.mark.parametrize(
    ("title", "text", "trait"),
    [
        ("Female Leader's Scholarship", "", "women"),
        ("清寒獎學金", "", "need"),
        ("Award", "For refugees and asylum seekers.", "refugee"),
        ("Award", "Open to students with disabilities.", "disability"),
    ],
)
def test_whom_an_award_is_for(title, text, trait):
    assert trait in facts(Document(doc_id="a", title=title, description=text)).traits


def test_a_region_in_words_stands_for_its_countries():
    found = facts(Document(doc_id="a", title="Award", eligibility="For applicants from African countries."))
    assert {"KE", "NG"} <= found.nationalities
    assert "DE" not in found.nationalities


def test_places_are_names_not_parts_of_other_names():
    found = facts(Document(doc_id="a", title="Award of West Virginia", host_countries=("US",)))
    assert found.places == {"West Virginia"}


def test_a_call_for_organisations_is_no_award():
    assert facts(Document(doc_id="a", title="Call", source="us_grants_gov", levels=("phd",))).is_call


def test_titles_of_rounds_share_a_key():
    assert title_key("Fjord Prize 2024/25") == title_key("Fjord  prize (2026)") == "fjord prize"
    assert title_key("115學年度 清寒獎學金") == title_key("116學年度 清寒獎學金")
