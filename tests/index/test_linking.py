"""Linking: names, addresses, keys, scores, clusters; and the figure on the judged pairs."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from index.catalogue.shipped import programmes
from index.document import Amount, Document, Translation, Window
from index.ingest.assemble import Reading
from index.ingest.reading import read_file
from index.linking import judged as judging
from index.linking.address import Address, address
from index.linking.cluster import clusters, pair, programme_id
from index.linking.comparison import FEATURES, compare
from index.linking.decision import Link, certainly_apart, link, score, weights
from index.linking.fit import counts, fitted
from index.linking.judged import figure, judged, wilson
from index.linking.keys import keys
from index.linking.linker import links
from index.linking.name import names
from index.linking.place import places
from index.linking.rarity import rarity
from index.linking.sketch import Sketch, sketch

PAGE = "https://www.uni.example/awards/ocean"
OCEAN = Document(
    doc_id="a-ocean",
    title="Ilse Marquardt Ocean Scholarship 2026",
    provider="Kiel University",
    host_countries=("DE",),
    url=PAGE,
    source="feed-a",
)


def told(doc_id: str, title: str, **facts: object) -> Sketch:
    return sketch(replace(OCEAN, doc_id=doc_id, title=title, source="feed-b", **facts))


def terms(title: str) -> frozenset[str]:
    return next(names(title, None)).terms


def test_round_of_a_name_falls_away_and_its_parts_stay() -> None:
    plain = terms("Ilse Marquardt Ocean Scholarship")
    for other in (
        "ILSE MARQUARDT OCEAN SCHOLARSHIPS 2026/27",
        "4th Ilse Marquardt Ocean Scholarship",
        "Ilse Marquardt Ocean Scholarship - January 2014",
    ):
        assert terms(other) == plain
    assert terms("115學年度王惕吾先生新聞獎學金(請於10/15前自行線上申請)") == terms("王惕吾先生新闻奖学金")
    assert next(names("Late life (R21 Clinical Trial Optional)", "en")).numbers == {"r21"}
    assert next(names("Impact EMBA Scholarship", "en")).levels
    assert next(names("of the", "en")).terms == {"of the"}


@given(st.text(min_size=1))
def test_every_title_has_a_name(title: str) -> None:
    assert next(names(title, None)).terms


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("http://www.Uni.example/Awards/", "uni.example/awards"),
        ("https://uni.example/awards?utm_source=x&b=2&a=1", "uni.example/awards?a=1&b=2"),
        ("https://uni.example/detail.asp?%E7%8D%8E=a1", "uni.example/detail.asp?獎=a1"),
        ("https://uni.example/index.html", None),
    ],
)
def test_address_has_one_spelling(url: str, page: str | None) -> None:
    assert address(url) == Address("uni.example", page)


@pytest.mark.parametrize("url", [None, "", "no address", "http://[broken", "javascript:void"])
def test_address_of_nothing(url: str | None) -> None:
    assert address(url) is None


def test_the_same_award_of_two_feeds_is_linked_and_says_why() -> None:
    other = told("b", "Ilse Marquardt Ocean Scholarships")
    found = link(sketch(OCEAN), other)
    assert found is not None
    assert (found.first, found.second) == ("a-ocean", "b")
    assert found.reason == "same name, provider and web address"
    assert found == link(other, sketch(OCEAN))


@pytest.mark.parametrize(
    ("title", "facts"),
    [
        ("Ilse Marquardt Ocean Scholarship - PhD", {}),
        ("Ilse Marquardt Law Scholarship", {"url": "https://www.uni.example/awards/law"}),
        ("Presidential Scholarship", {"url": None}),
    ],
)
def test_siblings_are_not_linked(title: str, facts: dict[str, object]) -> None:
    assert link(sketch(OCEAN), told("b", title, **facts)) is None


def test_namesakes_of_other_universities_are_not_linked() -> None:
    one, other = (
        sketch(Document(doc_id=name, title="Presidential Scholarship", provider=f"{name} College", url=None))
        for name in ("Trinity", "Hope")
    )
    assert link(one, other) is None


def test_a_name_in_another_language_and_a_slip_of_the_pen_meet() -> None:
    swedish = Document(
        doc_id="sv",
        title="Stiftelsen Havets stipendium",
        provider="Kiel University",
        translations={"en": Translation("Ilse Marquart Ocean Scholarship")},
    )
    assert link(sketch(OCEAN), sketch(swedish)) is not None


def test_a_well_known_programme_is_one_whoever_lists_it() -> None:
    one, other = (
        sketch(Document(doc_id=at, title="Chevening Scholarships", provider=at)) for at in ("Bath", "Durham")
    )
    assert one.known == other.known is not None
    found = link(one, other)
    assert found is not None
    assert "well-known programme" in found.reason


def test_a_country_in_a_name_is_no_difference_where_the_award_is_held_there() -> None:
    one = sketch(
        Document(doc_id="a", title="British Chevening Scholarship", provider="Bath", host_countries=("GB",))
    )
    other = sketch(Document(doc_id="b", title="Chevening Scholarships (UK)"))
    assert one.known == other.known is not None
    assert compare(one, other, rarity())["place_of_one"] == 0.0
    assert link(one, other) is not None
    for_india = told("c", "Ilse Marquardt Ocean Scholarship (India)")
    for_chile = told("d", "Ilse Marquardt Ocean Scholarship (Chile)")
    assert compare(for_india, for_chile, rarity())["places_clash"] == 1.0
    assert compare(sketch(OCEAN), for_india, rarity())["place_of_one"] == 1.0
    assert link(for_india, for_chile) is None


def test_longest_name_of_a_country_is_meant() -> None:
    found = places().of(terms("Scholarship of South Korea and the United Kingdom"))
    assert set(found.values()) == {"KR", "GB"}
    assert places().of(terms("Ocean Scholarship")) == {}


def test_awards_and_givers_of_other_languages_meet() -> None:
    assert terms("Becas Konrad-Adenauer-Stiftung") == terms("Konrad Adenauer Foundation Scholarship")
    short = told("b", "Marquardt Ocean Award", provider="NSF")
    long = told("a", "Marquardt Ocean Award for Divers", provider="U.S. National Science Foundation")
    assert compare(short, long, rarity())["giver_agrees"] == 1.0


def test_a_giver_named_in_the_title_agrees() -> None:
    given_by = Document(doc_id="a", title="Marquardt Foundation Ocean Award", provider="Marquardt Foundation")
    untold = Document(doc_id="b", title="Marquardt Foundation Ocean Award (Germany)")
    assert compare(sketch(given_by), sketch(untold), rarity())["giver_in_name"] == 1.0
    elsewhere = replace(untold, title="Ocean Award")
    assert compare(sketch(given_by), sketch(elsewhere), rarity())["giver_in_name"] == 0.0


def test_a_sentence_or_a_note_is_no_second_half_of_a_name() -> None:
    for text in (
        "Merit-based; Kiel, Germany",
        "An award from Kiel University for divers.",
        "Merit\n\nApply: online",
    ):
        assert sketch(replace(OCEAN, description=text)).subtitle == frozenset()
    assert sketch(replace(OCEAN, description="Second call for kelp harvest pilots")).subtitle == terms(
        "call for kelp harvest pilots"
    )


def test_calls_under_one_heading_are_apart() -> None:
    one, other = (
        sketch(replace(OCEAN, doc_id=name, description=f"{name} open call for exchange", url=None))
        for name in ("Kelp harvest pilots", "Deep drilling museums")
    )
    assert certainly_apart(one, other)
    assert link(one, other) is None


def test_two_pages_of_one_day_in_one_feed_are_two_awards() -> None:
    day = Window(month_day="--05-01")
    one = sketch(replace(OCEAN, windows=(day,)))
    other = sketch(replace(OCEAN, doc_id="b", windows=(day,), url="https://www.uni.example/awards/ocean-2"))
    later = sketch(replace(OCEAN, doc_id="b", url="https://www.uni.example/awards/ocean-2"))
    assert link(one, other) is None
    assert link(one, later) is not None


def test_a_stated_programme_is_a_link_by_itself() -> None:
    one = replace(OCEAN, programme_id="p")
    other = Document(doc_id="z", title="Something else", programme_id="p")
    found = link(sketch(one), sketch(other))
    assert found is not None
    assert (found.score, found.reason) == (1.0, "both state the programme")
    assert keys(sketch(one), rarity()) & keys(sketch(other), rarity())
    assert programme_id([sketch(one), sketch(other)]) == "p"


def test_comparison_is_symmetric_and_finite() -> None:
    some = [sketch(one) for one in islice(programmes(), 60)]
    for one, other in combinations(some, 2):
        values = compare(one, other, rarity()).values
        assert values == compare(other, one, rarity()).values
        assert all(0.0 <= value <= 3.0 for value in values)
        assert 0.0 <= score(one, other) <= 1.0


def test_keys_lose_no_link_that_comparing_all_with_all_finds() -> None:
    some = list(islice(programmes(), 150))
    copies = [
        replace(
            one,
            doc_id=f"copy-{one.doc_id}",
            title=one.title.upper() if at % 2 else f"The {one.title} 2027",
            provider=None if at % 3 == 0 else one.provider,
            url=None if at % 5 == 0 else one.url,
            amount=Amount(),
        )
        for at, one in enumerate(some)
    ]
    sketches = [sketch(one) for one in (*some, *copies)]
    everything = {
        (found.first, found.second)
        for one, other in combinations(sketches, 2)
        if (found := link(one, other)) is not None
    }
    found = {(one.first, one.second) for one in links(sketches)}
    assert found <= everything
    assert len(found) >= 0.99 * len(everything) > 100
    assert links(sketches) == links(sketches[::-1])


ids = st.sampled_from("abcdefgh")
pairs = st.tuples(ids, ids).filter(lambda two: two[0] != two[1]).map(lambda two: pair(*two))
some_links = st.lists(
    st.builds(lambda two, sure: Link(*two, sure, ""), pairs, st.floats(0.7, 1.0)), max_size=14
)


@given(
    some_links,
    st.sets(pairs, max_size=3),
    st.sets(pairs, max_size=4),
    st.sets(pairs, max_size=4),
    st.randoms(),
)
def test_clusters_keep_apart_what_is_apart_and_hold_only_what_is_linked(
    found: list[Link],
    joined: set[tuple[str, str]],
    apart: set[tuple[str, str]],
    conflicts: set[tuple[str, str]],
    random: object,
) -> None:
    groups = clusters(found, joined, apart, lambda one, other: pair(one, other) in conflicts)
    shuffled = sorted(found, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert clusters(shuffled, joined, apart, lambda one, other: pair(one, other) in conflicts) == groups
    linked = {(one.first, one.second) for one in found} | joined
    members = [one for group in groups for one in group]
    assert len(members) == len(set(members))
    of = {one: at for at, group in enumerate(groups) for one in group}
    for group in groups:
        assert not any(two in apart for two in combinations(group, 2))
        if not joined:
            assert not any(two in conflicts for two in combinations(group, 2))
        reached = {group[0]}
        for _ in group:
            reached |= {b for a, b in linked if a in reached} | {a for a, b in linked if b in reached}
        assert set(group) <= reached
    if not apart and not conflicts:  # then every link is followed
        assert all(of[one] == of[other] for one, other in linked)


def test_the_programme_of_a_group_does_not_depend_on_the_order_of_its_members() -> None:
    some = [sketch(replace(OCEAN, doc_id=name)) for name in ("c", "a", "b")]
    assert programme_id(some) == programme_id(some[::-1])
    assert programme_id(some) != programme_id(some[::2])


@given(st.integers(0, 60), st.integers(1, 60))
def test_wilson_equals_scipy(hits: int, more: int) -> None:
    of = hits + more
    theirs = binomtest(hits, of).proportion_ci(method="wilson")
    ours = wilson(hits, of)
    assert ours.low == pytest.approx(theirs.low, abs=2e-4)
    assert ours.high == pytest.approx(theirs.high, abs=2e-4)


def test_the_judged_pairs_are_many_distinct_and_accounted_for() -> None:
    folder = Path(judging.__file__).parent / "judged"
    rows = _rows(folder / "pairs.tsv")
    strata = {row["stratum"] for row in _rows(folder / "strata.tsv")}
    assert len(rows) == len({(row["first_id"], row["second_id"]) for row in rows}) >= 400
    assert all(row["first_id"] < row["second_id"] and row["reason"] for row in rows)
    assert {row["label"] for row in rows} == {"same", "apart", "unsure"}
    assert {row["stratum"] for row in rows if row["half"] == "held"} == strata


def _rows(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


@pytest.fixture(scope="module")
def known(shared: Path) -> dict[str, Sketch]:
    files = sorted((shared / "data" / "scholarships" / "normalised").glob("*.jsonl"))
    if not files:
        pytest.skip("the shared folder has no normalised records")
    read = [item.document for file in files for item in read_file(file) if isinstance(item, Reading)]
    return {one.doc_id: sketch(one) for one in (*read, *programmes())}


@pytest.mark.slow
def test_the_figure_on_the_pairs_that_were_held_out(known: dict[str, Sketch]) -> None:
    of = {one: at for at, group in enumerate(_groups(known)) for one in group}
    held = judged("held", known)
    found = figure(held, [of.get(one.first, one.first) == of.get(one.second, one.second) for one in held])
    assert found.pairs >= 250
    assert found.precision.value >= 0.98
    assert found.recall.value >= 0.90
    assert found.weighted_precision.value >= 0.98
    assert found.weighted_recall.value >= 0.95


@pytest.mark.slow
def test_the_committed_tables_are_what_the_judged_pairs_give(known: dict[str, Sketch]) -> None:
    assert counts(known) == {"": rarity().names, **rarity().held}
    again = fitted(judged("choose", known), known)
    assert again.bias == pytest.approx(weights().bias, abs=5e-3)
    for feature in FEATURES:
        assert again.by_feature[feature] == pytest.approx(weights().by_feature[feature], abs=5e-3)


def _groups(known: dict[str, Sketch]) -> list[list[str]]:
    return clusters(
        links(list(known.values())), conflicting=lambda one, other: certainly_apart(known[one], known[other])
    )
