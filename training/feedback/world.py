"""An invented collection: queries, their candidates, what can be known of each, and the grade it deserves.

    utility  = words · w + 0.6 · quality of the document + 0.5 · noise
    first    = what the first stage says: right with correlation 0.35; half of the variance of the rest is a favour that
               it does a document in every query
    grades   = of 20 candidates by utility: one 3, two 2, four 1, the rest 0

`words` are five features that a ranker may read, w the same for all queries. `quality` belongs to a document and is
seen in no feature; a document is a candidate of many queries. Users know the grades, rankers do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Codes = NDArray[np.int64]

CANDIDATES = 20
_WORDS = 5
_GRADES = np.array([3, 2, 2, 1, 1, 1, 1] + [0] * (CANDIDATES - 7))
_FIRST_CORRELATION = 0.35


@dataclass(frozen=True, slots=True)
class World:
    """Q queries of D candidates. features: (Q, D, F), the first stage's score first. documents, grades: (Q, D).

    taught: queries that users ask; held: queries that only figures are taken of.
    """

    features: Values
    documents: Codes
    grades: Codes
    document_count: int
    taught: Codes
    held: Codes

    @property
    def first(self) -> Values:
        """(Q, D) the first stage's scores."""
        return np.asarray(self.features[..., 0])


def make_world(rng: np.random.Generator, queries: int = 400, documents: int = 200, held: int = 150) -> World:
    """A world of `queries`, the last `held` of them never asked."""
    shape = (queries, CANDIDATES)
    drawn = np.stack([rng.choice(documents, CANDIDATES, replace=False) for _ in range(queries)])
    words = rng.standard_normal((*shape, _WORDS))
    direction = rng.standard_normal(_WORDS)
    quality = rng.standard_normal(documents)
    utility = words @ (direction / np.linalg.norm(direction))
    utility += 0.6 * quality[drawn] + 0.5 * rng.standard_normal(shape)
    standing = (utility - utility.mean()) / utility.std()
    blur = np.sqrt(1 - _FIRST_CORRELATION**2)
    favour = rng.standard_normal(documents)[drawn]
    first = _FIRST_CORRELATION * standing + blur * (favour + rng.standard_normal(shape)) / np.sqrt(2)
    grades = np.empty(shape, np.int64)
    np.put_along_axis(grades, np.argsort(-utility, axis=1), np.tile(_GRADES, (queries, 1)), axis=1)
    return World(
        features=np.concatenate([first[..., None], words], axis=2),
        documents=drawn.astype(np.int64),
        grades=grades,
        document_count=documents,
        taught=np.arange(queries - held),
        held=np.arange(queries - held, queries),
    )
