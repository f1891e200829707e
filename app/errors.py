"""What the service can refuse, as a tree, and the one table that gives each refusal its HTTP status.

ServiceError
├── MalformedJson          the body is not JSON: says where
├── InvalidRequest         well-formed, but a field is wrong: one Fault per field
│   └── CursorInvalid      not a cursor of ours, altered, or of another search
├── CursorExpired          a cursor of a snapshot that has been replaced
├── Forbidden              needs a key that was not given
├── NotFound               no such programme
├── PreconditionFailed     the record is not as the writer's If-Match or If-None-Match said
├── BodyTooLarge, UnsupportedMediaType
├── StoreDown              the store takes no writes now: nothing was kept
├── Overloaded             refused at the door: says when to come back
├── BudgetExhausted        the caller's budget ran out before any stage could start
├── ClientGone             nobody is left to answer
└── NotReady               still loading, or a part is broken: says which
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a request: where (JSON pointer), what kind (closed set), in words."""

    pointer: str
    code: str
    message: str


class ServiceError(Exception):
    """Base of every refusal. `detail` is shown to the caller; `faults` name the fields."""

    def __init__(self, detail: str, faults: tuple[Fault, ...] = (), retry_after_s: int | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.faults = faults
        self.retry_after_s = retry_after_s


class MalformedJson(ServiceError):  # noqa: N818 - named for what the caller did
    """The body is not one JSON value."""


class InvalidRequest(ServiceError):  # noqa: N818
    """The request is well-formed but asks for something that cannot be."""

    def __init__(self, *faults: Fault) -> None:
        words = "; ".join(f"{fault.pointer or 'the body'} {fault.message}" for fault in faults[:3])
        more = f"; and {len(faults) - 3} more" if len(faults) > 3 else ""
        super().__init__(f"The request cannot be served: {words}{more}.", faults)


class CursorInvalid(InvalidRequest):
    """The cursor is not one of ours, was altered, or belongs to another search."""

    def __init__(self, reason: str) -> None:
        super().__init__(Fault("/cursor", "cursor-invalid", reason))


class UnknownSystem(InvalidRequest):
    """No system of that name is registered; the message lists the known ones."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(Fault("/system", "not-allowed", f"must be one of: {', '.join(known)}"))
        self.name = name
        self.known = known


class CursorExpired(ServiceError):  # noqa: N818
    """The snapshot or the experiment the cursor points into has been replaced: start again without a cursor."""

    def __init__(self) -> None:
        super().__init__(
            "The records or an experiment have changed since this cursor was made. Send the search again without it.",
            (Fault("/cursor", "cursor-expired", "the snapshot of this cursor has been replaced"),),
        )


class Forbidden(ServiceError):  # noqa: N818
    """The request needs a key that was not given."""


class NotFound(ServiceError):  # noqa: N818
    """There is no such programme."""


class PreconditionFailed(ServiceError):  # noqa: N818
    """The record is not in the state that the writer relied on."""


class StoreDown(ServiceError):  # noqa: N818
    """The store takes no writes now; nothing of the request was acknowledged."""


class BodyTooLarge(ServiceError):  # noqa: N818
    """The body is longer than the service accepts."""


class UnsupportedMediaType(ServiceError):  # noqa: N818
    """The body is of a type other than JSON."""


class Overloaded(ServiceError):  # noqa: N818
    """Refused at the door; `reason` is one of a closed set (a metric label)."""

    def __init__(self, detail: str, reason: str, retry_after_s: int) -> None:
        super().__init__(detail, retry_after_s=retry_after_s)
        self.reason = reason


class BudgetExhausted(ServiceError):  # noqa: N818
    """The caller's own budget ran out while the request was waiting: there is nothing to serve."""

    reason = "budget"


class ClientGone(ServiceError):  # noqa: N818
    """The caller closed the connection before the answer was there."""


class NotReady(ServiceError):  # noqa: N818
    """The service cannot answer yet; `faults` list what is missing."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        super().__init__(
            "The service cannot answer yet: " + "; ".join(missing) + ".",
            tuple(Fault("", "missing", part) for part in missing),
            retry_after_s=2,
        )


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """How one kind of refusal looks from outside."""

    status: int
    slug: str
    title: str


INTERNAL = ProblemKind(500, "internal", "Something went wrong on our side")

# An exception's own class is looked for first, then its bases: a child without a row is its parent.
PROBLEMS: Mapping[type[ServiceError], ProblemKind] = MappingProxyType(
    {
        MalformedJson: ProblemKind(400, "malformed-json", "The body is not JSON"),
        Forbidden: ProblemKind(403, "forbidden", "This needs a key"),
        NotFound: ProblemKind(404, "not-found", "There is nothing here"),
        CursorExpired: ProblemKind(409, "cursor-expired", "The cursor has expired"),
        PreconditionFailed: ProblemKind(412, "precondition-failed", "The record has changed"),
        BodyTooLarge: ProblemKind(413, "body-too-large", "The body is too long"),
        UnsupportedMediaType: ProblemKind(415, "unsupported-media-type", "The body must be JSON"),
        InvalidRequest: ProblemKind(422, "invalid-request", "A field of the request is wrong"),
        CursorInvalid: ProblemKind(422, "cursor-invalid", "The cursor is not valid for this search"),
        Overloaded: ProblemKind(429, "overloaded", "Too many searches at once"),
        ClientGone: ProblemKind(499, "client-gone", "The caller left"),
        NotReady: ProblemKind(503, "not-ready", "Not ready"),
        StoreDown: ProblemKind(503, "store-down", "Nothing can be written now"),
        BudgetExhausted: ProblemKind(504, "budget-exhausted", "The budget ran out in the queue"),
        ServiceError: INTERNAL,
    }
)

# What the web framework refuses by itself, before any of our code is asked.
FRAMEWORK_PROBLEMS: Mapping[int, ProblemKind] = MappingProxyType(
    {
        404: PROBLEMS[NotFound],
        405: ProblemKind(405, "method-not-allowed", "This method does not apply here"),
    }
)


def kind_of(error: ServiceError) -> ProblemKind:
    """The row of the table for `error`."""
    return next(PROBLEMS[kind] for kind in type(error).__mro__ if kind in PROBLEMS)
