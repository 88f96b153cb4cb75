from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypedDict, TypeVar

Token: TypeAlias = "str | Callable[[str | None], str]"
"""A token, or a function that returns one. After a 401 it is called with the token that was refused."""

AsyncToken: TypeAlias = "str | Callable[[str | None], str | Awaitable[str]]"

Source = TypeVar("Source")

CALL_SECONDS = 30.0
IMPORT_SECONDS = 120.0
MAX_RETRIES = 2


class CallOptions(TypedDict, total=False):
    timeout: float | None
    """Seconds for the whole call; of a stream or an export, of its longest silence."""
    max_retries: int
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Options:
    """What `with_options` changes."""

    timeout: float | None = None
    max_retries: int = MAX_RETRIES
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def address(base_url: str | None) -> str:
    """The address of the service, from the environment by default."""
    url = os.environ.get("RECOLLECT_URL", "") if base_url is None else base_url
    if not re.fullmatch(r"https?://[^\s?#]+", url, re.IGNORECASE):
        raise TypeError(f'base_url or RECOLLECT_URL must be the address of a service, not "{url}".')
    return url.rstrip("/")


def credential(
    base_url: str | None, api_key: Source | None, access_token: Source | None, session_token: Source | None
) -> tuple[str | None, Source | str | None]:
    """The header of the credential, and its source; None without one. The key of the environment goes to no other address."""
    given = {"X-API-Key": api_key, "Authorization": access_token, "X-Session-Token": session_token}
    sources = [(header, source) for header, source in given.items() if source is not None]
    if len(sources) > 1:
        raise TypeError("A client has one credential: api_key, access_token or session_token.")
    if sources:
        return sources[0]
    key = os.environ.get("RECOLLECT_API_KEY", "") if base_url is None else ""
    return ("X-API-Key", key) if key else (None, None)
