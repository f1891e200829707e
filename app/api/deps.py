"""What handlers ask for, as annotated dependencies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import Depends
from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from app.errors import ClientGone, Fault, InvalidRequest
from app.observation import Observation, observation_of
from app.runtime import Runtime

from .payload import check_media_type, has_unwritable, parse_object
from .problems import faults_of, pointer

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request as a handler needs it: the live parts, its trail, and who asks.

    is_admin, is_writer, is_feeder: what the caller's key allows. address: of the caller's machine or proxy.
    """

    runtime: Runtime
    observation: Observation
    is_admin: bool
    is_writer: bool
    is_feeder: bool
    address: str
    user_agent: str
    gone: Callable[[], Awaitable[None]]

    async def unless_gone(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` gives. Raises ClientGone, and cancels the work, when the caller hangs up first."""
        task = asyncio.ensure_future(work)
        watch = asyncio.ensure_future(self.gone())
        try:
            await asyncio.wait((task, watch), return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                watch.result()  # what it ran into, if it was not the end of the connection
                raise ClientGone("The caller closed the connection.")
            return task.result()
        finally:
            task.cancel()
            watch.cancel()


def exchange(request: Request) -> Exchange:
    """The request as a handler needs it."""
    runtime: Runtime = request.app.state.runtime
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    key = request.headers.get("x-api-key") or (bearer.strip() if scheme.lower() == "bearer" else None)

    async def gone() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    settings = runtime.settings
    return Exchange(
        runtime=runtime,
        observation=observation_of(request.scope),
        is_admin=settings.is_admin(key),
        is_writer=settings.is_writer(key),
        is_feeder=settings.is_feeder(key),
        address=request.client.host if request.client else "",
        user_agent=request.headers.get("user-agent", ""),
        gone=gone,
    )


def clean_query_string(request: Request) -> None:
    """Nothing, when every parameter can be written again. Raises InvalidRequest naming the others."""
    faults = [
        Fault(pointer([name]), "unwritable-text", "must not hold NUL")
        for name, value in request.query_params.multi_items()
        if has_unwritable(name + value)
    ]
    if faults:
        raise InvalidRequest(*faults)


def validated(model: type[M], value: object) -> M:
    """The value as the model reads it. Raises InvalidRequest with one fault for each field that is wrong."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise InvalidRequest(*faults_of(error.errors(include_input=False, include_url=False))) from None


def body_of(model: type[M]) -> Callable[[Request], Awaitable[M]]:
    """A dependency that reads the request's JSON body as `model`."""

    async def read(request: Request) -> M:
        check_media_type(request.headers.get("content-type"))
        value = parse_object(await request.body())
        # Noted before anything can be refused: a refusal must not be kept by a cache either.
        observation_of(request.scope).private = value.get("profile") is not None
        return validated(model, value)

    return read


Asked = Annotated[Exchange, Depends(exchange)]
CleanQuery = Depends(clean_query_string)
