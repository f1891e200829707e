"""What can go wrong below the service.

IndexingError
├── RecordError        one record cannot be read: names field, value and reason
├── CorpusError        a set of records cannot become a corpus (duplicate ids, malformed line)
├── SnapshotError      a snapshot directory is missing, damaged or incomplete
└── SnapshotMismatch   a snapshot was built with another analyzer or encoder than the one at hand
"""


class IndexingError(Exception):
    """Base of every error raised by `index`."""


class RecordError(IndexingError):
    """One record cannot be read; `field`, `value` and `reason` say which part and why."""

    def __init__(self, field: str, value: object, reason: str) -> None:
        super().__init__(f"{field}: {reason} (got {value!r:.120})")
        self.field = field
        self.value = value
        self.reason = reason


class CorpusError(IndexingError):
    """A set of records cannot become a corpus."""


class SnapshotError(IndexingError):
    """A snapshot directory is missing, damaged or incomplete."""


class SnapshotMismatch(IndexingError):  # noqa: N818 - the word the documentation uses
    """A snapshot was built with another analyzer or encoder than the one asked to read it."""
