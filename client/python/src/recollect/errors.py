"""What a call raises. Branch on `code`; keep `request_id` for support."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, cast

import httpx2

from .types import ProblemError


class RecollectError(Exception):
    """A response that is not 2xx, and by its subclasses a call without a response."""

    status: int
    """0 without a response."""
    code: str
    """Of the service, of RFC 6749 §5.2, or the client's own: `connection_failed timed_out redirected
    stream_ended invalid_signature`."""
    request_id: str | None
    """Also in the log of the service; None without a response."""
    errors: list[ProblemError]
    """The faults of the input, by path."""
    retry_after: float | None
    """Seconds, from `Retry-After`; None without one."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        request_id: str | None = None,
        errors: list[ProblemError] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.request_id = request_id
        self.errors = errors or []
        self.retry_after = retry_after


class InvalidRequestError(RecollectError):
    """400, 413, 415 and 422: the request cannot be served as it is."""


class AuthenticationError(RecollectError):
    """401"""


class PermissionDeniedError(RecollectError):
    """403"""


class NotFoundError(RecollectError):
    """404"""


class ConflictError(RecollectError):
    """409, and 412: the item has another version than `if_version`."""


class RateLimitError(RecollectError):
    """429"""


class ServerError(RecollectError):
    """5xx"""


class ConnectionFailedError(RecollectError):
    """There is no response, or it broke off: `__cause__` says why."""


class TimedOutError(ConnectionFailedError):
    """The call took longer than its `timeout`."""


class WebhookVerificationError(RecollectError):
    """A webhook that the service did not sign, or that is too old."""


_BY_STATUS: dict[int, type[RecollectError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
}


def class_of(status: int) -> type[RecollectError]:
    return _BY_STATUS.get(status, ServerError if status >= 500 else RecollectError)


def connection_failed(base_url: str, cause: Exception) -> ConnectionFailedError:
    error = ConnectionFailedError(f"The connection to {base_url} failed.", code="connection_failed")
    error.__cause__ = cause
    return error


def error_of(status: int, headers: httpx2.Headers, content: bytes, url: str) -> RecollectError:
    """The error of a failed response. A body that is no problem (RFC 9457) is quoted."""
    location = headers.get("location")
    if location is not None and status < 400:
        message = f"The service redirects to {location}. Check the address of the service."
        return class_of(status)(message, code="redirected", status=status)
    text = content.decode(errors="replace")
    problem = _problem_of(text)
    # A wrong address is read in what answers there. The query may hold what was searched for.
    message = f"{url.split('?')[0]}: {text[:200]}"
    return class_of(status)(
        str(problem.get("detail") or problem.get("title") or message),
        code=str(problem.get("code", "internal")),
        status=status,
        request_id=problem.get("request_id") or headers.get("x-request-id"),
        errors=problem.get("errors"),
        retry_after=_seconds_of(headers.get("retry-after")),
    )


def _seconds_of(header: str | None) -> float | None:
    """`Retry-After` is a number of seconds or a date (RFC 9110 §10.2.3)."""
    if header is None:
        return None
    if header.isdecimal():
        return float(header)
    try:
        date = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())


def _problem_of(text: str) -> dict[str, Any]:
    try:
        value: Any = json.loads(text)
    except ValueError:
        return {}
    if not isinstance(value, dict):
        return {}
    problem = cast(dict[str, Any], value)
    # OAuth endpoints answer as RFC 6749 §5.2 says.
    if isinstance(problem.get("error"), str):
        return {"code": problem["error"], "detail": problem.get("error_description") or problem["error"]}
    return problem if "code" in problem else {}
