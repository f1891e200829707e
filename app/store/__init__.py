"""The durable store of records: SQLite by default, PostgreSQL by URL, one code path."""

from .edit import Edit
from .opening import open_store
from .store import Store

__all__ = ["Edit", "Store", "open_store"]
