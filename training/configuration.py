"""Settings out of a TOML file: unknown names, wrong types and values out of range are refused by their place."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from training.errors import ConfigError
from training.settings import TrainingSettings

SHIPPED = Path(__file__).with_name("configs")


def read_settings(path: Path) -> TrainingSettings:
    """The settings in the file `path`. Raises ConfigError, which names the file and, where there is one, the field."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise ConfigError("", f"{path} cannot be read: {fault.strerror or fault}") from fault
    except ValueError as fault:  # bytes that are no UTF-8, or no TOML
        raise ConfigError("", f"{path} is not TOML: {fault}") from fault
    try:
        return settings_of(table)
    except ConfigError as fault:
        raise ConfigError(fault.place, f"{fault.reason} ({path})") from fault


def settings_of(table: Mapping[str, object]) -> TrainingSettings:
    """The settings a parsed table says; what it leaves out has its default."""
    made: TrainingSettings = _filled(TrainingSettings, table, "")
    return made


def _filled(kind: type[Any], table: Mapping[str, object], place: str) -> Any:  # noqa: ANN401 - whatever `kind` is
    """A `kind` with the values of `table`; `place` is where the table stands, with its dot."""
    known = {each.name for each in fields(kind)}
    for name in table:
        if name not in known:
            raise ConfigError(f"{place}{name}", f"is not known; known here: {', '.join(sorted(known))}")
    hints = get_type_hints(kind)
    return kind(**{name: _value(hints[name], value, f"{place}{name}") for name, value in table.items()})


def _value(hint: Any, value: object, place: str) -> object:  # noqa: ANN401 - a type, in any of its forms
    """`value` as the type `hint` wants it; whole numbers pass for fractions, nothing else is turned."""
    if is_dataclass(hint):
        if not isinstance(value, dict):
            raise ConfigError(place, f"must be a table, got {_kind(value)}")
        return _filled(hint, value, f"{place}.")  # type: ignore[arg-type]
    origin = get_origin(hint)
    if origin is Literal:
        if value not in get_args(hint):
            raise ConfigError(place, f"must be one of {', '.join(map(repr, get_args(hint)))}, got {value!r}")
        return value
    if origin is tuple:
        if not isinstance(value, list):
            raise ConfigError(place, f"must be a list, got {_kind(value)}")
        return tuple(_value(get_args(hint)[0], item, f"{place}[{at}]") for at, item in enumerate(value))
    if origin is not None:
        if not isinstance(value, dict):
            raise ConfigError(place, f"must be a table, got {_kind(value)}")
        return {name: _value(get_args(hint)[1], item, f"{place}.{name}") for name, item in value.items()}
    if hint is float and type(value) is int:
        return float(value)
    if type(value) is not hint:
        raise ConfigError(place, f"must be {_NAMES[hint]}, got {_kind(value)}")
    return value


_NAMES: Mapping[type, str] = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _kind(value: object) -> str:
    return f"{_NAMES.get(type(value), type(value).__name__)} ({value!r})"
