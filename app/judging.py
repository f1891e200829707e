"""Opening what reranks: a trained checkpoint, checked against the features and texts that are made here."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from index.portrait import portrait_fingerprint
from index.timing import timing_fingerprint
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


def judge_at_hand(folder: Path = CHECKPOINT) -> Judge | None:
    """As `open_judge`; None, and a line in the log, when there is none: searches then go without and say so."""
    try:
        return open_judge(folder)
    except ModelError as error:
        log.warning("nothing reranks: %s", error)
        return None
