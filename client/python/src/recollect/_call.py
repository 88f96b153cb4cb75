"""A call, for both clients: the steps that it takes, without the network that they go over."""

from __future__ import annotations

import json
import secrets
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Generic, TypeAlias, TypeVar

import httpx2

from . import _retry
from ._deadline import Deadline
from ._holds import holds
from ._request import Request, content_of, is_form, url_of
from .errors import RecollectError, connection_failed, error_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """The result of a call, and what came with it."""

    data: T
    status: int
    headers: httpx2.Headers
    request_id: str | None
    """Also in the log of the service."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request as an attempt sends it."""

    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None


@dataclass(frozen=True, slots=True)
class Received:
    """A response. Its body was read, or is still to come where a stream was asked for and the status is 2xx."""

    status: int
    headers: httpx2.Headers
    content: bytes
    body: httpx2.Response | None


@dataclass(frozen=True, slots=True)
class GetToken:
    """Asks for the token. With `refused`, for the one that follows it: None where none does."""

    refused: str | None


@dataclass(frozen=True, slots=True)
class Send:
    """Asks for the response, or for the failure of the connection."""

    request: Prepared
    stream: bool


@dataclass(frozen=True, slots=True)
class Sleep:
    seconds: float


Steps: TypeAlias = "Generator[GetToken | Send | Sleep, Any, T]"
"""What a client does for a call, one after the other, and the result of it all."""


@dataclass(frozen=True, slots=True)
class Service:
    """Where calls go, and how often each is tried."""

    base_url: str
    header: str | None
    """The header of the credential; None without one."""
    max_retries: int
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Failure:
    error: RecollectError
    status: int


def call(service: Service, request: Request, deadline: Deadline, stream: bool = False) -> Steps[Answer[Any]]:
    """Sends a request until there is a response, or a failure that no other attempt mends."""
    # Each attempt sends the same key: if an earlier one succeeded, the service replays its reply.
    key = request.idempotency_key
    if key is None and _retry.takes_key(request):
        key = secrets.token_hex(16)
    prepared = _prepare(service, request, key)
    is_repeatable = _retry.is_repeatable(request)
    # Nobody else has a key that was made here: the request still at work is this one, which the network doubled.
    is_own_key = request.idempotency_key is None
    # After a failure other than a refusal nobody knows whether the work was done.
    perhaps_done = False
    for retries in count():
        outcome = yield from _attempt(service, request, prepared, stream)
        if isinstance(outcome, Answer):
            return outcome
        if perhaps_done:
            done = yield from _done_before(service, request, outcome, deadline)
            if done is not None:
                return done
        error = outcome.error
        again = _retry.is_passing(error) and retries < service.max_retries
        again = again or ((perhaps_done or is_own_key) and _retry.is_in_progress(error))
        seconds = _retry.retry_seconds(error.retry_after, retries, _retry.random_fraction())
        if not is_repeatable or not again or seconds >= deadline.remaining:
            raise error
        perhaps_done = perhaps_done or error.status != 429
        yield Sleep(seconds)
    raise AssertionError("unreachable")


def _attempt(
    service: Service, request: Request, prepared: Prepared, stream: bool
) -> Steps[Answer[Any] | _Failure]:
    # Tokens come from forms that carry their own credentials.
    token: str | None = None if is_form(request) else (yield GetToken(None))
    outcome = yield from _try(service, prepared, token, stream)
    if token is None or outcome.status != 401:
        return outcome
    token = yield GetToken(token)
    return outcome if token is None else (yield from _try(service, prepared, token, stream))


def _try(
    service: Service, prepared: Prepared, token: str | None, stream: bool
) -> Steps[Answer[Any] | _Failure]:
    credential = credential_header(service.header, token)
    received: Received | Exception = yield Send(
        replace(prepared, headers=prepared.headers | credential), stream
    )
    if isinstance(received, Exception):
        return _Failure(connection_failed(service.base_url, received), 0)
    if not 200 <= received.status < 300:
        error = error_of(received.status, received.headers, received.content, prepared.url)
        return _Failure(error, received.status)
    try:
        data = received.body if received.body is not None else _data_of(received)
    except ValueError as error:
        return _Failure(connection_failed(service.base_url, error), 0)
    return Answer(data, received.status, received.headers, received.headers.get("x-request-id"))


def _data_of(received: Received) -> Any:
    """JSON, or text where it is none."""
    if received.status == 204:
        return None
    kind = received.headers.get("content-type", "").split(";")[0]
    return json.loads(received.content) if kind.endswith(("/json", "+json")) else received.content.decode()


def _done_before(
    service: Service, request: Request, failure: _Failure, deadline: Deadline
) -> Steps[Answer[Any] | None]:
    """The effect of an earlier attempt whose answer was lost; None if it had none."""
    if request.method == "DELETE" and failure.status == 404:
        return Answer(None, 404, httpx2.Headers(), failure.error.request_id)
    if request.method != "PATCH" or failure.status != 412:
        return None
    now = yield from call(service, Request("GET", request.path, request.ids), deadline)
    is_next = now.data["version"] == (request.if_version or 0) + 1
    sent = {name: value for name, value in request.body.items() if name != "merge_metadata"}
    return now if is_next and holds(now.data, sent) else None


def _prepare(service: Service, request: Request, key: str | None) -> Prepared:
    content, content_type = content_of(request)
    headers = {
        **service.headers,
        **request.headers,
        **({} if key is None else {"Idempotency-Key": key}),
        **({} if request.if_version is None else {"If-Match": f'"{request.if_version}"'}),
        **({} if content_type is None else {"Content-Type": content_type}),
    }
    return Prepared(request.method, service.base_url + url_of(request), headers, content)


def credential_header(header: str | None, token: str | None) -> dict[str, str]:
    if header is None or token is None:
        return {}
    return {header: f"Bearer {token}" if header == "Authorization" else token}
