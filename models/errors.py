"""What can go wrong in a network.

ModelError
├── UnknownModel      no model of that name is registered: lists the known ones
├── ModelMissing      the package that carries the weights is not installed: names it
├── ModelDamaged      the weight file is not what it should be: names file and reason
├── ModelForeign      a checkpoint was trained to read something else than what it is given here
└── SelfTestFailed    the model loads but cannot tell a known right passage from a wrong one
"""


class ModelError(Exception):
    """Base of every error raised by `models`."""


class UnknownModel(ModelError):  # noqa: N818 - reads as what happened
    """No model of that name is registered."""


class ModelMissing(ModelError):  # noqa: N818
    """The package that carries the weights is not installed."""


class ModelDamaged(ModelError):  # noqa: N818
    """A weight file is not what it should be."""


class ModelForeign(ModelError):  # noqa: N818
    """A checkpoint was trained on other features or texts than those it would be given."""


class SelfTestFailed(ModelError):  # noqa: N818
    """The model loads, but ranks a known wrong passage above the right one."""
