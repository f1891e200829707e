"""Opening what reranks: a trained checkpoint, checked against the features and texts that are made here."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from index.portrait import portrait_fingerprint
from index.timing import TIMING_FEATURES, timing_fingerprint
from models.errors import ModelError
from models.manifest import read_manifest
from models.reranking import open_reranker
from models.shipped import CHECKPOINT

from .blend import Blend
from .reranking import Judge

log = logging.getLogger("scholarsearch")


def open_judge(folder: Path = CHECKPOINT) -> Judge:
    """The judge of a checkpoint, the shipped one unless told otherwise. Raises ModelError when it cannot serve here."""
    manifest = read_manifest(folder)
    manifest.expect(timing_fingerprint(), portrait_fingerprint())
    stated: Any = manifest.metadata.get("blend")
    if not isinstance(stated, dict):
        raise ModelError(
            f"{folder} does not say how its logit counts: it was saved before its blend was learned"
        )
    try:
        blend = Blend.of(stated)
    except (KeyError, TypeError, ValueError) as fault:
        raise ModelError(f"{folder}: the blend cannot be used here ({fault})") from fault
    return Judge(open_reranker(folder), blend)


def name_of(folder: Path = CHECKPOINT) -> str | None:
    """The fingerprint of the checkpoint in `folder`, None when there is none; nothing is loaded."""
    try:
        return read_manifest(folder).fingerprint
    except ModelError:
        return None


class LateJudge:
    """A judge that is opened when it is first asked for, or beside everything else once `begin` was called.

    The network takes seconds to load, and most searches do without it. Safe to ask from several threads.
    """

    def __init__(self, open_: Callable[[], Judge] = open_judge) -> None:
        self._open = open_
        self._lock = threading.Lock()
        self._is_open = False
        self._judge: Judge | None = None

    def begin(self) -> None:
        """Nothing; from here on it is being opened."""
        threading.Thread(target=self.get, name="judge", daemon=True).start()

    def get(self) -> Judge | None:
        """The judge, waited for; None, and a line in the log, when there is none that can serve here."""
        with self._lock:
            if not self._is_open:
                try:
                    self._judge = self._open()
                    _warm_up(self._judge)
                except ModelError as error:
                    log.warning("nothing reranks: %s", error)
                self._is_open = True
            return self._judge


def _warm_up(judge: Judge) -> None:
    """The first pair pays for lazy parts (kernels, caches); nobody should have to be that pair."""
    judge.reranker.score("warm", ["up"], np.zeros((1, len(TIMING_FEATURES)), np.float32))
