"""Power cuts and full disks: what was acknowledged is there, what failed left nothing."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import event, text

from app.settings import Settings
from app.store import Store, open_store
from app.store.errors import StoreDamaged, StoreError, StoreFull, StoreUnavailable
from index.document import Document

AT = datetime(2026, 10, 1, 12, 0, tzinfo=UTC)
WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from app.settings import Settings
from app.store import open_store
from index.document import Document
home, url, start = sys.argv[1:]
store = open_store(Settings(home=Path(home), store_url=url or None))
number = int(start)
while True:
    batch = [Document(f"r{number:07}-{part}", f"title {number}") for part in range(5)]
    store.upsert([*batch, Document("always", f"{number}")], None, datetime.now(UTC))
    print(number, flush=True)
    number += 1
"""


@pytest.mark.slow
def test_what_was_acknowledged_survives_a_kill(place: Settings, store: Store) -> None:
    seeded = random.Random(7)
    url = place.store_url.get_secret_value() if place.store_url else ""
    start, acknowledged = 0, 0
    for _ in range(20):
        command = [sys.executable, "-c", WRITER, str(place.home), url, str(start)]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(seeded.uniform(0, 0.15))
        writer.kill()
        rest, _ = writer.communicate()
        told = [int(line) for line in (first + rest).splitlines()]
        acknowledged = told[-1]
        found = {document.doc_id: document.title for document in store.documents()}
        batches = {name[:8] for name in found if name != "always"}
        assert {f"r{number:07}" for number in range(acknowledged + 1)} <= batches
        assert len(found) == 1 + 5 * len(batches)  # whole batches only
        # One more may have reached the disk before it could be told.
        assert int(found["always"]) in (acknowledged, acknowledged + 1)
        start = len(batches)
    assert acknowledged >= 20
    if not url:
        with store.engine.connect() as connection:
            assert connection.execute(text("PRAGMA integrity_check")).scalar_one() == "ok"


def test_sqlite_is_told_to_reach_the_disk(tmp_path: Path) -> None:
    store = open_store(Settings(home=tmp_path))
    with store.engine.connect() as connection:
        said = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")
        ]
    assert said == ["wal", 2]
    store.close()


def test_a_full_disk_leaves_the_batch_out_whole(tmp_path: Path, twelve: tuple[Document, ...]) -> None:
    store = open_store(Settings(home=tmp_path))
    store.upsert(twelve, "feed", AT)
    pages: list[str] = []

    @event.listens_for(store.engine, "begin")
    def little_room(connection):  # type: ignore[no-untyped-def]
        pages.append(connection.exec_driver_sql("PRAGMA page_count").scalar())
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages[0]}")

    many = [Document(f"b{number}", "x", description="y" * 2000) for number in range(200)]
    with pytest.raises(StoreFull, match="nothing of this batch was written"):
        store.upsert([replace(twelve[0], title="New"), *many], "feed", AT)
    event.remove(store.engine, "begin", little_room)
    assert tuple(store.documents()) == twelve
    assert store.counts().revisions == 0
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1073741823")
    assert len(store.upsert(many, "feed", AT)) == 200
    store.close()


def test_a_file_that_is_no_store_says_so(tmp_path: Path) -> None:
    (tmp_path / "store.sqlite3").write_bytes(b"not a database, but long enough to look at" * 100)
    with pytest.raises(StoreDamaged, match=r"store\.sqlite3"):
        open_store(Settings(home=tmp_path))


def test_a_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailable, match="cannot be made"):
        open_store(Settings(home=tmp_path / "file" / "home"))
    (tmp_path / "store.sqlite3").mkdir()
    with pytest.raises(StoreError, match=r"store\.sqlite3"):
        open_store(Settings(home=tmp_path))
