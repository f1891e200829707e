from __future__ import annotations

import re
from decimal import Decimal

import pytest
from babel.numbers import format_currency
from hypothesis import given
from hypothesis import strategies as st

from index.ingest.clean.money import read_money
from index.ingest.clean.number import decide_dots, read_number

Facts = tuple[float | None, float | None, str | None, str | None]


def facts(text: str, currency: str | None = None, dots: bool | None = None) -> Facts:
    amount = read_money(text, currency, dots).amount
    return (
        (None, None, None, None)
        if amount is None
        else (amount.min, amount.max, amount.currency, amount.period)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$5,000 - $12,500", (5000, 12500, None, None)),
        ("$10,000-$100,000 USD", (10000, 100000, "USD", None)),
        ("1,000- 4,800 GBP", (1000, 4800, "GBP", None)),
        ("1,100 Euro per month", (1100, 1100, "EUR", "month")),
        ("11,000 GBP per semester", (11000, 11000, "GBP", None)),
        ("€13.600 gross/year", (13600, 13600, "EUR", "year")),
        ("5.263,50 euros", (5263.5, 5263.5, "EUR", None)),
        ("Stipend of 10000 bahts per month", (10000, 10000, "THB", "month")),
        ("SEK50K-100K per study year", (50000, 100000, "SEK", "year")),
        ("Up to INR 125 000", (None, 125000, "INR", None)),
        ("Up to $6,000", (None, 6000, None, None)),
        ("Up to 250000$", (None, 250000, None, None)),
        ("From 550$", (550, None, None, None)),
        ("From 200000$ to 2000000$", (200000, 2000000, None, None)),
        ("NZ $23,500 per annum", (23500, 23500, "NZD", "year")),
        ("$NZ25,000/year stipend + tuition fees", (25000, 25000, "NZD", "year")),
        ("CHF 12'000", (12000, 12000, "CHF", None)),
        ("80,000 HK Dollar", (80000, 80000, "HKD", None)),
        ("15000 NTD", (15000, 15000, "TWD", None)),
        ("100,000 RUR=$2,800USD", (100000, 100000, "RUB", None)),
        ("HK$14,500/month for PhD; HK$14,300/month for MPhil", (14300, 14500, "HKD", "month")),
        ("每名10,000元", (10000, 10000, None, None)),
        ("每名美金1,500元", (1500, 1500, "USD", None)),
        ("最低美金30,000元、最高美金50,000元", (30000, 50000, "USD", None)),
        ("每名１００，０００元", (100000, 100000, None, None)),
        ("每名每學年新臺幣 20 萬元", (200000, 200000, "TWD", "year")),
        ("博士班研究生每名十萬元，碩士班研究生每名五萬元。", (50000, 100000, None, None)),
        ("碩士生：每月獎助新台幣2萬元。博士生：每月獎助新台幣2萬5,000元", (20000, 25000, "TWD", "month")),
        ("每月30,000元(共180,000)", (30000, 30000, None, "month")),
        ("至多280,000元", (None, 280000, None, None)),
        ("석사과정 월 150만원, 박사과정 월 200만원", (1500000, 2000000, "KRW", "month")),
        ("학기당 250만원", (2500000, 2500000, "KRW", None)),
        ("สูงสุด 5,000,000 บาท", (None, 5000000, "THB", None)),
        ("One-time merit-based award of ₹2,50,000 paid directly", (250000, 250000, "INR", "once")),
        ("A one-time grant of €5,000 (approx. ₹4,50,000) in the first year", (5000, 5000, "EUR", "once")),
        ("US ,000 stipend (~₹1.68 Lakh) + Airfare", (168000, 168000, "INR", None)),
        (
            "Bis zu 812 Euro monatliche GrundförderungStudienkostenpauschale von 300 Euro",
            (None, 812, "EUR", "month"),
        ),
        ("auf 10.000 Euro pro Anfrage begrenzt", (None, 10000, "EUR", None)),
        ("monatliche Rate von 861 EuroKranken-Versicherung", (861, 861, "EUR", "month")),
        ("upp till 400 000 kr per år", (None, 400000, None, "year")),
    ],
)
def test_what_is_certain_is_read(text: str, expected: Facts) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(
    "text",
    ["Minimum of 50% of total fees", "25%-93% tuition reduction", "tuition and expenses", "全國至多合計14名", "不定",
     "Various benefits",
     "등록금 전액 또는 일부", "for 2 years", "100% waiver", "in 2026", "application fee of $50", "US ,000"],
)  # fmt: skip
def test_what_is_no_sum_is_none(text: str) -> None:
    assert facts(text) == (None, None, None, None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("$25.000", "two ways"),
        ("Total budget EUR 12000000", "whole programme"),
        ("優秀學生每名新臺幣200,000元、博士生每月新臺幣50,000元", "different periods"),
        ("$25,000 USD; AUS $30,000; £15,000", "several currencies"),
    ],
)
def test_what_is_doubtful_is_left_out_and_said(text: str, why: str) -> None:
    read = read_money(text)
    assert why in read.doubt
    assert read.amount is not None
    assert (read.amount.min, read.amount.max, read.amount.text) == (None, None, text)


