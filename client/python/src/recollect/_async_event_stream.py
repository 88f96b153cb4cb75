from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import httpx2
from httpx2.websockets import AsyncWebSocketSession, HTTPXWSException, WebSocketDisconnect
from wsproto.utilities import LocalProtocolError

from ._async_http import AsyncHttp
from ._call import credential_header
from ._stream import (
    LOST,
    MAX_MESSAGE_BYTES,
    OPEN_SECONDS,
    PING,
    PING_SECONDS,
    PONG_SECONDS,
    Closed,
    Connected,
    Position,
    Refused,
    credential_ended,
    upgrade_headers,
)
from .errors import error_of
from .types import RecollectEvent


class AsyncEventStream:
    """A stream of events over one WebSocket after another: it reconnects, resumes, and drops repeats by id.

    An event is handled when the loop asks for the next one. A slow loop holds the service back.
    """

    def __init__(self, http: AsyncHttp, position: Position, on_connected: Callable[[Connected], None] | None) -> None:
        self._http = http
        self._position = position
        self._on_connected = on_connected

    @property
    def last_event_id(self) -> str | None:
        """All events up to this one were handled. Keep it to resume here after a restart of the program."""
        return self._position.last_event_id

    async def __aiter__(self) -> AsyncIterator[RecollectEvent]:
        """Fails with a RecollectError once the service ends the stream for good. Leaving the loop closes it."""
        handover = _Handover()
        # The session has a task of its own: a loop that is left, or a task that is cancelled, ends in another one.
        task = asyncio.create_task(self._run(handover))
        try:
            while True:
                received = await handover.take(task)
                if isinstance(received, Connected):
                    if self._on_connected is not None:
                        self._on_connected(received)
                else:
                    yield received
                    self._position.handled()
                handover.done()
        finally:
            task.cancel()
            await asyncio.wait([task])
            if not task.cancelled():
                # Read, so that the loop does not report it.
                task.exception()

    async def _run(self, handover: _Handover) -> None:
        while True:
            token = await self._token()
            seconds = await self._connection(token, handover)
            await sleep(seconds)

    async def _token(self) -> str:
        ended, tokens = self._position.ended_token, self._http.tokens
        token = await tokens.current() if ended is None else await tokens.after(ended)
        if token is None or token == ended:
            raise credential_ended()
        return token

    async def _connection(self, token: str, handover: _Handover) -> float:
        """Listens until the connection ends. Returns the seconds until the next one."""
        code = LOST
        try:
            async with self._open(token) as session:
                # The task group of the session would wrap what leaves it.
                code = await self._listen(session, handover)
        except Refused as refused:
            return self._position.after_refusal(refused.error, token)
        except (httpx2.RequestError, HTTPXWSException):
            pass
        except ExceptionGroup as group:
            if group.split((httpx2.RequestError, HTTPXWSException, OSError))[1] is not None:
                raise
        return self._position.after_close(code, token)

    @asynccontextmanager
    async def _open(self, token: str) -> AsyncGenerator[AsyncWebSocketSession]:
        url = self._http.base_url + self._position.path()
        headers = {**self._http.options.headers, **upgrade_headers(), **credential_header(self._http.header, token)}
        client = self._http.client
        async with client.stream(
            "GET", url, headers=headers, timeout=OPEN_SECONDS, auth=None, follow_redirects=False
        ) as response:
            if response.status_code != 101:
                content = await response.aread()
                raise Refused(error_of(response.status_code, response.headers, content, url))
            self._position.opened()
            async with AsyncWebSocketSession(
                response.extensions["network_stream"],
                max_message_size_bytes=MAX_MESSAGE_BYTES,
                keepalive_ping_interval_seconds=None,
                response=response,
            ) as session:
                yield session

    async def _listen(self, session: AsyncWebSocketSession, handover: _Handover) -> int:
        """Returns the code with which the connection ended."""
        try:
            while True:
                received = self._position.read(await _receive(session, self._position))
                if received is not None:
                    await handover.give(received)
                acknowledgement = self._position.acknowledgement()
                if acknowledgement is not None:
                    await _send(session, acknowledgement)
        except Closed as closed:
            return closed.code
        except WebSocketDisconnect as error:
            return error.code
        except (TimeoutError, HTTPXWSException):
            return LOST


async def _receive(session: AsyncWebSocketSession, position: Position) -> str:
    """The next message. A line that is silent is tried with a ping."""
    try:
        return await session.receive_text(PING_SECONDS if position.is_connected else OPEN_SECONDS)
    except TimeoutError:
        if not position.is_connected:
            raise
        await _send(session, PING)
        return await session.receive_text(PONG_SECONDS)


async def _send(session: AsyncWebSocketSession, text: str) -> None:
    """Nothing goes out where the service has begun to close: what it said before is still to be read."""
    with suppress(LocalProtocolError):
        await session.send_text(text)


class _Handover:
    """Hands one thing at a time to the loop, and waits until it is handled."""

    def __init__(self) -> None:
        self._given: asyncio.Queue[RecollectEvent | Connected] = asyncio.Queue(1)
        self._handled = asyncio.Event()

    async def give(self, received: RecollectEvent | Connected) -> None:
        self._handled.clear()
        await self._given.put(received)
        await self._handled.wait()

    def done(self) -> None:
        self._handled.set()

    async def take(self, task: asyncio.Task[None]) -> RecollectEvent | Connected:
        """Raises what ended the task."""
        taking = asyncio.create_task(self._given.get())
        try:
            await asyncio.wait([taking, task], return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not taking.done():
                taking.cancel()
        if taking.done() and not taking.cancelled():
            return taking.result()
        task.result()
        raise AssertionError("unreachable")
