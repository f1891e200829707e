"""What can go wrong while the reranker is trained.

TrainingError
└── ExampleError   a file of examples cannot be read: names file and line
"""


class TrainingError(Exception):
    """Base of every error raised by `training`."""


class ExampleError(TrainingError):
    """A file of examples cannot be read."""
