"""The dated table of regions, what rows say of them, and the answers that follow."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.countries import COUNTRIES
from index.document import Document, RegionRule
from index.eligibility import judge
from index.ingest.assemble import Reading
from index.ingest.clean.citizens import read_citizens
from index.ingest.clean.territories import listed_regions
from index.ingest.reading import read_stream
from index.reach import admitted, hosting
from index.record import parse_record, to_record
from index.regions.table import FIRST_ON, LAST_ON, checked, regions, spellings

AS_OF = date(2026, 10, 1)
EXPANDED = sorted(code for code, region in regions().items() if region.members)


def rule(region: str, on: date = LAST_ON, field: str = "eligible_nationalities") -> RegionRule:
    return RegionRule(field, region, on, "as the source has it")


def test_every_member_is_a_country_and_every_region_has_a_source_or_no_members() -> None:
    for region in regions().values():
        assert {member.country for member in region.members} <= COUNTRIES
        assert bool(region.members) == bool(region.source), region.code
        for member in region.members:
            assert (member.since or FIRST_ON) <= (member.until or LAST_ON)
            assert (member.since or FIRST_ON) >= FIRST_ON
            assert (member.until or LAST_ON) <= LAST_ON


# Sizes as the organisations themselves count their members on a day.
@pytest.mark.parametrize(
    ("region", "on", "size"),
    [
        ("eu", date(2020, 1, 31), 28),
        ("eu", date(2020, 2, 1), 27),
        ("eea", date(2025, 1, 1), 30),
        ("commonwealth", date(2025, 1, 1), 56),
        ("asean", date(2025, 10, 25), 10),
        ("asean", date(2025, 10, 26), 11),
        ("oecd", date(2017, 1, 1), 35),
        ("oecd", date(2025, 1, 1), 38),
        ("dac", date(2024, 6, 1), 141),
        ("ldc", date(2023, 12, 13), 45),
        ("ldc", date(2025, 1, 1), 44),
        ("africa", date(2025, 1, 1), 54),
        ("celac", date(2025, 1, 1), 33),
        ("caricom", date(2025, 1, 1), 15),
        ("ibero-america", date(2025, 1, 1), 22),
        ("arab-league", date(2025, 1, 1), 22),
        ("cplp", date(2025, 1, 1), 9),
        ("ecowas", date(2025, 1, 29), 12),
    ],
)
def test_a_region_has_as_many_members_as_it_counts(region: str, on: date, size: int) -> None:
    assert len(regions()[region].on(on)) == size


@given(st.sampled_from(EXPANDED), st.dates(FIRST_ON, LAST_ON - timedelta(days=1)))
def test_members_change_only_on_days_of_the_table(region: str, day: date) -> None:
    one, next_one = regions()[region].on(day), regions()[region].on(day + timedelta(days=1))
    moved = {
        member.country
        for member in regions()[region].members
        if member.since == day + timedelta(days=1) or member.until == day
    }
    assert one ^ next_one <= moved


@given(st.dates())
def test_a_day_outside_the_table_counts_as_the_nearest_inside(day: date) -> None:
    assert FIRST_ON <= checked(day) <= LAST_ON
    assert checked(day) == day or not FIRST_ON <= day <= LAST_ON


@pytest.mark.parametrize("spelling", sorted(spellings()))
def test_every_spelling_is_read_in_a_list(spelling: str) -> None:
    read, region = listed_regions(spelling), regions()[spellings()[spelling]]
    if region.members:
        assert read.codes == (region.code,)
    else:
        assert (read.codes, bool(read.doubt)) == ((), True)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Citizens of developing countries", ("dac",)),
        ("Applicants must be EU citizens", ("eu",)),
        ("Must be a citizen of an EU member state", ("eu",)),
        ("Bewerber mit EU-Staatsangehörigkeit", ("eu",)),
        ("Dirigida a ciudadanos de países latinoamericanos", ("latin-america",)),
        ("欧盟成员国公民", ("eu",)),
        ("东盟国家公民均可申请", ("asean",)),
        ("아세안 회원국 국적", ("asean",)),
        ("Open to nationals of the Commonwealth", ("commonwealth",)),
        ("Open to citizens of the Commonwealth of Virginia", ()),
        ("South African citizens", ()),
        ("international students", ()),
        ("the security of EU citizens", ()),
        ("Copy of a passport (or identity document for EU citizens)", ()),
    ],
)
def test_regions_of_citizens(text: str, codes: tuple[str, ...]) -> None:
    assert read_citizens(text).regions == codes


@pytest.mark.parametrize(
    "text",
    [
        "Must be a non-EU citizen",
        "EU citizens or permanent residents",
        "Be a citizen of Latin America (excluding Brazil)",
        "Citizens of any Latin American or Caribbean country",
        "Citizens of European countries",
        "“一带一路”国家公民",
    ],
)
def test_a_region_with_a_but_is_a_doubt(text: str) -> None:
    read = read_citizens(text)
    assert (read.codes, read.regions) == (None, ())
    assert read.doubt


def one(row: dict[str, object]) -> Document:
    (item,) = read_stream(iter([("1", row)]), "file")
    assert isinstance(item, Reading), item
    return item.document


def test_the_day_of_the_last_deadline_decides_who_was_a_member() -> None:
    row = {"title": "Award of the lake", "nationality": "EU; Switzerland", "country": "European Union"}
    old, new = one({**row, "deadline": "2019-03-01"}), one({**row, "deadline": "2027-03-01"})
    assert "GB" in (admitted(old) or ())
    assert "GB" not in (admitted(new) or ())
    assert old.eligible_nationalities == ("CH",)
    assert {(told.field, told.region) for told in new.regions} == {
        ("eligible_nationalities", "eu"),
        ("host_countries", "eu"),
    }
    assert {told.on for told in new.regions} == {LAST_ON}
    assert len(hosting(new) or ()) == 27
    assert parse_record(to_record(new)) == new


def test_a_region_without_members_leaves_a_doubt_and_no_verdict() -> None:
    made = one({"title": "Award of the lake", "nationality": "Asia, Nigeria", "deadline": "2027-03-01"})
    assert (made.eligible_nationalities, made.regions) == (None, ())
    assert [doubt.field for doubt in made.doubts] == ["eligible_nationalities"]
    assert judge(made, "NG", None, AS_OF).verdict == "unknown"


@given(st.sampled_from(EXPANDED), st.sampled_from(sorted(COUNTRIES)), st.dates(FIRST_ON, LAST_ON))
def test_a_verdict_by_region_is_that_of_its_members_written_out_and_names_it(
    region: str, asked: str, on: date
) -> None:
    by_region = Document("a", "A", regions=(rule(region, on),))
    written_out = replace(
        by_region, regions=(), eligible_nationalities=tuple(sorted(regions()[region].on(on)))
    )
    told, plain = judge(by_region, asked, None, AS_OF), judge(written_out, asked, None, AS_OF)
    assert told.verdict == plain.verdict
    assert [reason.code for reason in told.reasons] == [reason.code for reason in plain.reasons]
    assert regions()[region].name in told.reasons[0].message
    assert on.isoformat() in told.reasons[0].message


def test_a_country_that_is_named_needs_no_region() -> None:
    document = Document("a", "A", eligible_nationalities=("FR",), regions=(rule("eu"),))
    assert judge(document, "FR", None, AS_OF).reasons[0].message == "Open to nationals of FR."
    assert hosting(document) is None
    assert admitted(replace(document, eligible_nationalities=("any",))) == ("any",)
