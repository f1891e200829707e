"""A request body as one JSON object, read strictly: what two readers could take differently is refused.

Refused are duplicate keys, NaN and Infinity, a byte order other than UTF-8, nesting without end, NUL, and
half a surrogate pair, which no encoder further on could write.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from email.message import Message
from typing import NoReturn

from app.errors import Fault, InvalidRequest, MalformedJson, UnsupportedMediaType

from .problems import pointer

_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")
# curl -d, and many a first script, send JSON under the form type: it is read as the JSON it is.
_ACCEPTED = frozenset({"application/json", "application/x-www-form-urlencoded", "text/json"})
_DEEPEST = 32


def check_media_type(content_type: str | None, also: frozenset[str] = frozenset()) -> None:
    """Nothing, when a body of that type may be JSON, or is one of `also`. Raises UnsupportedMediaType."""
    if content_type is None:
        return
    message = Message()
    message["content-type"] = content_type
    kind = message.get_content_type()
    # Without a readable type `email` says text/plain; only a stated one counts here.
    if kind in _ACCEPTED or kind in also or (kind.startswith("application/") and kind.endswith("+json")):
        return
    raise UnsupportedMediaType("Send the body as application/json.")


def parse_object(body: bytes) -> dict[str, object]:
    """The one JSON object in `body`. Raises MalformedJson with the position, or InvalidRequest."""
    value = parse_value(text_of(body))
    faults = faults_in(value)
    if not isinstance(value, dict):
        faults.append(Fault("", "wrong-type", "must be a JSON object"))
    if faults or not isinstance(value, dict):
        raise InvalidRequest(*faults)
    return value


def has_unwritable(text: str) -> bool:
    """Whether the text holds NUL or half a surrogate pair."""
    return _UNWRITABLE.search(text) is not None


def faults_in(value: object) -> list[Fault]:
    """What in a parsed value could not be written again, or is nested too deeply."""
    return [Fault(where, code, message) for where, code, message in _unsound(value)]


def text_of(body: bytes) -> str:
    """The body as text. Raises MalformedJson when it is blank or not UTF-8."""
    if not body.strip():
        raise MalformedJson('The body is empty; an object such as {"query": "phd funding"} is expected.')
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedJson(f"The body is not UTF-8: see byte {error.start}.") from error


def parse_value(text: str) -> object:
    """The one JSON value in `text`, of any kind. Raises MalformedJson."""
    try:
        return json.loads(text, object_pairs_hook=_no_duplicates, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno} (character {error.pos})"
        raise MalformedJson(f"The body is not JSON: {error.msg} at {where}.") from error
    except RecursionError as error:
        raise MalformedJson("The body is nested too deeply.") from error
    except ValueError as error:  # an integer of thousands of digits
        raise MalformedJson("The body holds a number that is too long.") from error


def _no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counted = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counted.items() if count > 1)
        raise MalformedJson(f"The key {json.dumps(twice)[:80]} is there twice in one object.")
    return found


def _no_constant(name: str) -> NoReturn:
    raise MalformedJson(f"The body is not JSON: {name} is not a JSON value.")


def _unsound(value: object) -> Iterator[tuple[str, str, str]]:
    """(pointer, code, message) of every text that cannot be written again, and of nesting past the limit."""
    pending: list[tuple[tuple[str | int, ...], object]] = [((), value)]
    while pending:
        where, item = pending.pop()
        if isinstance(item, str):
            if has_unwritable(item):
                yield pointer(where), "unwritable-text", "must not hold NUL or half a surrogate pair"
        elif isinstance(item, dict | list):
            if len(where) >= _DEEPEST:
                yield pointer(where[:2]), "too-deep", f"is nested more than {_DEEPEST} levels deep"
                return
            if isinstance(item, dict) and any(map(has_unwritable, item)):
                yield pointer(where), "unwritable-text", "has a key with NUL or half a surrogate pair"
            children = item.items() if isinstance(item, dict) else enumerate(item)
            pending.extend(((*where, key), child) for key, child in children)
