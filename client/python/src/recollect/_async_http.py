from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import AsyncIterator, Awaitable, Callable
from inspect import isawaitable
from typing import Any, TypeVar

import httpx2

from ._call import Answer, GetToken, Prepared, Received, Send, Service, Sleep, Steps, call
from ._deadline import Deadline
from ._http import seconds_of
from ._lines import Lines
from ._options import AsyncToken, Options
from ._request import Request
from .errors import connection_failed

T = TypeVar("T")


class AsyncTokenHolder:
    """The token of the credential, renewed once for all calls that wait for it."""

    def __init__(self, source: AsyncToken | None) -> None:
        self._source = source
        self._lock = asyncio.Lock()
        self._renewal: tuple[str, str] | None = None

    async def current(self) -> str | None:
        return await _ask(self._source, None) if callable(self._source) else self._source

    async def after(self, refused: str) -> str | None:
        if not callable(self._source):
            return None
        async with self._lock:
            if self._renewal is None or self._renewal[0] != refused:
                self._renewal = (refused, await _ask(self._source, refused))
            token = self._renewal[1]
            if token != refused:
                return token
            self._renewal = None
            return None


async def _ask(source: Callable[[str | None], str | Awaitable[str]], refused: str | None) -> str:
    token = source(refused)
    return await token if isawaitable(token) else token


class AsyncHttp:
    """Takes the steps of a call, one after the other."""

    def __init__(
        self, base_url: str, header: str | None, tokens: AsyncTokenHolder, options: Options, client: httpx2.AsyncClient
    ) -> None:
        self.base_url = base_url
        self.header = header
        self.tokens = tokens
        self.options = options
        self.client = client

    async def send(self, request: Request) -> Answer[Any]:
        deadline = Deadline(seconds_of(self.options, request))
        return await within(deadline, self._run(call(self._service(), request, deadline)))

    async def lines(self, request: Request) -> AsyncIterator[Any]:
        """The lines of a response as they come. The time-out is the longest silence."""
        deadline = Deadline(seconds_of(self.options, request))
        answer = await within(deadline, self._run(call(self._service(), request, deadline, stream=True)))
        response: httpx2.Response = answer.data
        lines = Lines(self.base_url)
        pieces = response.aiter_bytes()
        try:
            while True:
                deadline.restart()
                piece = await within(deadline, anext(pieces, None))
                if piece is None:
                    break
                for line in lines.add(piece):
                    yield line
            for line in lines.end():
                yield line
        except httpx2.RequestError as error:
            raise connection_failed(self.base_url, error) from error
        finally:
            await response.aclose()

    def _service(self) -> Service:
        return Service(self.base_url, self.header, self.options.max_retries, self.options.headers)

    async def _run(self, steps: Steps[T]) -> T:
        result: str | Received | Exception | None = None
        while True:
            try:
                step = steps.send(result)
            except StopIteration as end:
                return end.value
            match step:
                case GetToken(refused):
                    result = await (self.tokens.current() if refused is None else self.tokens.after(refused))
                case Send(request, stream):
                    result = await self._exchange(request, stream)
                case Sleep(seconds):
                    result = await sleep(seconds)

    async def _exchange(self, request: Prepared, stream: bool) -> Received | Exception:
        built = self.client.build_request(
            request.method, request.url, headers=request.headers, content=request.content, timeout=None
        )
        try:
            # A redirect is not followed: another address would get the credential.
            response = await self.client.send(built, stream=True, auth=None, follow_redirects=False)
            if stream and response.is_success:
                return Received(response.status_code, response.headers, b"", response)
            try:
                content = await response.aread()
            finally:
                await response.aclose()
        except httpx2.RequestError as error:
            return error
        return Received(response.status_code, response.headers, content, None)


async def within(deadline: Deadline, work: Awaitable[T]) -> T:
    """The result of the work, or a TimedOutError at the deadline."""
    scope = asyncio.timeout(deadline.remaining)
    try:
        async with scope:
            return await work
    except TimeoutError as error:
        if not scope.expired():
            raise
        raise deadline.error() from error
