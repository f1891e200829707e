"""Settings → an open store."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from app.settings import Settings

from .engine import open_engine
from .errors import StoreUnavailable
from .schema import migrate
from .store import Store

FILE = "store.sqlite3"
_DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg", "sqlite": "sqlite"}


def open_store(settings: Settings) -> Store:
    """The store that `settings` name, its tables made or brought up to date. Raises StoreError."""
    url = store_url(settings)
    if url.get_backend_name() == "sqlite" and url.database:
        _make_folder(Path(url.database).parent)
    store = Store(open_engine(url))
    try:
        migrate(store.engine)
    except BaseException:
        store.close()
        raise
    return store


def is_there(settings: Settings) -> bool:
    """Whether there is a store to open; a SQLite file that is missing would be made."""
    url = store_url(settings)
    return url.get_backend_name() != "sqlite" or (url.database is not None and Path(url.database).exists())


def store_url(settings: Settings) -> URL:
    """Where the store is: `store_url`, or a SQLite file in the home folder."""
    if settings.store_url is None:
        return URL.create("sqlite", database=str(settings.home / FILE))
    try:
        url = make_url(settings.store_url.get_secret_value())
    except ArgumentError:
        # Without the text: it may hold a password.
        raise StoreUnavailable("store_url is no URL such as postgresql://user:password@host/name") from None
    driver = _DRIVERS.get(url.drivername.partition("+")[0])
    if driver is None:
        raise StoreUnavailable(
            f"store_url: {url.drivername} is not supported; use postgresql:// or sqlite://"
        )
    return url.set(drivername=driver)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"{folder}: cannot be made ({error.strerror})") from error
