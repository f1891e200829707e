"""The line to the store: opened when it can be, and not trusted when the file under it has gone."""

from __future__ import annotations

import threading
from pathlib import Path

from app.settings import Settings
from app.store import Store, open_store
from app.store.errors import StoreUnavailable
from app.store.opening import store_url


class Line:
    """One store for all threads of a process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._store: Store | None = None
        self._identity: tuple[int, int] | None = None

    def store(self) -> Store:
        """The open store. Raises StoreError when it cannot be opened now; a later call tries again."""
        with self._lock:
            file = self._file()
            if file is not None and self._identity not in (None, found := _identity(file)):
                # What is written to a file that has lost its name is lost with it.
                self._let_go()
                if found is None:
                    raise StoreUnavailable(f"{file}: the file has gone; put it back, or restore a backup")
            if self._store is None:
                self._store = open_store(self._settings)
                self._identity = None if file is None else _identity(file)
            return self._store

    def close(self) -> None:
        """Lets go of every connection."""
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        if self._store is not None:
            self._store.close()
        self._store = None

    def _file(self) -> Path | None:
        url = store_url(self._settings)
        return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def _identity(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
