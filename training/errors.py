"""What can go wrong while the reranker is trained.

TrainingError
├── ExampleError   a file of examples cannot be read: names file and line
├── ConfigError    a setting is unknown, of the wrong type or out of range: names the field
├── StateError     a saved state is not of this run, or damaged: says what differs
└── Diverged       the loss is no longer a number: names the step
"""


class TrainingError(Exception):
    """Base of every error raised by `training`."""


class ExampleError(TrainingError):
    """A file of examples cannot be read."""


class ConfigError(TrainingError):
    """A setting is wrong. `place` is its dotted name in the file, "" when no single one is to blame."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place} {reason}" if place else reason)
        self.place = place
        self.reason = reason


class StateError(TrainingError):
    """A saved state cannot be gone on from."""


class Diverged(TrainingError):  # noqa: N818 - reads as what happened
    """The loss is no longer a number."""
