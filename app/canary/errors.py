"""What is wrong with a canary."""

from __future__ import annotations


class CanaryError(ValueError):
    """The judged set cannot be sung: says which folder, and which query where it is one."""
