"""The spool: nothing appended is lost with its process, and no half line spoils another."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.feedback.errors import SpoolError, SpoolFull
from app.feedback.line import line_of, value_of
from app.feedback.spool import LARGEST_BYTES, Spool, closed_files, forget_drafts, taken

ROOMY = 1 << 30
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def contents(folder: Path) -> list[object]:
    found = []
    for file in closed_files(folder):
        with taken(file) as content:
            if content is not None:
                found += [value_of(line) for line in content.splitlines(keepends=True) if line != b"\n"]
    return found


@given(JSON)
def test_a_line_gives_back_what_it_holds(value: object) -> None:
    line = line_of(value)
    assert line.count(b"\n") == 1
    assert value_of(line) == value


@given(JSON, st.data())
def test_a_torn_or_altered_line_is_known_for_what_it_is(value: object, data: st.DataObject) -> None:
    line = line_of(value)
    cut = data.draw(st.integers(0, len(line) - 1))
    with pytest.raises(ValueError, match=r"torn|altered"):
        value_of(line[:cut])
    at = data.draw(st.integers(0, len(line) - 2))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != line[at] and byte != 10))
    changed = line[:at] + bytes([other]) + line[at + 1 :]
    with pytest.raises(ValueError, match=r"torn|altered"):
        value_of(changed)


def test_a_living_spool_is_nobody_elses_and_a_closed_one_is_taken_once(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", ROOMY)
    spool.append(line_of(1))
    assert contents(tmp_path / "spool") == []
    spool.append(line_of(2))
    spool.turn()
    spool.append(line_of(3))
    assert contents(tmp_path / "spool") == [1, 2]
    assert contents(tmp_path / "spool") == []
    spool.close()
    assert contents(tmp_path / "spool") == [3]
    assert closed_files(tmp_path / "spool") == []


def test_nothing_is_made_before_the_first_line(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", ROOMY)
    spool.turn()
    spool.close()
    assert spool.measure() == 0
    assert closed_files(tmp_path / "spool") == []
    assert not (tmp_path / "spool").exists()


def test_a_file_stays_when_what_was_taken_could_not_be_used(tmp_path: Path) -> None:
    spool = Spool(tmp_path, ROOMY)
    spool.append(line_of("kept"))
    spool.close()
    [file] = closed_files(tmp_path)
    with pytest.raises(RuntimeError, match="no store"), taken(file):
        raise RuntimeError("no store")
    assert contents(tmp_path) == ["kept"]


_WRITER = """
import sys, threading
from pathlib import Path
from app.feedback.line import line_of
from app.feedback.spool import Spool

spool = Spool(Path(sys.argv[1]), 1 << 30)

def write(name):
    number = 0
    while True:
        number += 1
        place = spool.append(line_of([name, number]))
        if sys.argv[2] == "synced":
            spool.sync(place)
        sys.stdout.write(f"{name} {number}\\n")
        sys.stdout.flush()

for name in range(3):
    threading.Thread(target=write, args=(name,), daemon=True).start()
while True:
    spool.turn(2000)
