"""A setting that cannot be used, in one line for whoever set it: which one, its value, what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import SecretStr, ValidationError
from pydantic.fields import FieldInfo

_LONGEST_VALUE = 80
_OWN_WORDS = frozenset({"value_error", "assertion_error"})


class BadSetting(ValueError):  # noqa: N818 - named for what was found
    """Settings that cannot be used. The message is one line, and holds no secret."""


def bad_setting(error: ValidationError, fields: Mapping[str, FieldInfo], prefix: str) -> BadSetting:
    """What is wrong with the settings, each by the name of its environment variable."""
    return BadSetting("; ".join(_told(one, fields, prefix) for one in error.errors(include_url=False)))


def _told(one: Mapping[str, Any], fields: Mapping[str, FieldInfo], prefix: str) -> str:
    field = str(one["loc"][0]) if one["loc"] else ""
    words = str(one["msg"]).removeprefix("Value error, ")
    info = fields.get(field)
    if info is None:
        return f"{prefix}{field.upper()}: {words}" if field else words
    name = f"{prefix}{field.upper()}"
    if one["type"] in _OWN_WORDS:
        return f"{name} {words}" if words.startswith("is ") else f"{name}: {words}"
    return f"{name}{_value(one.get('input'), info)}: must be {_allowed(info)}"


def _value(value: object, info: FieldInfo) -> str:
    """What was given, cut short; nothing of a secret."""
    if SecretStr in _kinds(info.annotation):
        return ""
    text = " ".join(str(value).split())
    return f" is {text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + '…'!r}"


def _allowed(info: FieldInfo) -> str:
    """The values that a field takes, in words."""
    kinds = _kinds(info.annotation)
    choices = [str(choice) for kind in kinds if get_origin(kind) is Literal for choice in get_args(kind)]
    if choices:
        return f"one of {', '.join(choices)}"
    if bool in kinds:
        return "true or false"
    for kind, noun in ((int, "a whole number"), (float, "a number")):
        if kind in kinds:
            return noun + _range(_limit(info, "ge"), _limit(info, "le"))
    most, pattern = _limit(info, "max_length"), _limit(info, "pattern")
    text = "plain text on one line" if pattern else "a text"
    if not most and _limit(info, "min_length"):
        return f"{text} that is not empty"
    return f"{text} of at most {most} characters" if most else text


def _range(least: object, most: object) -> str:
    if least is not None and most is not None:
        return f" from {least} to {most}"
    if least is not None:
        return f" of at least {least}"
    return "" if most is None else f" of at most {most}"


def _limit(info: FieldInfo, name: str) -> object:
    return next((found for part in info.metadata if (found := getattr(part, name, None)) is not None), None)


def _kinds(annotation: object) -> tuple[object, ...]:
    """The alternatives of an annotation."""
    is_union = get_origin(annotation) in (Union, UnionType)
    return tuple(get_args(annotation)) if is_union else (annotation,)
