"""The answerer through its life: being opened, open, or broken. Opening never blocks the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from index.errors import IndexingError
from models.errors import ModelError

from .answerer import Answerer
from .errors import NotReady, ServiceError
from .settings import Settings

log = logging.getLogger("scholarsearch")

OpenAnswerer = Callable[[Settings], Answerer]

# Errors written to be read by an operator; any other may say things that are nobody's business.
_READABLE = (IndexingError, ModelError, ServiceError)


class Engine:
    """One answerer and what is known of it."""

    def __init__(self, open_answerer: OpenAnswerer, settings: Settings) -> None:
        self._open_answerer = open_answerer
        self._settings = settings
        self._answerer: Answerer | None = None
        self._closed = False
        self._missing: tuple[str, ...] = ("the snapshot and the models are being loaded",)

    async def open(self, announce: Callable[[Answerer], None] = lambda answerer: None) -> None:
        """Nothing; opens the answerer on a thread of its own and announces it before anybody may ask it.

        A failure is kept and shown by `answerer`.
        """
        try:
            answerer = await asyncio.to_thread(self._open_answerer, self._settings)
            if self._closed:
                answerer.close()
                return
            announce(answerer)
            self._answerer = answerer
        except Exception as error:
            log.exception("the engine could not be opened")
            known = isinstance(error, _READABLE)
            reason = f"{type(error).__name__}: {error}" if known else "an unexpected error, see the log"
            self._missing = (f"the engine could not be opened ({reason})",)

    def close(self) -> None:
        """Nothing; what the answerer runs beside the searches ends, also when it is only being opened."""
        self._closed = True
        if self._answerer is not None:
            self._answerer.close()

    @property
    def is_open(self) -> bool:
        """Whether there is an answerer to ask."""
        return self._answerer is not None

    def answerer(self) -> Answerer:
        """The open answerer. Raises NotReady while there is none."""
        if self._answerer is None:
            raise NotReady(self._missing)
        return self._answerer

    def check(self) -> Answerer:
        """The answerer, when it says itself that it is ready. Raises NotReady listing what it misses."""
        answerer = self.answerer()
        ready, missing = answerer.ready()
        if not ready:
            raise NotReady(tuple(missing) or ("the engine is not ready",))
        return answerer