def test_what_the_file_knows_decides_what_a_mark_cannot_say() -> None:
    assert facts("$250.00", "CAD") == (250, 250, "CAD", None)
    assert facts("1 000 euro", "SEK") == (1000, 1000, "EUR", None)
    assert facts("$25.000", dots=True) == (25000, 25000, None, None)


@pytest.mark.parametrize(
    ("column", "known"),
    [
        (["$35.000", "$20.000", "$9.500"], True),
        (["$25.000", "$1,000", "$2.000", "$3.000"], None),
        (["$25.000"], None),
    ],
)
def test_a_column_shows_what_its_dots_mean(column: list[str], known: bool | None) -> None:
    assert decide_dots(column) is known


MONEY = st.decimals(min_value=1, max_value=9_999_999, places=2)
PLACES = [("en_US", "USD"), ("en_GB", "GBP"), ("de_DE", "EUR"), ("es_ES", "EUR"), ("fr_FR", "EUR"), ("de_CH", "CHF"),
          ("en_IN", "INR"),
          ("ko_KR", "KRW"), ("en_CA", "USD"), ("sv_SE", "EUR"), ("pl_PL", "PLN"), ("en_AU", "AUD")]  # fmt: skip


@given(MONEY, st.sampled_from(PLACES))
def test_a_sum_that_babel_writes_is_read(value: Decimal, place: tuple[str, str]) -> None:
    locale, currency = place
    text = format_currency(value, currency, locale=locale)
    low, high, code, _ = facts(text)
    shown = value if currency != "KRW" else value.quantize(Decimal(1), rounding="ROUND_HALF_EVEN")
    assert low == high == float(shown), text
    assert code in {currency, None}, text
    assert code == currency or "$" in text


@given(st.text())
def test_nothing_raises(text: str) -> None:
    read_money(text)


@given(st.text(alphabet="0123456789.,- $€EURSDup to/%monthyear;()", max_size=50))
def test_no_number_without_its_digits(text: str) -> None:
    digits = re.sub(r"\D", "", text)
    amount = read_money(text).amount
    for value in (amount.min, amount.max) if amount else ():
        if value is not None:
            assert f"{value:.2f}".replace(".", "").rstrip("0").lstrip("0") in digits


@given(
    st.text(
        alphabet=st.characters(
            exclude_categories=["Nd", "No", "Nl"], exclude_characters="一二兩两三四五六七八九十百千"
        ),
        max_size=60,
    )
)
def test_no_sum_without_a_number(text: str) -> None:
    assert facts(text) == (None, None, None, None)


@pytest.mark.parametrize(
    ("text", "value"), [("十萬", 100000), ("二十五萬", 250000), ("三萬五千", 35000), ("一百二十萬", 1200000)]
)
def test_chinese_numerals(text: str, value: float) -> None:
    assert read_number(text) == value
