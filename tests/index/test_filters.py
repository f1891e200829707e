"""Each filter against a loop over documents, and what each does with a fact that is not stated."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.availability import AVAILABILITY, availability
from index.columns import Columns
from index.discipline import covers
from index.document import Amount, Document, Window
from index.fieldname import field_names
from index.fieldwords import SYNONYMS
from index.filters import mask
from index.types import Filters, MinAmount

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)


def passing(documents: tuple[Document, ...], filters: Filters, as_of: datetime = NOW) -> list[str]:
    kept = mask(Columns.of(documents), filters, as_of)
    return [document.doc_id for document, keep in zip(documents, kept, strict=True) if keep]


def both(documents: tuple[Document, ...], **facts: object) -> tuple[list[str], list[str]]:
    """Who passes when unknown is excluded, and who more when it is included."""
    strict = passing(documents, Filters(unknown="exclude", **facts))  # type: ignore[arg-type]
    wide = passing(documents, Filters(**facts))  # type: ignore[arg-type]
    assert set(strict) <= set(wide)
    return strict, [doc_id for doc_id in wide if doc_id not in strict]


def some(**facts: object) -> tuple[Document, ...]:
    """One document a value of the only fact given."""
    ((name, values),) = facts.items()
    assert isinstance(values, list)
    return tuple(Document(doc_id=str(at), title="T", **{name: value}) for at, value in enumerate(values))


def test_no_filter_lets_everything_pass(twelve: tuple[Document, ...]) -> None:
    assert len(passing(twelve, Filters(unknown="exclude"))) == 12
    assert (
        passing((), Filters(host_countries=("DE",), availability=("open",), deadline_to=date(2026, 1, 1)))
        == []
    )


def test_a_host_country_is_one_of_several() -> None:
    documents = some(host_countries=[("DE", "SE"), ("CN",), None, ("SE",)])
    assert both(documents, host_countries=("SE",)) == (["0", "3"], ["2"])
    assert both(documents, host_countries=("CN", "DE")) == (["0", "1"], ["2"])
    assert both(documents, host_countries=("ZZ",)) == ([], ["2"])


def test_a_nationality_is_listed_or_everyone_is_welcome() -> None:
    documents = some(eligible_nationalities=[("CN", "IN"), ("any",), None, ("DE",)])
    assert both(documents, nationality="CN") == (["0", "1"], ["2"])
    assert both(documents, nationality="FR") == (["1"], ["2"])


def test_levels_and_languages() -> None:
    assert both(some(levels=[("master", "phd"), ("bachelor",), None]), levels=("phd",)) == (["0"], ["2"])
    assert both(some(language=["zh-Hant", "en", None]), languages=("zh",)) == (["0"], ["2"])


def test_a_provider_contains_the_text_whatever_its_case_and_width() -> None:
    documents = some(provider=["DAAD Bonn", "Ｄａａｄ", "Straße-Stiftung", None, "NSF"])
    assert both(documents, provider="daad") == (["0", "1"], ["3"])
    assert both(documents, provider="STRASSE") == (["2"], ["3"])


@pytest.mark.parametrize(
    ("wanted", "stated", "match"),
    [
        ("07", "0715", True),
        ("0715", "0715", True),
        ("071", "0715", True),
        ("0715", "07", False),
        ("07", "1007", False),
        ("07", "class of 07", False),
        ("engineering", "0715", True),
        ("engineering", "07", True),
        ("engineering", "0612", False),
        ("ingenieurwissenschaften", "0715", True),
        ("工程", "0715", True),
        ("工程", "0612", False),
        ("nursing", "0913", True),
        ("computer science", "0613", True),
        ("computer science", "06", False),
        ("business", "0413", True),
        ("business", "0421", False),
        ("humanities", "02", True),
        ("humanities", "0222", True),
        ("humanities", "0213", False),
        ("art", "0213", False),
        ("0715", "mechanical engineering", True),
        ("07", "mechanical engineering", True),
        ("07", "engineering and applied science", True),
        ("0715", "engineering", False),
        ("0711", "mechanical engineering", False),
        ("07", "software engineering", False),
        ("0613", "software engineering", True),
        ("07", "reengineering", False),
        ("0222", "geschichte", True),
        ("07", "any", False),
        ("computer", "computer science", True),
        ("science", "computer science", True),
        ("computer science", "computer science", True),
        ("art", "martial studies", False),
        ("computer", "microcomputers", False),
        ("c++", "c++ programming", True),
        ("fine", "arts (fine)", True),
        ("(", "arts (fine)", False),
        ("医学", "临床医学类", True),
        ("공학", "전자공학", True),
        ("ör", "körper", False),
    ],
)
def test_a_field_is_covered_by_code_prefix_or_as_words(wanted: str, stated: str, match: bool) -> None:
    assert covers(wanted, stated) is match


def test_fields_match_whatever_their_case_and_any_will_do() -> None:
    documents = some(fields=[("0715", "Music"), ("Law",), None, ("ELECTRICAL Engineering",)])
    assert both(documents, fields=("07",)) == (["0", "3"], ["2"])
    assert both(documents, fields=("engineering", "LAW")) == (["0", "1", "3"], ["2"])


def test_every_code_and_its_name_cover_each_other_and_what_lies_within() -> None:
    for code, name in field_names().items():
        assert covers(code, name)
        assert covers(name, code)
        for other, stated in field_names().items():
            if other.startswith(code):
                assert covers(name, other), (name, other)
                assert covers(code, stated), (code, stated)
    for name, code in SYNONYMS.items():
        assert covers(name, code)
        assert covers(code[:2], name), (code, name)


@given(st.text(max_size=30))
def test_any_text_can_be_asked_for_and_stated(text: str) -> None:
    for code in ("07", "0715"):
        assert covers(text, code) in (True, False)
        # What a text names as a detailed field, it names as the broad one too.
        assert covers("07", text) >= covers("0715", text)


def test_an_amount_in_another_currency_or_from_below_is_not_known() -> None:
    documents = some(
        amount=[
            Amount(500.0, 1500.0, "EUR"),
            Amount(500.0, 900.0, "EUR"),
            Amount(500.0, None, "EUR"),
            Amount(1000.0, None, "EUR"),
            Amount(None, 90.0, "EUR", "month"),
            Amount(None, 80.0, "EUR", "month"),
            Amount(9000.0, 9000.0, "USD"),
            Amount(9000.0, 9000.0),
            Amount(text="much", currency="EUR"),
            None,
        ]
    )
    assert both(documents, min_amount=MinAmount(1000, "EUR")) == (["0", "3", "4"], ["2", "6", "7", "8", "9"])


def test_a_deadline_range_includes_both_days_and_leaves_out_the_undated_on_demand() -> None:
    documents = some(
        windows=[
            (Window(deadline_on=date(2026, 10, 9)),),
            (Window(deadline_on=date(2026, 10, 10)),),
            (Window(deadline_on=date(2026, 10, 20)),),
            (Window(deadline_on=date(2026, 10, 21)),),
            (Window(kind="rolling"),),
            (Window(kind="recurring", month_day="--10-15"),),
            (),
            (Window(deadline_on=date(2026, 10, 1)), Window(deadline_on=date(2026, 10, 15))),
        ]
    )
    told = both(documents, deadline_from=date(2026, 10, 10), deadline_to=date(2026, 10, 20))
    # The last one closes first on the 1st, which is the day shown.
    assert told == (["1", "2"], ["4", "5", "6"])
    assert both(documents, deadline_to=date(2026, 10, 9)) == (["0", "7"], ["4", "5", "6"])
    assert both(documents, deadline_from=date(2026, 10, 21)) == (["3"], ["4", "5", "6"])


def test_a_deadline_of_today_is_within_today_to_its_last_second() -> None:
    documents = some(windows=[(Window(deadline_on=date(2026, 10, 31), zone="Asia/Shanghai"),)])
    today = Filters(deadline_to=date(2026, 10, 31), availability=("open",), unknown="exclude")
    last = datetime(2026, 10, 31, 15, 59, 59, tzinfo=UTC)
    assert passing(documents, today, last) == ["0"]
    assert passing(documents, today, last + timedelta(seconds=1)) == []


def test_availability_asks_for_states_by_name_whatever_the_policy(twelve: tuple[Document, ...]) -> None:
    for policy in ("include", "exclude"):
        for state in AVAILABILITY:
            kept = passing(twelve, Filters(availability=(state,), unknown=policy))  # type: ignore[arg-type]
            assert kept == [one.doc_id for one in twelve if availability(one.windows, NOW).state == state]
            assert kept
    assert len(passing(twelve, Filters(availability=AVAILABILITY))) == 12


def test_a_word_that_is_no_state_is_refused(twelve: tuple[Document, ...]) -> None:
    with pytest.raises(ValueError, match="'ope' is no availability"):
        passing(twelve, Filters(availability=("ope",)))  # type: ignore[arg-type]


documents = st.builds(
    Document,
    doc_id=st.just("x"),
    title=st.just("T"),
    host_countries=st.sampled_from([None, ("DE",), ("DE", "SE"), ("CN",)]),
    eligible_nationalities=st.sampled_from([None, ("any",), ("CN",)]),
    levels=st.sampled_from([None, ("phd",), ("master",)]),
    provider=st.sampled_from([None, "DAAD", "NSF"]),
    windows=st.sampled_from([(), (Window(kind="rolling"),), (Window(deadline_on=date(2026, 1, 1)),)]),
)
filters = st.builds(
    Filters,
    host_countries=st.sampled_from([(), ("DE",), ("SE", "CN")]),
    nationality=st.sampled_from([None, "CN", "DE"]),
    levels=st.sampled_from([(), ("phd",)]),
    provider=st.sampled_from([None, "da"]),
    availability=st.sampled_from([(), ("rolling", "unknown")]),
    unknown=st.sampled_from(["include", "exclude"]),
)


@given(st.lists(documents, max_size=6).map(tuple), filters)
def test_filters_together_are_filters_one_by_one(many: tuple[Document, ...], asked: Filters) -> None:
    include = asked.unknown == "include"

    def fits(stated: tuple[str, ...] | None, meets: Callable[[tuple[str, ...]], bool]) -> bool:
        return include if stated is None else meets(stated)

    def passes(one: Document) -> bool:
        return (
            (
                not asked.host_countries
                or fits(one.host_countries, lambda own: bool({*own} & {*asked.host_countries}))
            )
            and (
                asked.nationality is None
                or fits(one.eligible_nationalities, lambda own: bool({*own} & {asked.nationality, "any"}))
            )
            and (not asked.levels or fits(one.levels, lambda own: bool({*own} & {*asked.levels})))
            and (asked.provider is None or fits(one.provider and (one.provider,), lambda own: "DA" in own[0]))
            and (not asked.availability or availability(one.windows, NOW).state in asked.availability)
        )

    assert mask(Columns.of(many), asked, NOW).tolist() == [passes(one) for one in many]
