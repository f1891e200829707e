"""The kinds of value a request may hold, each with its check, its message and its OpenAPI schema.

Messages never repeat the input: it may be part of somebody's profile.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from app.instant import parse_day, parse_instant, parse_zone
from index.countries import COUNTRIES

QUERY_LENGTH = 512
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_CURRENCY = re.compile(r"[A-Za-z]{3}")
_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
# Codes people use that the standard gives to nobody.
_MEANT = {"UK": "GB", "EN": "GB", "EL": "GR"}


def refuse(code: str, message: str) -> PydanticCustomError:
    """The error to raise: its code and its words reach the caller as they are."""
    return PydanticCustomError(code, "{reason}", {"reason": message})


def _sound(text: str) -> str:
    if _UNWRITABLE.search(text):
        raise refuse("unwritable-text", "must not hold NUL or half a surrogate pair")
    return text


def _query(text: str) -> str:
    if len(unicodedata.normalize("NFKC", _sound(text))) > QUERY_LENGTH:
        raise refuse("too-long", f"must have at most {QUERY_LENGTH} characters after NFKC normalisation")
    return text


def _stated(text: str) -> str:
    if not _sound(text).strip():
        raise refuse("too-short", "must not be blank")
    return text.strip()


def _country(code: str) -> str:
    upper = code.upper()
    if upper in COUNTRIES and code.isascii():
        return upper
    hint = f"; use {_MEANT[upper]}" if upper in _MEANT else ""
    raise refuse("not-allowed", f"must be a two-letter ISO 3166-1 country code such as US, DE or CN{hint}")


def _language(tag: str) -> str:
    if not _LANGUAGE.fullmatch(tag) or len(tag) > 35:
        raise refuse("not-allowed", "must be a language tag such as en, zh or pt-BR")
    return tag


def _primary(tag: str) -> str:
    return _language(tag).partition("-")[0].lower()


def _currency(code: str) -> str:
    if not _CURRENCY.fullmatch(code):
        raise refuse("not-allowed", "must be a three-letter ISO 4217 currency code such as EUR or USD")
    return code.upper()


def _field(text: str) -> str:
    stated = _stated(text)
    if stated.isascii() and stated.isdigit() and not 2 <= len(stated) <= 4:
        raise refuse(
            "not-allowed", "an ISCED-F 2013 code has two to four digits; anything else is read as words"
        )
    return stated


def _readable(parse: Callable[[str], object]) -> Callable[[str], str]:
    """A check that `parse` can read the text; the text stays, a ValueError becomes an error of ours."""

    def check(text: str) -> str:
        try:
            parse(text)
        except ValueError as error:
            raise refuse("invalid", str(error)) from error
        return text

    return check


def _schema(**schema: object) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", **schema})


QueryText = Annotated[
    str,
    AfterValidator(_query),
    _schema(maxLength=QUERY_LENGTH, description="What is looked for, in any language; empty = browse."),
]
Words = Annotated[str, Field(max_length=200), AfterValidator(_stated)]
Country = Annotated[str, AfterValidator(_country), _schema(pattern="^[A-Za-z]{2}$", examples=["DE"])]
LanguageTag = Annotated[str, AfterValidator(_language), _schema(maxLength=35, examples=["zh"])]
Language = Annotated[str, AfterValidator(_primary), _schema(maxLength=35, examples=["en"])]
Currency = Annotated[str, AfterValidator(_currency), _schema(pattern="^[A-Za-z]{3}$", examples=["EUR"])]
StudyField = Annotated[
    str,
    Field(max_length=200),
    AfterValidator(_field),
    _schema(minLength=1, maxLength=200, description="An ISCED-F 2013 code, or words.", examples=["0511"]),
]
Day = Annotated[str, AfterValidator(_readable(parse_day)), _schema(format="date")]
AsOf = Annotated[
    str,
    AfterValidator(_readable(parse_instant)),
    _schema(
        description="The day or instant the question is asked for; a day means its noon. Default: now.",
        examples=["2026-05-01", "2026-05-01T09:30:00+02:00"],
    ),
]
TimeZone = Annotated[
    str,
    Field(max_length=64),
    AfterValidator(_readable(parse_zone)),
    _schema(maxLength=64, description="An IANA time zone. Default: UTC.", examples=["Europe/Berlin"]),
]
Identifier = Annotated[str, Field(min_length=1, max_length=128), AfterValidator(_sound)]
CursorText = Annotated[str, Field(min_length=1, max_length=2048), AfterValidator(_sound)]
