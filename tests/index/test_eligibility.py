"""Verdicts and their reasons: nothing is claimed that neither side stated."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.document import Document
from index.eligibility import REASONS, Verdict, judge
from index.rules import RULES, speaks_of
from index.types import Profile

TODAY = date(2026, 10, 1)


def award(**facts: object) -> Document:
    return Document(doc_id="x", title="Award", **facts)  # type: ignore[arg-type]


def codes(verdict: Verdict) -> list[str]:
    return [reason.code for reason in verdict.reasons]


def test_nothing_asked_is_unknown_without_reasons() -> None:
    assert judge(award(levels=("phd",)), None, None, TODAY) == Verdict("unknown")
    assert judge(award(levels=("phd",)), None, Profile(), TODAY) == Verdict("unknown")


@pytest.mark.parametrize(
    ("stated", "verdict", "code"),
    [
        (None, "unknown", "nationality_not_stated"),
        (("any",), "eligible", "nationality_any"),
        (("CN", "IN"), "eligible", "nationality_listed"),
        (("DE",), "ineligible", "nationality_not_listed"),
    ],
)
def test_nationality(stated: tuple[str, ...] | None, verdict: str, code: str) -> None:
    found = judge(award(eligible_nationalities=stated), "CN", None, TODAY)
    assert (found.verdict, codes(found)) == (verdict, [code])
    assert found.reasons[0].stated == (stated or ())
    assert judge(award(eligible_nationalities=stated), None, Profile(nationality="CN"), TODAY) == found


def test_the_querys_nationality_goes_before_the_profiles() -> None:
    found = judge(award(eligible_nationalities=("CN",)), "CN", Profile(nationality="DE"), TODAY)
    assert found.verdict == "eligible"


@pytest.mark.parametrize(
    ("stated", "asked", "verdict", "code"),
    [
        (None, "phd", "unknown", "level_not_stated"),
        (("phd", "postdoc"), "phd", "eligible", "level_listed"),
        (("bachelor",), "phd", "ineligible", "level_not_listed"),
        (("other",), "phd", "unknown", "level_not_comparable"),
        (("phd",), "other", "unknown", "level_not_comparable"),
    ],
)
def test_level(stated: tuple[str, ...] | None, asked: str, verdict: str, code: str) -> None:
    found = judge(award(levels=stated), None, Profile(level=asked), TODAY)
    assert (found.verdict, codes(found)) == (verdict, [code])


@pytest.mark.parametrize(
    ("stated", "asked", "verdict", "code"),
    [
        (None, ("0715",), "unknown", "field_not_stated"),
        (("Unrestricted",), ("0715",), "eligible", "field_any"),
        (("07",), ("0715",), "eligible", "field_listed"),
        (("0715",), ("0715",), "eligible", "field_listed"),
        (("0715",), ("07",), "unknown", "field_not_comparable"),
        (("09", "0115"), ("0715", "02"), "ineligible", "field_not_listed"),
        (("09", "music"), ("0715",), "unknown", "field_not_comparable"),
        (("Computer Science",), ("computer",), "eligible", "field_listed"),
        (("engineering",), ("Electrical Engineering",), "eligible", "field_listed"),
        (("medicine",), ("law",), "unknown", "field_not_comparable"),
        (("music",), ("0215",), "unknown", "field_not_comparable"),
    ],
)
def test_field(stated: tuple[str, ...] | None, asked: tuple[str, ...], verdict: str, code: str) -> None:
    found = judge(award(fields=stated), None, Profile(fields=asked), TODAY)
    assert (found.verdict, codes(found)) == (verdict, [code])


def test_one_exclusion_outweighs_everything_and_comes_first() -> None:
    document = award(eligible_nationalities=("any",), levels=("bachelor",), fields=None)
    found = judge(document, None, Profile("CN", level="phd", fields=("07",)), TODAY)
    assert found.verdict == "ineligible"
    assert codes(found) == ["level_not_listed", "field_not_stated", "nationality_any"]


@pytest.mark.parametrize(
    ("text", "profile", "code"),
    [
        ("Applicants must be resident in Hesse.", Profile(residence="FR"), "residence_in_text"),
        ("須設籍花蓮縣滿一年", Profile(residence="TW"), "residence_in_text"),
        ("Not older than 26 years of age.", Profile(birth_year=2001), "age_in_text"),
        ("年龄不超过三十五周岁", Profile(birth_year=2001), "age_in_text"),
        ("For women in science.", Profile(gender="female"), "gender_in_text"),
        ("Minimum GPA 3.2.", Profile(gpa=3.5), "grades_in_text"),
        ("Minimum GPA 3.2.", Profile(gpa=0.0), "grades_in_text"),
        ("성적 우수자", Profile(gpa=3.5), "grades_in_text"),
    ],
)
def test_a_rule_in_the_text_keeps_the_verdict_open(text: str, profile: Profile, code: str) -> None:
    document = award(eligible_nationalities=("any",), eligibility=text)
    found = judge(document, "CN", profile, TODAY)
    assert found.verdict == "unknown"
    assert codes(found) == [code, "nationality_any"]
    # Without the asker's fact, or without the rule, there is nothing to compare.
    assert judge(document, "CN", None, TODAY).verdict == "eligible"
    assert judge(award(eligible_nationalities=("any",)), "CN", profile, TODAY).verdict == "eligible"


def test_an_age_is_two_ages_on_the_day_of_the_question() -> None:
    found = judge(award(eligibility="Under 26 only."), None, Profile(birth_year=2001), TODAY)
    assert "you are 24 or 25" in found.reasons[0].message


@pytest.mark.parametrize("part", ["title", "eligibility", "description"])
def test_a_rule_is_found_in_every_part_of_the_text(part: str) -> None:
    assert speaks_of(replace(award(), **{part: "For women"}), "gender")
    assert not speaks_of(replace(award(), **{part: "For all"}), "gender")


@pytest.mark.parametrize(
    "text", ["An average package", "Marketing manager in Manchester", "Lager", "Womenswear"]
)
def test_words_that_only_look_like_rules_are_none(text: str) -> None:
    document = award(description=text)
    assert not any(speaks_of(document, rule) for rule in RULES)


def test_a_long_list_of_nationalities_is_cut_in_the_sentence_and_whole_beside_it() -> None:
    nations = ("AT", "BE", "CH", "DE", "ES", "FR", "GB")
    reason = judge(award(eligible_nationalities=nations), "CN", None, TODAY).reasons[0]
    assert reason.message == "Open to nationals of AT, BE, CH, DE, ES and 2 more, not of CN."
    assert reason.stated == nations


profiles = st.builds(
    Profile,
    nationality=st.sampled_from([None, "CN", "DE"]),
    residence=st.sampled_from([None, "DE"]),
    level=st.sampled_from([None, "phd", "other"]),
    fields=st.sampled_from([(), ("07",), ("law", "0715")]),
    birth_year=st.sampled_from([None, 2000]),
    gender=st.sampled_from([None, "female"]),
    gpa=st.sampled_from([None, 3.1]),
)
awards = st.builds(
    award,
    eligible_nationalities=st.sampled_from([None, ("any",), ("DE",)]),
    levels=st.sampled_from([None, ("phd",), ("master", "other")]),
    fields=st.sampled_from([None, ("0715",), ("Law",), ("any field",)]),
    eligibility=st.sampled_from([None, "Women under 30 resident in Kenya, good grades"]),
)


@given(awards, profiles)
def test_a_verdict_is_the_worst_of_its_reasons(document: Document, profile: Profile) -> None:
    found = judge(document, None, profile, TODAY)
    fits = [reason.fit for reason in found.reasons]
    order = ["ineligible", "unknown", "eligible"]
    assert fits == sorted(fits, key=order.index)
    assert found.verdict == (fits[0] if fits else "unknown")
    assert {reason.code for reason in found.reasons} <= set(REASONS)
    assert len({reason.code for reason in found.reasons}) == len(found.reasons)
    assert all(reason.message.endswith(".") for reason in found.reasons)
    if document.eligible_nationalities is None and document.levels is None and document.fields is None:
        assert found.verdict == "unknown"
