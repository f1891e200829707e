"""Buckets and arms: published values, evenness, independence, and that nobody is moved by accident."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency, chisquare

from app.call import RerankChoice, SearchCall
from app.experiments.assignment import Assigner, included_bucket, variant_bucket
from app.experiments.bucket import BUCKETS, bucket, place
from app.experiments.layer import clashes
from app.experiments.spec import Arm, Experiment, Targeting, canonical, read
from app.experiments.version import Version
from index.types import Filters, Query

AT = datetime(2026, 5, 1, tzinfo=UTC)
ARMS = (Arm("control", 50.0), Arm("deep", 50.0, None, {"depth": 500}))
names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)

# docs/experiments.md publishes these: (salt, unit) -> bucket.
GOLDEN = {
    ("deeper", "42"): 4154,
    ("deeper", '"42"'): 2620,
    ("deeper", "用户1"): 6147,
    ("deeper", "🎓"): 3372,
    ("deeper", "x" * 1024): 3954,
    ("variant:deeper", "42"): 1087,
    ("variant:deeper", '"42"'): 3688,
    ("variant:deeper", "用户1"): 8264,
    ("variant:deeper", "🎓"): 5482,
    ("variant:deeper", "x" * 1024): 1510,
    ("layer:deeper", "42"): 7281,
    ("layer:deeper", '"42"'): 1734,
    ("layer:deeper", "用户1"): 3474,
    ("layer:deeper", "🎓"): 8018,
    ("layer:deeper", "x" * 1024): 6584,
}


def by_the_book(salt: str, unit: str) -> int:
    """The description in the docs, in another way: hexadecimal text and long division."""
    length = f"{len(salt.encode()):04x}"
    message = bytes.fromhex(length) + salt.encode() + unit.encode()
    digits = hashlib.new("blake2b", message, digest_size=8).hexdigest()
    rest = 0
    for digit in digits:
        rest = (rest * 16 + int(digit, 16)) % 10_000
    return rest


def experiment(key: str = "deeper", **more: object) -> Experiment:
    values: dict[str, object] = {"key": key, "arms": ARMS, "layer": key, "salt": key}
    return Experiment(**{**values, **more})  # type: ignore[arg-type]


def running(*experiments: Experiment) -> Assigner:
    return Assigner(Version(one, 1, "running", AT, None, None, 1) for one in experiments)


def call(unit: str | None = "u1", **more: object) -> SearchCall:
    query = Query(query_id="q", text="grant", as_of=AT, lang="de", filters=Filters(host_countries=("NO",)))
    return SearchCall(query, "r", unit_id=unit, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("pair", "expected"), GOLDEN.items())
def test_published_values(pair: tuple[str, str], expected: int) -> None:
    assert bucket(*pair) == by_the_book(*pair) == expected


@given(names, st.text(st.characters(codec="utf-8"), max_size=40))
def test_the_description_is_what_is_done(salt: str, unit: str) -> None:
    assert bucket(salt, unit) == by_the_book(salt, unit)
    assert 0 <= bucket(salt, unit) < BUCKETS


@given(names, names, names)
def test_a_salt_and_a_unit_cannot_trade_letters(salt: str, middle: str, unit: str) -> None:
    """As texts the two pairs are joined to the same one; as messages they are not."""
    one, other = (salt + middle, unit), (salt, middle + unit)
    messages = {
        len(name.encode()).to_bytes(2, "big") + name.encode() + text.encode() for name, text in (one, other)
    }
    assert len(messages) == 2


@given(st.integers(0, BUCKETS - 1), st.lists(st.integers(1, 9_999), max_size=6, unique=True))
def test_every_bucket_is_in_one_stretch(number: int, cuts: list[int]) -> None:
    bounds = [*sorted(cuts), BUCKETS]
    ranges = [range(start, end) for start, end in itertools.pairwise([0, *bounds])]
    assert [at for at, stretch in enumerate(ranges) if number in stretch] == [place(number, bounds)]


@pytest.mark.slow
def test_a_million_units_are_spread_evenly_and_independently() -> None:
    units = [f"user-{number}" for number in range(1_000_000)]
    found = {
        salt: np.array([bucket(salt, unit) for unit in units], np.int64)
        for salt in ("variant:one", "variant:two", "layer:one")
    }
    for buckets in found.values():
        assert chisquare(np.bincount(buckets, minlength=BUCKETS)).pvalue > 1e-4
    for one, other in itertools.combinations(found.values(), 2):
        table = np.histogram2d(one, other, bins=(20, 20), range=((0, BUCKETS),) * 2)[0]
        assert chi2_contingency(table).pvalue > 1e-4
    # And in sequence: the bucket of one unit says nothing of the next one's.
    first = found["variant:one"]
    table = np.histogram2d(first[:-1], first[1:], bins=(20, 20))[0]
    assert chi2_contingency(table).pvalue > 1e-4


def test_twenty_thousand_units_are_spread_evenly() -> None:
    buckets = np.array([bucket("s", str(number)) for number in range(20_000)])
    counts = np.bincount(buckets // 100, minlength=100)
    statistic = float((((counts - 200.0) ** 2) / 200.0).sum())
    assert statistic < float(chi2.ppf(1 - 1e-6, 99))


@given(
    st.lists(st.integers(0, 10_000), min_size=2, max_size=6),
    st.lists(names, min_size=1, max_size=30, unique=True),
)
def test_coverage_moves_nobody(steps: list[int], units: list[str]) -> None:
    """100 → 20 → 100 per cent and any other way: whoever takes part has one arm, and less coverage asks fewer."""
    arms: dict[str, str] = {}
    inside: dict[int, set[str]] = {}
    for step in [10_000, 2_000, 10_000, *steps]:
        assigner = running(experiment(coverage=step / 100))
        inside[step] = set()
        for unit in units:
            if found := assigner.treatment(call(unit), AT).assignments:
                inside[step].add(unit)
                assert arms.setdefault(unit, found[0].variant) == found[0].variant
    assert inside[10_000] == set(units)
    for fewer, more in itertools.pairwise(sorted(inside)):
        assert inside[fewer] <= inside[more]


@given(st.lists(names, min_size=1, max_size=60, unique=True), st.integers(0, 10_000))
def test_experiments_of_one_layer_share_nobody(units: list[str], cut: int) -> None:
    left = experiment("left", layer="rank", slot=(0, cut), coverage=cut / 100)
    right = experiment("right", layer="rank", slot=(cut, BUCKETS), coverage=(BUCKETS - cut) / 100)
    assert clashes(left, [right]) == []
    assigner = running(left, right)
    for unit in units:
        assert len(assigner.treatment(call(unit), AT).assignments) == 1


def test_overlapping_slots_and_shared_settings_clash() -> None:
    one = experiment("one", layer="rank", slot=(0, 6_000), coverage=60.0)
    assert [fault.pointer for fault in clashes(experiment("two", layer="rank"), [one])] == ["/slot"]
    assert [fault.pointer for fault in clashes(experiment("two"), [one])] == [
        "/arms"
    ]  # both change the depth
    other = (Arm("control", 50.0), Arm("open", 50.0, None, {"open_first": False}))
    assert clashes(experiment("two", arms=other), [one]) == []
    assert clashes(one, [replace(one, slot=(0, 100))]) == []  # itself, in another version


def test_a_layer_splits_one_kind_of_unit() -> None:
    """Buckets of visits and of people are drawn apart: one search could be in two slots of a layer."""
    left = experiment("left", layer="rank", slot=(0, 5_000), coverage=50.0)
    for unit, pointers in (("session", ["/unit"]), ("cookie", []), ("user", [])):
        right = experiment("right", layer="rank", unit=unit, slot=(5_000, BUCKETS), coverage=50.0)
        assert [fault.pointer for fault in clashes(right, [left])] == pointers
        assert [fault.pointer for fault in clashes(left, [right])] == pointers


def changing(**overrides: str | float | bool | None) -> tuple[Arm, ...]:
    named = {name.replace("_of_", "."): value for name, value in overrides.items()}
    return (Arm("control", 50.0), Arm("other", 50.0, None, named))


def test_a_part_of_the_plan_has_one_experiment() -> None:
    """`rerank.depth` of one layer would turn on again what `rerank` of another turned off."""
    off, deep = changing(rerank=False), changing(rerank_of_depth=20)
    shuffled, mixed = changing(explore="swap"), changing(interleave="bm25")
    for one, other in ((off, deep), (shuffled, mixed)):
        faults = clashes(experiment("two", arms=other), [experiment("one", arms=one)])
        assert [fault.pointer for fault in faults] == ["/arms"]
    assert clashes(experiment("two", arms=mixed), [experiment("one", arms=off)]) == []


def test_two_layers_draw_their_arms_apart() -> None:
    one = experiment("one", arms=changing(open_first=False), salt="same")
    two = experiment("two", salt="same")
    assert [fault.pointer for fault in clashes(two, [one])] == ["/salt"]
    assert clashes(replace(two, salt="two"), [one]) == []


def test_weights_are_kept_and_arms_found_by_hand() -> None:
    arms = (Arm("a", 0.01), Arm("b", 33.33), Arm("c", 66.66))
    one = experiment(arms=arms)
    assert one.bounds == (1, 3_334, 10_000)
    for unit in map(str, range(300)):
        expected = "a" if (b := by_the_book("variant:deeper", unit)) < 1 else "b" if b < 3_334 else "c"
        assigned = running(one).treatment(call(unit), AT).assignments[0]
        assert (assigned.variant, assigned.bucket) == (expected, variant_bucket(one, unit))


def test_who_takes_part() -> None:
    def takes(one: Experiment, asked: SearchCall, at: datetime = AT) -> bool:
        return bool(running(one).treatment(asked, at).assignments)

    assert takes(experiment(), call())
    assert not takes(experiment(), call(None))
    assert not takes(experiment(), call(system="bm25"))
    assert not takes(experiment(), call(rerank=RerankChoice(enabled=True)))
    assert not takes(experiment(unit="session"), call())
    assert takes(experiment(unit="session"), call(None, session_id="s"))
    assert not takes(experiment(unit="cookie"), call())
    assert takes(experiment(unit="cookie"), call(consent=True))
    assert not takes(experiment(targeting=Targeting(langs=("en",))), call())
    assert takes(experiment(targeting=Targeting(langs=("de",))), call())
    assert not takes(experiment(targeting=Targeting(host_countries=("DE",))), call())
    assert takes(experiment(targeting=Targeting(host_countries=("DE", "NO"))), call())
    assert not takes(experiment(targeting=Targeting(priorities=("batch",))), call())
    later = experiment(starts_at=AT + timedelta(hours=1), stops_at=AT + timedelta(hours=2))
    assert [takes(later, call(), AT + timedelta(hours=hours)) for hours in (0, 1, 2)] == [False, True, False]


def test_a_tester_gets_the_arm_and_counts_for_nobody() -> None:
    found = running(experiment(coverage=0.0)).treatment(call(None, arms=(("deeper", "deep"),)), AT)
    assert [one.record() for one in found.assignments] == [
        {"key": "deeper", "version": 1, "variant": "deep", "bucket": None, "forced": True}
    ]
    assert found.overrides == {"depth": 500}
    assert (
        running(experiment(coverage=0.0)).treatment(call(None, arms=(("deeper", "x"),)), AT).assignments == ()
    )


def test_a_tester_is_counted_in_no_other_experiment() -> None:
    beside = experiment("open", arms=changing(open_first=False))
    both = running(experiment(), beside)
    assert len(both.treatment(call("42"), AT).assignments) == 2
    for arm, expected in (("deep", ["deeper"]), ("no such arm", [])):
        tried = both.treatment(call("42", arms=(("deeper", arm),)), AT).assignments
        assert [one.key for one in tried] == expected
        assert all(one.bucket is None for one in tried)


def test_two_layers_make_one_plan() -> None:
    other = (Arm("control", 0.0), Arm("closed", 100.0, "hybrid", {"open_first": False}))
    found = running(
        experiment(arms=(Arm("deep", 100.0, None, {"depth": 500}),)), experiment("open", arms=other)
    )
    treatment = found.treatment(call(), AT)
    assert (treatment.system, treatment.overrides) == ("hybrid", {"depth": 500, "open_first": False})
    assert treatment.arms == "deeper:1:deep,open:1:closed"


def test_inclusion_and_variant_are_drawn_apart() -> None:
    one = experiment(coverage=10.0)
    inside = [unit for unit in map(str, range(20_000)) if included_bucket(one, unit) < 1_000]
    share = sum(variant_bucket(one, unit) < 5_000 for unit in inside) / len(inside)
    assert abs(share - 0.5) < 5 * 0.5 / len(inside) ** 0.5


@given(st.floats(0, 100), names)
def test_the_stored_form_is_read_back(coverage: float, words: str) -> None:
    one = experiment(
        coverage=coverage, description=words, starts_at=AT, targeting=Targeting(("de",), ("NO",), ("batch",))
    )
    assert read(canonical(one)) == one
