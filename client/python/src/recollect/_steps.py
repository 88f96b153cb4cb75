"""The calls of an adapter, written once for both clients."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from .errors import RecollectError

if TYPE_CHECKING:
    from ._async_client import AsyncRecollect
    from ._client import Recollect

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """A call of an operation, as `request()` of the clients takes it."""

    method: str
    path: str
    ids: Mapping[str, str] = field(default_factory=dict[str, str])
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: Any = None
    if_version: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def options(self) -> dict[str, Any]:
        return {
            "ids": self.ids,
            "query": self.query,
            "body": self.body,
            "if_version": self.if_version,
            "headers": self.headers,
        }


Steps: TypeAlias = "Generator[Call, Any, T]"
"""Calls, each of which gets its data or its RecollectError, and the result of it all."""


def run(client: Recollect, steps: Steps[T]) -> T:
    try:
        call = next(steps)
        while True:
            try:
                answer = client.request(call.method, call.path, **call.options())
            except RecollectError as error:
                call = steps.throw(error)
            else:
                call = steps.send(answer.data)
    except StopIteration as done:
        return done.value


async def arun(client: AsyncRecollect, steps: Steps[T]) -> T:
    try:
        call = next(steps)
        while True:
            try:
                answer = await client.request(call.method, call.path, **call.options())
            except RecollectError as error:
                call = steps.throw(error)
            else:
                call = steps.send(answer.data)
    except StopIteration as done:
        return done.value
