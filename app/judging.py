"""Opening what reranks: a trained checkpoint, checked against the features and texts that are made here."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from index.portrait import portrait_fingerprint
from index.timing import TIMING_FEATURES, timing_fingerprint
from models.errors import ModelError
from models.manifest import read_manifest
from models.reranking import open_reranker
from models.rung import RUNGS, Rung
from models.selftest import ProbeList
from models.shipped import CHECKPOINT

from .blend import Blend
from .reranking import Judge

log = logging.getLogger("scholarsearch")


def open_judge(folder: Path = CHECKPOINT, rung: Rung = "fp16") -> Judge:
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
    return Judge(open_reranker(folder, rung=rung), blend, rung)


def name_of(folder: Path = CHECKPOINT) -> str | None:
    """The fingerprint of the checkpoint in `folder`, None when there is none; nothing is loaded."""
    try:
        return read_manifest(folder).fingerprint
    except ModelError:
        return None


def open_rung(rung: Rung, folder: Path = CHECKPOINT) -> Judge:
    """The judge of a checkpoint on one rung. Raises ModelError; ModelMissing when nothing computes in it here."""
    return open_judge(folder, rung)


class Judges(Protocol):
    """What reranks, on whichever rung it is to be; safe to ask from several threads."""

    def begin(self) -> None:
        """Nothing; from here on what reranks is being opened."""

    def pick(self, rung: Rung | None = None, floor: Rung = "int4", text: str = "") -> Judge | None:
        """The judge of one search, waited for; None where there is none.

        rung: asked for by name, None = whichever serves now; then floor is the lowest one that the search takes, and
        text the query, of which a hard one may be served on a higher rung.
        """


class LateJudge:
    """Judges that are opened when they are first asked for, or beside everything else once `begin` was called.

    The network takes seconds to load, and most searches do without it. Safe to use from several threads.
    """

    def __init__(self, open_: Callable[[Rung], Judge] = open_rung) -> None:
        self._open = open_
        self._locks = {rung: threading.Lock() for rung in RUNGS}
        self._opened: dict[Rung, Judge | None] = {}
        self.missing: dict[Rung, str] = {}
        """Why a rung could not be opened."""

    def begin(self) -> None:
        """Nothing; from here on the reference is being opened."""
        threading.Thread(target=self.get, name="judge", daemon=True).start()

    def pick(self, rung: Rung | None = None, floor: Rung = "int4", text: str = "") -> Judge | None:
        """The judge on `rung`, or on the reference: without a ladder nothing else serves."""
        del floor, text
        return self.get(rung or RUNGS[0])

    def get(self, rung: Rung = RUNGS[0]) -> Judge | None:
        """The judge on `rung`, waited for; None, and a line in the log, when there is none that can serve here."""
        with self._locks[rung]:
            if rung not in self._opened:
                try:
                    judge = self._open(rung)
                    _warm_up(judge)
                    self._opened[rung] = judge
                except ModelError as error:
                    self._opened[rung] = None
                    self.missing[rung] = str(error)
                    words = "nothing reranks" if rung == RUNGS[0] else f"nothing reranks in {rung}"
                    log.log(logging.WARNING if rung == RUNGS[0] else logging.INFO, "%s: %s", words, error)
            return self._opened[rung]

    def known(self, rung: Rung) -> Judge | None:
        """The judge on `rung` if it is open; nobody waits."""
        return self._opened.get(rung)

    def reopened(self) -> LateJudge:
        """Another one that opens everything anew, as after a device lost what it held."""
        return LateJudge(self._open)


def scores(judge: Judge) -> Callable[[ProbeList], NDArray[np.float32]]:
    """What the self-test of the rungs asks: a list in, its logits out."""

    def score(one: ProbeList) -> NDArray[np.float32]:
        return judge.reranker.score(one.query, one.texts, one.timings).logits

    return score


def _warm_up(judge: Judge) -> None:
    """The first pair pays for lazy parts (kernels, caches); nobody should have to be that pair."""
    judge.reranker.score("warm", ["up"], np.zeros((1, len(TIMING_FEATURES)), np.float32))
