"""The engines of the first stage: a tiny index of each kind has to find the one right answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from index.dense import Dense, Kind
from index.lexical import Lexical
from index.okapi import Okapi
from index.settings import AWARDS
from index.types import Rows

from .finding import Finding, Status

_SECTION = "engines"
_TERMS = (["ocean", "grant"], ["forest", "grant"], ["river", "award"])


def _bm25s() -> Rows:
    return Lexical.build(_TERMS, AWARDS.k1, AWARDS.b).search(["forest"], 3).rows


def _rank_bm25() -> Rows:
    return Okapi.build(_TERMS).search(["forest"], 3).rows


def _faiss(kind: Kind) -> Rows:
    vectors = np.eye(64, dtype=np.float32)
    leg = Dense.build(vectors, np.arange(64), ["en"] * 64, kind)
    return leg.search(vectors[1], "en", 1).ranked.rows


PROBES: dict[str, Callable[[], Rows]] = {
    "bm25s": _bm25s,
    "rank-bm25": _rank_bm25,
    "faiss exact": lambda: _faiss("exact"),
    "faiss hnsw": lambda: _faiss("hnsw"),
}


def engines(probes: dict[str, Callable[[], Rows]] | None = None) -> Iterator[Finding]:
    """One finding an engine. rank-bm25 is only for comparison: the others are needed to serve."""
    for name, probe in (probes or PROBES).items():
        yield _probed(name, probe)


def _probed(name: str, probe: Callable[[], Rows]) -> Finding:
    bad: Status = "warning" if name == "rank-bm25" else "failure"
    fix = "make distclean setup"
    try:
        rows = probe().tolist()
    except Exception as error:  # a wheel for another processor can fail in any way
        return Finding(_SECTION, name, bad, f"{type(error).__name__}: {error}", fix)
    if rows != [1]:
        return Finding(_SECTION, name, bad, f"finds {rows} where only row 1 is right", fix)
    return Finding(_SECTION, name, "ok", "finds the right document")
