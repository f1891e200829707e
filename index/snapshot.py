"""One immutable, searchable state of the corpus. A request reads one snapshot from start to end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from index.alias import Alias
from index.columns import Columns
from index.corpus import Corpus
from index.dense import Dense
from index.lexical import LexicalLeg
from index.passages import Passages
from index.settings import BuildSettings


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Documents, their facts as columns, their passages, and the legs over them.

    `dense` is None when the snapshot was built without an encoder. `parts` names what the ranking depends on
    (snapshot, analyzer, encoder …).
    """

    corpus: Corpus
    columns: Columns
    passages: Passages
    lexical: LexicalLeg
    dense: Dense | None
    alias: Alias
    settings: BuildSettings
    parts: Mapping[str, str]

    def __len__(self) -> int:
        return len(self.corpus)

    @property
    def fingerprint(self) -> str:
        """A short hash of `parts`: equal for snapshots that answer alike."""
        return sha256(json.dumps(sorted(self.parts.items())).encode()).hexdigest()[:16]
