"""Log lines: JSON, one a record, with what was added and the traceback."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest

from app.journal import JsonLines, configure_logging


@pytest.fixture
def untouched() -> Iterator[None]:
    """The loggers as they were, afterwards."""
    ours, access = logging.getLogger("scholarsearch"), logging.getLogger("uvicorn.access")
    before = (ours.handlers, ours.level, ours.propagate, access.disabled)
    yield
    ours.handlers, ours.level, ours.propagate, access.disabled = before


def test_a_line_is_json_with_the_extras() -> None:
    record = logging.makeLogRecord(
        {"name": "scholarsearch", "levelname": "INFO", "msg": "two\nlines %s", "args": ("奖",), "status": 200}
    )
    line = JsonLines().format(record)
    assert "\n" not in line
    found = json.loads(line)
    assert found.pop("at").endswith("+00:00")
    assert found == {"level": "info", "logger": "scholarsearch", "message": "two\nlines 奖", "status": 200}


def test_the_traceback_is_there() -> None:
    try:
        raise KeyError("lost")
    except KeyError as error:
        info = (type(error), error, error.__traceback__)
    found = json.loads(JsonLines().format(logging.makeLogRecord({"msg": "bad", "exc_info": info})))
    assert "KeyError: 'lost'" in found["traceback"]


def test_configured_loggers_write_lines_and_the_servers_own_access_log_is_silent(
    untouched: None, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging("warning")
    logging.getLogger("scholarsearch.access").info("request")
    logging.getLogger("scholarsearch.access").warning("odd", extra={"route": "/"})
    assert logging.getLogger("uvicorn.access").disabled
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["route"] == "/"
