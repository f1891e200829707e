"""What changed between two versions of a record, for programs and in plain sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from index.document import Document
from index.record import to_record

_LONGEST = 80
_TITLES = {"host_countries": "host countries", "eligible_nationalities": "eligible nationalities"}
_PERIODS = {"once": "once", "month": "per month", "year": "per year", "total": "in total"}
_UNLISTED = frozenset({"id", "updated_at"})


@dataclass(frozen=True, slots=True)
class Change:
    """One field that changed: its name, the JSON values before and after, and one plain sentence."""

    field: str
    before: object
    after: object
    sentence: str


def changes(old: Document, new: Document) -> list[Change]:
    """Every field whose content differs, in the order of the record; empty when none does.

    `updated_at` is no content (see `content.written`).
    """
    before, after = to_record(old), to_record(new)
    return [
        Change(field, before[field], after[field], _sentence(field, old, new))
        for field in before
        if field not in _UNLISTED and before[field] != after[field]
    ]


def sentence(found: list[Change]) -> str:
    """All changes in one sentence."""
    return "; ".join(change.sentence for change in found)


def _sentence(field: str, old: Document, new: Document) -> str:
    before, after = to_record(old)[field], to_record(new)[field]
    if field == "windows":
        return _windows(old, new)
    if field == "amount":
        was, now = _money(before), _money(after)
        return "amount worded anew" if was == now else f"amount changed from {was} to {now}"
    if field == "translations" and isinstance(before, Mapping) and isinstance(after, Mapping):
        tags = sorted(tag for tag in before.keys() | after.keys() if before.get(tag) != after.get(tag))
        return f"translations changed: {', '.join(tags)}"
    if field == "doubts":
        return _doubted(old, new)
    if field == "regions":
        return _listed("regions", *([rule.region for rule in one.regions] for one in (old, new)))
    name = _TITLES.get(field, field.replace("_", " "))
    if field in ("description", "eligibility") and before and after:
        return f"{name} reworded"
    if not before:
        return f"{name} added: {_words(after)}"
    if not after:
        return f"{name} removed (was {_words(before)})"
    if isinstance(before, list) and isinstance(after, list):
        return _listed(name, before, after)
    return f"{name} changed from {_words(before)} to {_words(after)}"


def _windows(old: Document, new: Document) -> str:
    if len(old.windows) == len(new.windows) == 1:
        before, after = old.windows[0], new.windows[0]
        said = []
        if before.deadline_on != after.deadline_on:
            said.append(_moved("deadline", before.deadline_on, after.deadline_on))
        if before.opens_on != after.opens_on:
            said.append(_moved("opening", before.opens_on, after.opens_on))
        if before.month_day != after.month_day:
            said.append(_moved("yearly deadline", before.month_day, after.month_day))
        if said:
            return "; ".join(said)
        parts = ("kind", "time", "zone", "cycle", "text")
        said = [
            f"{part} of the round changed from {_words(getattr(before, part))} to {_words(getattr(after, part))}"
            for part in parts
            if getattr(before, part) != getattr(after, part)
        ]
        return "; ".join(said)
    gone = [window.deadline_on for window in old.windows if window not in new.windows]
    come = [window.deadline_on for window in new.windows if window not in old.windows]
    said = [_rounds("added", come)] * bool(come) + [_rounds("removed", gone)] * bool(gone)
    return "; ".join(said) or "rounds reordered or repeated"


def _doubted(old: Document, new: Document) -> str:
    before, after = ([_TITLES.get(one.field, one.field) for one in part.doubts] for part in (old, new))
    return _listed("not certain", before, after)


def _rounds(what: str, days: Sequence[object]) -> str:
    named = ", ".join(f"deadline {day}" if day else "no stated deadline" for day in days)
    return f"{'round' if len(days) == 1 else f'{len(days)} rounds'} {what} ({named})"


def _moved(what: str, before: object, after: object) -> str:
    if before is None:
        return f"{what} set to {after}"
    if after is None:
        return f"{what} removed (was {before})"
    return f"{what} moved from {before} to {after}"


def _listed(name: str, before: Sequence[object], after: Sequence[object]) -> str:
    come = [str(item) for item in after if item not in before]
    gone = [str(item) for item in before if item not in after]
    said = [f"added {_words(come)}"] * bool(come) + [f"removed {_words(gone)}"] * bool(gone)
    return f"{name}: {', '.join(said)}" if said else f"{name} reordered"


def _money(value: object) -> str:
    if not isinstance(value, Mapping):
        return "not stated"
    low, high = value["min"], value["max"]
    if low is not None and high is not None and low != high:
        figure: str | None = f"{_figure(low)} to {_figure(high)}"
    elif high is not None:
        figure = _figure(high)
    else:
        figure = None if low is None else f"from {_figure(low)}"
    said = [part for part in (figure, value["currency"], _PERIODS.get(value["period"])) if part]
    return " ".join(said) or _words(value["text"])


def _figure(value: float) -> str:
    return f"{value:.2f}".removesuffix(".00")


def _words(value: object) -> str:
    if value in (None, "", []):
        return "not stated"
    text = ", ".join(map(str, value)) if isinstance(value, list) else " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
