"""A durable notebook of one process: lines appended to a file that others take over when the process is gone.

A line that was appended survives the end of the process, however it comes; one that was synced survives a power cut.
The file of a living process is locked by it; a file that nobody holds may be taken by anybody, put into the store and
removed. A new file becomes visible only once it is locked, so nobody takes one that is about to be written to.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from .errors import SpoolError, SpoolFull

SUFFIX = ".spool"
_DRAFT = ".begun"
_DRAFT_S = 3600.0
LARGEST_BYTES = 4 << 20
"""A file that has grown to this is closed, so that what is taken at once is bounded."""


class Spool:
    """The file of this process in `folder`. Threads may share it. Nothing is made before the first line.

    limit_bytes: how much all files of the folder may hold; appending beyond it is refused.
    """

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        self._folder = folder
        self._limit_bytes = limit_bytes
        self._writing = threading.Lock()
        self._syncing = threading.Lock()
        self._handle: int | None = None
        self._size = 0
        self._torn = False
        self._written = 0  # bytes since the start, over all files
        self._synced = 0
        self._elsewhere = 0
        self._doubtful = (0, 0)  # from where to where a file was given up before it reached the disk

    @property
    def held_bytes(self) -> int:
        """How much the folder held when it was last measured, and was written since."""
        return self._elsewhere + self._size

    def append(self, lines: bytes) -> int:
        """The place to `sync` up to. `lines` are in the file, whole, or nothing of them is. Raises SpoolError."""
        with self._writing:
            if self.held_bytes + len(lines) > self._limit_bytes:
                raise SpoolFull(f"{self._folder}: holds {self.held_bytes:,} bytes that wait for the store")
            try:
                self._put(lines)
            except OSError as error:
                raise SpoolError(f"{self._folder}: cannot be written ({error.strerror or error})") from error
            return self._written

    def sync(self, place: int) -> None:
        """Nothing; everything appended up to `place` is on the disk. Callers that wait share one fsync.

        Raises SpoolError.
        """
        with self._syncing:
            if self._doubtful[0] < place <= self._doubtful[1]:
                raise SpoolError(f"{self._folder}: was closed before it reached the disk")
            if self._synced >= place:
                return
            with self._writing:
                handle, reached = self._handle, self._written
            if handle is None:
                raise SpoolError(f"{self._folder}: was closed before it reached the disk")
            try:
                os.fsync(handle)
            except OSError as error:
                raise SpoolError(f"{self._folder}: cannot be synced ({error.strerror or error})") from error
            self._synced = reached

    def turn(self, at_least: int = 1) -> None:
        """Nothing; what was written, if it is so many bytes, stands in a file that may be taken. Raises SpoolError."""
        with self._syncing:
            with self._writing:
                if self._handle is None or self._size < at_least:
                    return
                handle, reached, size = self._handle, self._written, self._size
                self._handle, self._size, self._torn = None, 0, False
                self._elsewhere += size
            try:
                os.fsync(handle)
                self._synced = reached
            except OSError as error:
                self._doubtful = (self._synced, reached)
                raise SpoolError(f"{self._folder}: cannot be synced ({error.strerror or error})") from error
            finally:
                os.close(handle)  # and with it the lock

    def measure(self) -> int:
        """How much the folder holds now, in bytes."""
        with self._writing:
            total = 0
            with suppress(FileNotFoundError, NotADirectoryError):
                for file in self._folder.iterdir():
                    with suppress(OSError):
                        total += file.stat().st_size
            self._elsewhere = max(total - self._size, 0)
            return total

    def close(self) -> None:
        """Nothing; the file may be taken. Raises SpoolError."""
        self.turn(0)

    def _put(self, lines: bytes) -> None:
        if self._handle is None:
            self._handle = self._begun()
            self._size = 0
        data = b"\n" + lines if self._torn else lines
        written = 0
        try:
            while written < len(data):
                written += os.write(self._handle, data[written:] if written else data)
        except OSError:
            self._take_back()
            raise
        self._torn = False
        self._size += written
        self._written += written

    def _take_back(self) -> None:
        """Nothing; half a line is cut off again, or ended where even that fails, so that it spoils no other."""
        try:
            os.ftruncate(self._handle or 0, self._size)
        except OSError:
            self._torn = True

    def _begun(self) -> int:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        name = uuid4().hex
        draft = self._folder / f"{name}{_DRAFT}"
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            draft.rename(draft.with_suffix(SUFFIX))
            _sync_folder(self._folder)
        except OSError:
            os.close(handle)
            draft.unlink(missing_ok=True)
            raise
        return handle


@contextmanager
def taken(file: Path) -> Iterator[bytes | None]:
    """What a file holds that no living process writes to; None for any other. Removed when the block ends well."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        yield None
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(handle).st_nlink == 0:
            raise BlockingIOError
    except BlockingIOError:
        os.close(handle)
        yield None
        return
    try:
        with os.fdopen(os.dup(handle), "rb") as whole:
            content = whole.read()
        yield content
        file.unlink(missing_ok=True)
    finally:
        os.close(handle)


def closed_files(folder: Path) -> list[Path]:
    """The files of `folder`, oldest first; those of living processes are among them. Empty without a folder."""
    found = []
    with suppress(FileNotFoundError):
        for file in folder.iterdir():
            with suppress(FileNotFoundError):
                if file.suffix == SUFFIX:
                    found.append((file.stat().st_mtime_ns, file))
    return [file for _, file in sorted(found)]


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def forget_drafts(folder: Path) -> None:
    """Nothing; files that a process had only just begun when it ended, an hour ago or longer, are gone."""
    with suppress(FileNotFoundError, NotADirectoryError):
        for file in folder.glob(f"*{_DRAFT}"):
            with suppress(FileNotFoundError):
                if time.time() - file.stat().st_mtime > _DRAFT_S:
                    file.unlink()
