"""What can go wrong with the store.

StoreError
├── StoreUnavailable   it cannot be opened, reached or waited for any longer
├── StoreFull          no room is left where it lives: nothing of the batch was written
├── StoreDamaged       its file is not a store, or not a sound one
├── StoreNewer         a newer version of this program has written it
└── ArchiveError       a backup cannot be restored: nothing was changed
    ├── ArchiveDamaged it is incomplete or altered
    └── ArchiveNewer   a newer version of this program has written it
"""

from __future__ import annotations


class StoreError(Exception):
    """Base of every error of the store. No message holds a password."""


class StoreUnavailable(StoreError):  # noqa: N818 - named for the state it is in
    """The store cannot be opened, reached, or waited for any longer."""


class StoreFull(StoreError):  # noqa: N818
    """No room is left where the store lives; nothing of the batch was written."""


class StoreDamaged(StoreError):  # noqa: N818
    """The file is not a store, or not a sound one."""


class StoreNewer(StoreError):  # noqa: N818
    """A newer version of this program has changed the tables."""


class ArchiveError(StoreError):
    """A backup cannot be restored; the store is as it was."""


class ArchiveDamaged(ArchiveError):  # noqa: N818
    """The backup is incomplete or was altered."""


class ArchiveNewer(ArchiveError):  # noqa: N818
    """The backup was written by a newer version of this program."""
