"""Text files as numbered lines: plain or gzip, UTF-8, every fault told with its place."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

from .errors import EvaluationError

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def existing(path: Path) -> Path | None:
    """`path`, or `path` + ".gz", whichever is there (plain first); None when neither is."""
    packed = path.with_name(path.name + ".gz")
    return next((candidate for candidate in (path, packed) if candidate.is_file()), None)


def numbered_lines(path: Path, error: type[EvaluationError]) -> Iterator[tuple[int, str]]:
    """Each line with its 1-based number, without its line end; blank lines are passed over.

    Lines end at line feeds only, as JSON text may hold every other separator of Unicode.
    """
    number = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
            for number, raw in enumerate(stream, start=1):
                line = (raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw).rstrip(b"\r\n")
                if line.strip():
                    yield number, line.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise error(f"not UTF-8 ({fault.reason} at byte {fault.start})", path, number) from fault
    except (EOFError, zlib.error, gzip.BadGzipFile) as fault:
        raise error(f"the gzip stream is damaged after this line ({fault})", path, number) from fault
    except OSError as fault:
        raise error(f"cannot be read ({fault.strerror or fault})", path) from fault


def json_objects(path: Path, error: type[EvaluationError]) -> Iterator[tuple[int, dict[str, object]]]:
    """Each line of a JSON Lines file as an object, with its 1-based number."""
    for number, line in numbered_lines(path, error):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as fault:
            raise error(f"not JSON ({fault})", path, number) from fault
        if not isinstance(value, dict):
            raise error(f"expected a JSON object, got {type(value).__name__}", path, number)
        yield number, value


def texts_of(path: Path, error: type[EvaluationError] = EvaluationError) -> list[str]:
    """The questions of a file: of each line that is a JSON object its `query` or `text`, of any other line itself."""
    found = []
    for _, line in numbered_lines(path, error):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = line
        if isinstance(value, dict):
            value = value.get("query", value.get("text"))
        if isinstance(value, str) and value.strip():
            found.append(value)
    return found
