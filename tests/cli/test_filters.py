"""Filters as they are typed on the command line."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from app.request import read_call
from cli.filters import SYNTAX, read_filters
from index.types import MinAmount


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("host_countries=DE, FR", {"host_countries": ["DE", "FR"]}),
        ("fields=07,nursing", {"fields": ["07", "nursing"]}),
        ("provider=a=b, c", {"provider": "a=b, c"}),
        ("deadline=2026-12-01..2027-01-31", {"deadline": {"from": "2026-12-01", "to": "2027-01-31"}}),
        ("deadline=2026-12-01..", {"deadline": {"from": "2026-12-01"}}),
        ("deadline= .. 2027-01-31", {"deadline": {"to": "2027-01-31"}}),
        ("deadline=2026-12-01", {"deadline": {"from": "2026-12-01", "to": "2026-12-01"}}),
        ('deadline={"from": "2026-12-01"}', {"deadline": {"from": "2026-12-01"}}),
        ("min_amount=10000EUR", {"min_amount": {"value": 10000.0, "currency": "EUR"}}),
        ("min_amount=eur 10_000.50", {"min_amount": {"value": 10000.5, "currency": "EUR"}}),
    ],
)
def test_what_is_typed_is_what_a_request_says(typed: str, read: dict[str, Any]) -> None:
    assert read_filters([typed]) == read


@pytest.mark.parametrize(
    "typed",
    [
        "deadline", "deadline=", "deadline=..", "deadline=soon", "deadline=2026-12..2027-01", "deadline=1/12/2026..",
        "min_amount=", "min_amount=10000", "min_amount=EUR", "min_amount=-5EUR", "min_amount=EUR 10 USD",
        "min_amount=10.000EUR", "min_amount=10,000EUR",  # a thousand or a decimal: not guessed
        'min_amount={"value": ',
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_wrong_usage_with_a_way_to_write_it(typed: str) -> None:
    with pytest.raises(typer.BadParameter) as refused:
        read_filters([typed])
    assert repr(typed) in str(refused.value)


def test_a_list_may_be_typed_in_parts() -> None:
    assert read_filters(["levels=master", "levels=phd"]) == {"levels": ["master", "phd"]}


DAYS = st.dates(date(1900, 1, 1), date(2199, 12, 31))


@given(DAYS, DAYS, st.integers(0, 10**9))
def test_the_engine_gets_what_was_typed(one: date, other: date, value: int) -> None:
    first, last = sorted((one, other))
    raw = {
        "query": "",
        "filters": read_filters(
            [f"deadline={first}..{last}", f"min_amount={value}CHF", "fields=engineering"]
        ),
    }
    call = read_call(raw, now=datetime(2026, 12, 1, tzinfo=UTC), request_id="r", query_id="q")
    filters = call.query.filters
    assert (filters.deadline_from, filters.deadline_to) == (first, last)
    assert filters.min_amount == MinAmount(float(value), "CHF")


def test_every_example_of_the_help_can_be_typed() -> None:
    examples = [
        word.strip("().,;") for word in SYNTAX.split() if "=" in word and not word.startswith("name=")
    ]
    assert len(examples) > 8
    for example in examples:
        assert read_filters([example])
