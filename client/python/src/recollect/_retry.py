from __future__ import annotations

import secrets
from typing import Any, cast

from ._keyed import KEYED
from ._request import Request
from .errors import ConnectionFailedError, RecollectError

_RETRIED = frozenset({408, 429, 502, 503, 504})
_READS = frozenset({"/api/memory/search", "/v1/memory/recall"})
"""POST operations that change nothing."""
_FIRST_SECONDS = 0.5
_LONGEST_SECONDS = 8.0


def takes_key(request: Request) -> bool:
    return request.method == "POST" and request.path in KEYED


def is_repeatable(request: Request) -> bool:
    """Whether a request may be sent twice: it reads, or its second run changes nothing more."""
    if request.method == "PATCH":
        return request.path == "/v1/memory/items/{id}" and request.if_version is not None
    if request.method != "POST":
        return True
    return takes_key(request) or request.path in _READS or _is_dry_run(request.body)


def _is_dry_run(body: object) -> bool:
    return isinstance(body, dict) and cast(dict[str, Any], body).get("dry_run") is True


def is_passing(error: RecollectError) -> bool:
    """A failure that another attempt may mend."""
    return isinstance(error, ConnectionFailedError) or (error.status in _RETRIED and error.code != "redirected")


def is_in_progress(error: RecollectError) -> bool:
    """The earlier attempt with the same key is still at work, perhaps behind a line that was cut."""
    return error.code == "idempotency_in_progress"


def retry_seconds(retry_after: float | None, retries: int, random: float) -> float:
    """`Retry-After`, or a random part of a time that doubles with each retry."""
    if retry_after is not None:
        return retry_after
    return backoff_seconds(retries + 1, _FIRST_SECONDS, _LONGEST_SECONDS, 1, random)


def backoff_seconds(failures: int, first: float, longest: float, jitter: float, random: float) -> float:
    """Seconds to wait after this many failures, 1 for the first. `jitter`, 0 to 1, is the part left to chance."""
    # A float has no power beyond this.
    full = min(longest, first * 2.0 ** min(60, max(0, failures - 1)))
    return full * (1 - jitter * (1 - random))


def random_fraction() -> float:
    return secrets.randbits(32) / 2**32
