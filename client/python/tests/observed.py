"""What the programs of these tests share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

waits: list[float] = []


def sleep(seconds: float) -> None:
    waits.append(seconds)


async def async_sleep(seconds: float) -> None:
    waits.append(seconds)


def source_of(tokens: list[str]) -> Callable[[str | None], str]:
    """A source that returns the next token for each that was refused."""
    rest = iter(tokens[1:])
    return lambda refused: tokens[0] if refused is None else next(rest, refused)


def error_of(error: Exception) -> dict[str, Any]:
    names = ("status", "code", "request_id", "retry_after", "errors")
    told = {name: getattr(error, name, None) for name in names}
    return {"class": type(error).__name__, "message": str(error), **told}
