"""Logs as one JSON object a line, on standard error."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

# What every log record carries anyway; whatever else is on one was given by the caller as `extra`.
_BUILT_IN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    """`{"at", "level", "logger", "message", …}` with the record's extras and, for errors, the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its newline."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _BUILT_IN}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def configure_logging(level: str) -> None:
    """Nothing; the service's loggers write JSON lines, and the server's own access log is silenced.

    That log would hold every query string, and with it what people search for.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("scholarsearch")
    logger.handlers = [handler]
    logger.setLevel(level.upper())
    logger.propagate = False
    logging.getLogger("uvicorn.access").disabled = True