"""


@pytest.mark.parametrize("how", ["written", "synced"])
def test_what_was_appended_survives_a_kill_at_any_moment(tmp_path: Path, how: str) -> None:
    """Three threads append while a fourth turns files; the process is killed; every promise is kept, once."""
    root = Path(__file__).resolve().parents[3]
    for attempt in range(4):
        folder = tmp_path / str(attempt)
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, folder, how], stdout=subprocess.PIPE, cwd=root, text=True
        )
        assert writer.stdout is not None
        promised = [writer.stdout.readline().split() for _ in range(200 + 137 * attempt)]
        writer.send_signal(signal.SIGKILL)
        promised += [
            line.split() for line in writer.stdout.read().splitlines(keepends=True) if line[-1] == "\n"
        ]
        writer.wait()
        writer.stdout.close()
        found = [tuple(one) for one in contents(folder)]  # type: ignore[call-overload]
        assert len(found) == len(set(found))
        whole = {(int(line[0]), int(line[1])) for line in promised if len(line) == 2}
        assert whole <= set(found)
        for name in range(3):  # and nothing that was never written stands between
            own = sorted(number for who, number in found if who == name)
            assert own == list(range(1, len(own) + 1))


def test_a_full_disk_refuses_the_line_and_spoils_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = Spool(tmp_path, ROOMY)
    spool.append(line_of("before"))
    real = os.write
    room = [7]

    def full(handle: int, data: bytes) -> int:
        if not room:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(handle, data[: room.pop()])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(SpoolError, match="No space left"):
            spool.append(line_of("lost"))
        room.append(7)
        patch.setattr(os, "ftruncate", lambda *_: (_ for _ in ()).throw(OSError(errno.EIO, "broken")))
        with pytest.raises(SpoolError, match="No space left"):
            spool.append(line_of("lost, and its half stays"))
    spool.append(line_of("after"))
    spool.close()
    [file] = closed_files(tmp_path)
    read = []
    for line in file.read_bytes().splitlines(keepends=True):
        try:
            read.append(value_of(line))
        except ValueError:
            read.append(None)
    assert read == ["before", None, "after"]


def test_more_than_the_limit_is_refused_until_the_store_has_taken_some(tmp_path: Path) -> None:
    line = line_of("x" * 91)
    assert len(line) < 110
    spool = Spool(tmp_path, 3 * len(line))
    for _ in range(3):
        spool.append(line)
    with pytest.raises(SpoolFull, match="wait for the store"):
        spool.append(line)
    spool.turn()
    with pytest.raises(SpoolFull):
        spool.append(line)
    assert len(contents(tmp_path)) == 3
    assert spool.measure() == 0
    spool.append(line)


def test_callers_that_wait_for_the_disk_share_one_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = Spool(tmp_path, ROOMY)
    synced, begun, go_on = [], threading.Event(), threading.Event()

    def fsync(handle: int) -> None:
        synced.append(handle)
        begun.set()
        go_on.wait()

    places = [spool.append(line_of(0))]
    monkeypatch.setattr(os, "fsync", fsync)
    first = threading.Thread(target=spool.sync, args=(places[0],))
    first.start()
    begun.wait()
    places += [spool.append(line_of(number)) for number in range(20)]
    others = [threading.Thread(target=spool.sync, args=(place,)) for place in places[1:]]
    for one in others:
        one.start()
    go_on.set()
    for one in (first, *others):
        one.join()
    assert len(synced) == 2  # the first, and one for all that came meanwhile


def test_a_disk_that_failed_to_sync_promises_nothing_of_that_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = Spool(tmp_path, ROOMY)
    place = spool.append(line_of(1))
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.EIO, "Input/output error")))
        with pytest.raises(SpoolError, match="Input/output"):
            spool.turn()
    later = spool.append(line_of(2))
    with pytest.raises(SpoolError, match="before it reached the disk"):
        spool.sync(place)
    spool.sync(later)


def test_drafts_of_processes_that_died_at_once_are_cleared_away(tmp_path: Path) -> None:
    old, new = tmp_path / "a.begun", tmp_path / "b.begun"
    old.touch()
    new.touch()
    os.utime(old, (1, 1))
    forget_drafts(tmp_path)
    assert not old.exists()
    assert new.exists()
    forget_drafts(tmp_path / "nowhere")


def test_a_file_that_has_grown_large_is_closed_even_while_the_store_takes_nothing(tmp_path: Path) -> None:
    spool = Spool(tmp_path, ROOMY)
    spool.append(line_of("small"))
    spool.turn(LARGEST_BYTES)
    assert contents(tmp_path) == []
    spool.append(line_of("x" * LARGEST_BYTES))
    spool.turn(LARGEST_BYTES)
    assert len(contents(tmp_path)) == 2
