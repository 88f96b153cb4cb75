from __future__ import annotations

import socket
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from time import sleep

import httpx2
from httpx2.websockets import HTTPXWSException, WebSocketDisconnect, WebSocketSession
from wsproto.utilities import LocalProtocolError

from ._call import credential_header
from ._http import Http
from ._stream import (
    LOST,
    MAX_MESSAGE_BYTES,
    OPEN_SECONDS,
    PING,
    PING_SECONDS,
    PONG_SECONDS,
    QUEUED_MESSAGES,
    Closed,
    Connected,
    Position,
    Refused,
    credential_ended,
    upgrade_headers,
)
from .errors import error_of
from .types import RecollectEvent


class EventStream:
    """A stream of events over one WebSocket after another: it reconnects, resumes, and drops repeats by id.

    An event is handled when the loop asks for the next one. A slow loop holds the service back.
    """

    def __init__(self, http: Http, position: Position, on_connected: Callable[[Connected], None] | None) -> None:
        self._http = http
        self._position = position
        self._on_connected = on_connected

    @property
    def last_event_id(self) -> str | None:
        """All events up to this one were handled. Keep it to resume here after a restart of the program."""
        return self._position.last_event_id

    def __iter__(self) -> Iterator[RecollectEvent]:
        """Fails with a RecollectError once the service ends the stream for good. Leaving the loop closes it."""
        while True:
            token = self._token()
            try:
                with self._open(token) as session:
                    yield from self._events(session)
            except Closed as closed:
                seconds = self._position.after_close(closed.code, token)
            except Refused as refused:
                seconds = self._position.after_refusal(refused.error, token)
            except (httpx2.RequestError, HTTPXWSException):
                seconds = self._position.after_close(LOST, token)
            else:
                return
            sleep(seconds)

    def _token(self) -> str:
        ended, tokens = self._position.ended_token, self._http.tokens
        token = tokens.current() if ended is None else tokens.after(ended)
        if token is None or token == ended:
            raise credential_ended()
        return token

    @contextmanager
    def _open(self, token: str) -> Generator[WebSocketSession]:
        url = self._http.base_url + self._position.path()
        headers = {**self._http.options.headers, **upgrade_headers(), **credential_header(self._http.header, token)}
        client = self._http.client
        with client.stream(
            "GET", url, headers=headers, timeout=OPEN_SECONDS, auth=None, follow_redirects=False
        ) as response:
            if response.status_code != 101:
                content = response.read()
                raise Refused(error_of(response.status_code, response.headers, content, url))
            self._position.opened()
            with WebSocketSession(
                response.extensions["network_stream"],
                max_message_size_bytes=MAX_MESSAGE_BYTES,
                queue_size=QUEUED_MESSAGES,
                keepalive_ping_interval_seconds=None,
                response=response,
            ) as session:
                try:
                    yield session
                finally:
                    _hang_up(session)

    def _events(self, session: WebSocketSession) -> Iterator[RecollectEvent]:
        while True:
            received = self._position.read(_receive(session, self._position))
            if isinstance(received, Connected):
                if self._on_connected is not None:
                    self._on_connected(received)
            elif received is not None:
                yield received
                self._position.handled()
            acknowledgement = self._position.acknowledgement()
            if acknowledgement is not None:
                _send(session, acknowledgement)


def _receive(session: WebSocketSession, position: Position) -> str:
    """The next message. A line that is silent is tried with a ping."""
    try:
        try:
            return session.receive_text(PING_SECONDS if position.is_connected else OPEN_SECONDS)
        except TimeoutError:
            if not position.is_connected:
                raise
            _send(session, PING)
            return session.receive_text(PONG_SECONDS)
    except TimeoutError as error:
        raise Closed(LOST) from error
    except WebSocketDisconnect as error:
        raise Closed(error.code) from error


def _send(session: WebSocketSession, text: str) -> None:
    """Nothing goes out where the service has begun to close: what it said before is still to be read."""
    with suppress(LocalProtocolError):
        session.send_text(text)


def _hang_up(session: WebSocketSession) -> None:
    """Says good-bye, and wakes the thread that reads: a line that is dead would keep it, and the program, for ever."""
    line: socket.socket | None = session.stream.get_extra_info("socket")
    if line is None or line.fileno() < 0:
        return session.close()
    # A copy, because the session closes its own.
    with socket.fromfd(line.fileno(), line.family, line.type) as copy, suppress(OSError):
        session.close(1000, "bye")
        copy.shutdown(socket.SHUT_RDWR)
