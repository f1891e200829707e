"""The second lexical implementation over a snapshot that was edited, beside one that was built anew."""

from dataclasses import replace
from pathlib import Path

from index.addition import Addition
from index.build import build
from index.document import Document
from index.editing import edited
from index.okapi import okapi_of
from index.settings import AWARDS
from index.snapshot import Snapshot
from index.storage import open_snapshot
from index.terms import query_terms


def opened(documents: list[Document], home: Path) -> Snapshot:
    return open_snapshot(build(documents, home, None).folder)


def test_an_edited_snapshot_answers_as_a_rebuilt_one(twelve: tuple[Document, ...], tmp_path: Path) -> None:
    base = opened(list(twelve[:10]), tmp_path / "base")
    changed = replace(twelve[3], title="Ocean workshop grant")
    left = [*twelve[1:3], changed, *twelve[4:]]
    additions = [Addition.of(document, AWARDS) for document in (changed, *twelve[10:])]
    live = edited(base, additions, {twelve[0].doc_id})
    rebuilt = opened(left, tmp_path / "rebuilt")
    found = set[int]()
    for text in ("ocean", "master scholarship", "奖学金", "grant", "Werkstatt", "zzqx"):
        terms = query_terms(text)
        mine, theirs = okapi_of(live).search(terms, 9), okapi_of(rebuilt).search(terms, 9)
        assert mine.rows.tolist() == theirs.rows.tolist()
        assert mine.scores.tobytes() == theirs.scores.tobytes()
        found.update(mine.rows.tolist())
    assert {live.corpus.row(document.doc_id) for document in (changed, twelve[11])} <= found
