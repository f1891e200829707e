"""Does a programme fit the asker, as far as both have said? Three verdicts, each with its reasons.

- **ineligible**: a stated rule excludes the asker;
- **unknown**: nothing excludes them, but a fact they gave cannot be checked against the record;
- **eligible**: every fact they gave was checked and fits. What they did not give is not judged.

Whether the window is open is not judged here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from index.attribute import fold
from index.countries import ANY
from index.discipline import covers, is_code
from index.document import Document
from index.reach import admitted, admitting
from index.regions.table import regions
from index.rules import speaks_of
from index.types import Profile

Fit = Literal["eligible", "unknown", "ineligible"]

_OTHER = "other"
# How sources write that a field of study does not matter.
_ANY_FIELD = frozenset({"any", "all", "any field", "all fields", "unrestricted"})
_LISTED = 5


@dataclass(frozen=True, slots=True)
class Reason:
    """One fact that was compared, and how it came out.

    code: one of `REASONS`, for translating and counting. message: one plain English sentence. fit: what this
    fact alone would say. stated: the record's values.
    """

    code: str
    message: str
    fit: Fit
    stated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict, and every comparison behind it, what excludes first."""

    verdict: Fit
    reasons: tuple[Reason, ...] = ()


_FITS: tuple[Fit, ...] = ("ineligible", "unknown", "eligible")
_TEXT_RULES = ("residence", "age", "gender", "grades")

REASONS: tuple[str, ...] = (
    *(f"nationality_{end}" for end in ("any", "listed", "not_listed", "not_stated")),
    *(f"level_{end}" for end in ("listed", "not_listed", "not_stated", "not_comparable")),
    *(f"field_{end}" for end in ("any", "listed", "not_listed", "not_stated", "not_comparable")),
    *(f"{rule}_in_text" for rule in _TEXT_RULES),
)
"""The codes of reasons; a closed set."""


def judge(document: Document, nationality: str | None, profile: Profile | None, as_of: date) -> Verdict:
    """The verdict on a programme for an asker, on the day `as_of`.

    `nationality` (of the query's filter) goes before the profile's. Nothing asked gives "unknown" without
    reasons.
    """
    asker = profile or Profile()
    reasons: list[Reason] = []
    if asked := nationality or asker.nationality:
        reasons.append(_nationality(document, asked))
    if asker.level:
        reasons.append(_level(document.levels, asker.level))
    if asker.fields:
        reasons.append(_field(document.fields, asker.fields))
    reasons.extend(_text_rules(document, asker, as_of))
    # Python's sort is stable: within one fit the facts keep their order.
    reasons.sort(key=lambda reason: _FITS.index(reason.fit))
    return Verdict(reasons[0].fit if reasons else "unknown", tuple(reasons))


def _nationality(document: Document, asked: str) -> Reason:
    stated = admitted(document)
    if stated is None:
        return Reason(
            "nationality_not_stated", "The record does not say who may apply, by nationality.", "unknown"
        )
    if ANY in stated:
        return Reason("nationality_any", "Open to every nationality.", "eligible", stated)
    if asked in stated:
        return Reason("nationality_listed", _welcome(document, asked), "eligible", stated)
    named = (*(document.eligible_nationalities or ()), *_regions(document))
    message = f"Open to nationals of {_list(named)}, not of {asked}."
    return Reason("nationality_not_listed", message, "ineligible", stated)


def _welcome(document: Document, asked: str) -> str:
    """Why a nationality may apply: by name, or as a member of a region on a day."""
    rule = admitting(document, asked)
    if rule is None or asked in (document.eligible_nationalities or ()):
        return f"Open to nationals of {asked}."
    return f"Open to nationals of {asked}, as a member of {regions()[rule.region].name} on {rule.on}."


def _regions(document: Document) -> Iterator[str]:
    """The regions whose nationals may apply, in words with the day that decides."""
    for rule in document.regions:
        if rule.field == "eligible_nationalities":
            yield f"{regions()[rule.region].name} (members on {rule.on})"


def _level(stated: tuple[str, ...] | None, asked: str) -> Reason:
    if stated is None:
        return Reason("level_not_stated", "The record does not say for which level it is.", "unknown")
    if asked in stated:
        return Reason("level_listed", f"For the level {asked}.", "eligible", stated)
    if _OTHER in (asked, *stated):
        message = f"For the levels {_list(stated)}, which cannot be compared with {asked}."
        return Reason("level_not_comparable", message, "unknown", stated)
    return Reason("level_not_listed", f"For the levels {_list(stated)}, not {asked}.", "ineligible", stated)


def _field(stated: tuple[str, ...] | None, asked: tuple[str, ...]) -> Reason:
    if stated is None:
        return Reason("field_not_stated", "The record does not say for which fields it is.", "unknown")
    told = [fold(field) for field in stated]
    if not _ANY_FIELD.isdisjoint(told):
        return Reason("field_any", "For any field of study.", "eligible", stated)
    pairs = [(fold(wanted).strip(), field) for wanted in asked for field in told]
    if any(_takes_in(field, wanted) for wanted, field in pairs):
        return Reason("field_listed", f"For the fields {_list(stated)}.", "eligible", stated)
    # Two codes that share no prefix are apart for certain; of words one cannot say so.
    if all(is_code(wanted) and is_code(field) and not covers(wanted, field) for wanted, field in pairs):
        message = f"For the fields {_list(stated)}, not {_list(asked)}."
        return Reason("field_not_listed", message, "ineligible", stated)
    message = f"For the fields {_list(stated)}; compare them with yours, {_list(asked)}."
    return Reason("field_not_comparable", message, "unknown", stated)


def _takes_in(field: str, wanted: str) -> bool:
    """Whether a programme's field takes in the asker's: the same, or a broader code, or the same words."""
    if is_code(wanted) or is_code(field):
        return is_code(field) and wanted.startswith(field)
    return covers(wanted, field) or covers(field, wanted)


def _text_rules(document: Document, asker: Profile, as_of: date) -> Iterator[Reason]:
    """A reason for each fact the asker gave that only the record's text could speak of, and does."""
    given = {
        "residence": asker.residence and f"you live in {asker.residence}",
        "age": asker.birth_year and _ages(asker.birth_year, as_of),
        "gender": asker.gender and f"you gave {asker.gender}",
        "grades": asker.gpa is not None and f"you gave {asker.gpa:g}",
    }
    for rule in _TEXT_RULES:
        told = given[rule]
        if told and speaks_of(document, rule):
            message = f"The text speaks of {rule} and has to be read; {told}."
            yield Reason(f"{rule}_in_text", message, "unknown")


def _ages(birth_year: int, as_of: date) -> str:
    """The birthday is not asked for, so two ages are possible."""
    age = as_of.year - birth_year
    return f"you are {age - 1} or {age}"


def _list(values: tuple[str, ...]) -> str:
    """The values in words, long lists cut."""
    shown = ", ".join(values[:_LISTED])
    more = len(values) - _LISTED
    return f"{shown} and {more} more" if more > 0 else shown
