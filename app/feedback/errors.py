"""What can go wrong with feedback.

FeedbackError
└── SpoolError   a line cannot be made durable: nothing of it is promised
    └── SpoolFull    too much waits for the store already
"""

from __future__ import annotations


class FeedbackError(Exception):
    """Base of every error of feedback."""


class SpoolError(FeedbackError):
    """A line cannot be made durable."""


class SpoolFull(SpoolError):  # noqa: N818 - named for the state it is in
    """Too much waits for the store already."""
