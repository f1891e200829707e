"""Which column of a file is which field of a record: read from a small TOML, written out as one."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from index.ingest.clean.days import Order
from index.ingest.problem import WrongMapping

FIELDS = (
    "id", "title", "aliases", "provider", "description", "eligibility", "host_countries", "nationalities", "levels",
    "fields", "amount", "amount_min", "amount_max", "currency", "deadline", "opens", "language", "url", "coverage",
)  # fmt: skip
CONSTANTS = ("provider", "host_countries", "eligible_nationalities", "levels", "fields")
_PLAIN = ("source", "licence", "language", "currency", "date_order", "header", "decimal")


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """How a file is read.

    columns: column → the fields it is read for; "a.b" is b inside a. constants: facts true of every row that
    says nothing else. currency: what an unmarked sum is in. decimal: the mark before decimals.
    header: whether a table has a heading row; None = look.
    """

    columns: Mapping[str, tuple[str, ...]]
    constants: Mapping[str, object] = field(default_factory=dict)
    source: str | None = None
    licence: str | None = None
    language: str | None = None
    currency: str | None = None
    date_order: Order | None = None
    header: bool | None = None
    decimal: str | None = None
    _of: Mapping[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Asked some twenty times a row, so looked up once.
        found: dict[str, tuple[str, ...]] = {}
        for column, fields in self.columns.items():
            for name in fields:
                found[name] = (*found.get(name, ()), column)
        object.__setattr__(self, "_of", found)

    def columns_of(self, name: str) -> tuple[str, ...]:
        """The columns that are read for a field, in the order of the map."""
        return self._of.get(name, ())


def read_map(path: Path) -> ColumnMap:
    """The map of a TOML file. Raises WrongMapping naming what is wrong."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeError) as error:
        raise WrongMapping(f"{path.name}: is not TOML ({error})") from error
    return parse_map(told, path.name)


def parse_map(told: Mapping[str, object], name: str = "mapping") -> ColumnMap:
    """The map of parsed TOML. Raises WrongMapping naming what is wrong."""
    _refuse(told, {*_PLAIN, "columns", "constants"}, name, "setting")
    columns = told.get("columns", {})
    constants = told.get("constants", {})
    if not isinstance(columns, Mapping) or not isinstance(constants, Mapping):
        raise WrongMapping(f"{name}: columns and constants must be tables")
    _refuse(constants, set(CONSTANTS), name, "constant")
    read = {str(column): _fields(column, value, name) for column, value in columns.items()}
    if not any("title" in fields for fields in read.values()):
        raise WrongMapping(f"{name}: no column is mapped to title")
    order, header = told.get("date_order"), told.get("header")
    if order not in {None, "dmy", "mdy"}:
        raise WrongMapping(f"{name}: date_order must be dmy or mdy")
    if not isinstance(header, bool | None):
        raise WrongMapping(f"{name}: header must be true or false")
    texts = {
        key: _text(told.get(key), key, name)
        for key in ("source", "licence", "language", "currency", "decimal")
    }
    if texts["decimal"] not in {None, ".", ","}:
        raise WrongMapping(f"{name}: decimal must be . or ,")
    return ColumnMap(read, constants, date_order=order, header=header, **texts)


def map_record(made: ColumnMap) -> dict[str, object]:
    """The map as the values of its TOML; `parse_map` reads it back."""
    plain: dict[str, object] = {key: value for key in _PLAIN if (value := getattr(made, key)) is not None}
    columns = {
        column: fields[0] if len(fields) == 1 else list(fields) for column, fields in made.columns.items()
    }
    return {**plain, "columns": columns, "constants": dict(made.constants)}


def write_map(made: ColumnMap) -> str:
    """The TOML of a map; `parse_map` reads it back."""
    lines = [
        f"{key} = {json.dumps(value, ensure_ascii=False)}"
        for key in _PLAIN
        if (value := getattr(made, key)) is not None
    ]
    lines += ["", "[columns]"]
    for column, fields in made.columns.items():
        told = fields[0] if len(fields) == 1 else list(fields)
        lines.append(f"{json.dumps(column, ensure_ascii=False)} = {json.dumps(told)}")
    if made.constants:
        lines += ["", "[constants]"]
        lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in made.constants.items()]
    return "\n".join(lines) + "\n"


def _fields(column: object, value: object, name: str) -> tuple[str, ...]:
    fields = [value] if isinstance(value, str) else value
    if not isinstance(fields, list) or not fields:
        raise WrongMapping(f"{name}: column {column!r} must name a field or a list of fields")
    for told in fields:
        if told not in FIELDS:
            raise WrongMapping(
                f"{name}: column {column!r} is mapped to {told!r}; fields are {', '.join(FIELDS)}"
            )
    return tuple(fields)


def _refuse(told: Mapping[str, object], known: set[str], name: str, what: str) -> None:
    for key in told:
        if key not in known:
            raise WrongMapping(f"{name}: no {what} {key!r}; known: {', '.join(sorted(known))}")


def _text(value: object, key: str, name: str) -> str | None:
    if not isinstance(value, str | None):
        raise WrongMapping(f"{name}: {key} must be text")
    return value
