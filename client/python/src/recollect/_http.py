from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from time import sleep
from typing import Any, TypeVar

import httpx2

from ._call import Answer, GetToken, Prepared, Received, Send, Service, Sleep, Steps, call
from ._deadline import Deadline, Timeouts
from ._lines import Lines
from ._options import CALL_SECONDS, IMPORT_SECONDS, Options, Token
from ._request import Request
from .errors import connection_failed

T = TypeVar("T")


@cache
def tls() -> ssl.SSLContext:
    """Made once for all clients: to read the certificates takes a tenth of a second."""
    return httpx2.create_ssl_context()


def no_cookies() -> CookieJar:
    """A cookie of a login would be a second credential."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))


def seconds_of(options: Options, request: Request) -> float:
    by_default = IMPORT_SECONDS if isinstance(request.body, bytes) else CALL_SECONDS
    return by_default if options.timeout is None else options.timeout


class TokenHolder:
    """The token of the credential, renewed once for all calls that wait for it."""

    def __init__(self, source: Token | None) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._renewal: tuple[str, str] | None = None

    def current(self) -> str | None:
        return self._source(None) if callable(self._source) else self._source

    def after(self, refused: str) -> str | None:
        if not callable(self._source):
            return None
        with self._lock:
            if self._renewal is None or self._renewal[0] != refused:
                self._renewal = (refused, self._source(refused))
            token = self._renewal[1]
            if token != refused:
                return token
            self._renewal = None
            return None


class Http:
    """Takes the steps of a call, one after the other."""

    def __init__(
        self, base_url: str, header: str | None, tokens: TokenHolder, options: Options, client: httpx2.Client
    ) -> None:
        self.base_url = base_url
        self.header = header
        self.tokens = tokens
        self.options = options
        self.client = client

    def send(self, request: Request) -> Answer[Any]:
        deadline = Deadline(seconds_of(self.options, request))
        return self._run(call(self._service(), request, deadline), deadline)

    def lines(self, request: Request) -> Iterator[Any]:
        """The lines of a response as they come. The time-out is the longest silence."""
        deadline = Deadline(seconds_of(self.options, request))
        answer = self._run(call(self._service(), request, deadline, stream=True), deadline)
        response: httpx2.Response = answer.data
        lines = Lines(self.base_url)
        deadline.restart()
        try:
            for piece in response.iter_bytes():
                yield from lines.add(piece)
            yield from lines.end()
        except httpx2.TimeoutException as error:
            raise deadline.error() from error
        except httpx2.RequestError as error:
            raise connection_failed(self.base_url, error) from error
        finally:
            response.close()

    def _service(self) -> Service:
        return Service(self.base_url, self.header, self.options.max_retries, self.options.headers)

    def _run(self, steps: Steps[T], deadline: Deadline) -> T:
        result: str | Received | Exception | None = None
        while True:
            try:
                step = steps.send(result)
            except StopIteration as end:
                return end.value
            match step:
                case GetToken(refused):
                    result = self.tokens.current() if refused is None else self.tokens.after(refused)
                case Send(request, stream):
                    result = self._exchange(request, stream, deadline)
                case Sleep(seconds):
                    result = sleep(seconds)
            deadline.check()

    def _exchange(self, request: Prepared, stream: bool, deadline: Deadline) -> Received | Exception:
        built = self.client.build_request(
            request.method,
            request.url,
            headers=request.headers,
            content=request.content,
            extensions={"timeout": Timeouts(deadline)},
        )
        try:
            # A redirect is not followed: another address would get the credential.
            response = self.client.send(built, stream=True, auth=None, follow_redirects=False)
            if stream and response.is_success:
                return Received(response.status_code, response.headers, b"", response)
            try:
                content = b"".join(_until(response.iter_bytes(), deadline))
            finally:
                response.close()
        except httpx2.TimeoutException as error:
            raise deadline.error() from error
        except httpx2.RequestError as error:
            return error
        return Received(response.status_code, response.headers, content, None)


def _until(pieces: Iterator[bytes], deadline: Deadline) -> Iterator[bytes]:
    """A response that trickles ends at the deadline too."""
    for piece in pieces:
        deadline.check()
        yield piece
