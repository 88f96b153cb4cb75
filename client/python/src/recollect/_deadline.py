from __future__ import annotations

import time

from .errors import TimedOutError

_SHORTEST_SECONDS = 0.001
"""A socket takes no time-out of 0."""


class Deadline:
    """When a call ends, with all its attempts and waits."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.restart()

    def restart(self) -> None:
        """A stream may last, but not be silent, this long."""
        self._due = time.monotonic() + self.seconds

    @property
    def remaining(self) -> float:
        return self._due - time.monotonic()

    def check(self) -> None:
        if self.remaining <= 0:
            raise self.error()

    def error(self) -> TimedOutError:
        return TimedOutError(f"No response within {self.seconds:g} s.", code="timed_out")


class Timeouts(dict[str, float]):
    """The time-outs of a request. The transport reads one when a phase begins: it gets what remains."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def get(self, key: str, default: object = None, /) -> float:  # pyright: ignore[reportIncompatibleMethodOverride]
        return max(_SHORTEST_SECONDS, self._deadline.remaining)
