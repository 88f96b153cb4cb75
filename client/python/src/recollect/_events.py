from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ._family import AsyncFamily, Family
from ._stream import Connected, Position

if TYPE_CHECKING:
    from ._async_event_stream import AsyncEventStream
    from ._event_stream import EventStream

_MISSING = "Events need the extra `events` of this package, which has a WebSocket."


class Listener(Family):
    def stream(
        self,
        *,
        channels: Sequence[str],
        client_id: str | None = None,
        last_event_id: str | None = None,
        on_connected: Callable[[Connected], None] | None = None,
    ) -> EventStream:
        """Listens to channels: `for event in client.events.stream(channels=["memory"])`.

        A reconnect with the same `client_id` replaces an older connection that the service still holds.
        `last_event_id` is the last event that an earlier run of the program handled. `on_connected` is called after
        each connect: if it says `missed`, lost events cannot be replayed, so read the state again.
        Raises an ImportError without the extra `events`.
        """
        try:
            from ._event_stream import EventStream
        except ImportError as error:
            raise ImportError(_MISSING) from error
        return EventStream(self._http, Position(channels, client_id, last_event_id), on_connected)


class AsyncListener(AsyncFamily):
    def stream(
        self,
        *,
        channels: Sequence[str],
        client_id: str | None = None,
        last_event_id: str | None = None,
        on_connected: Callable[[Connected], None] | None = None,
    ) -> AsyncEventStream:
        """Listens to channels: `async for event in client.events.stream(channels=["memory"])`.

        A reconnect with the same `client_id` replaces an older connection that the service still holds.
        `last_event_id` is the last event that an earlier run of the program handled. `on_connected` is called after
        each connect: if it says `missed`, lost events cannot be replayed, so read the state again.
        Raises an ImportError without the extra `events`.
        """
        try:
            from ._async_event_stream import AsyncEventStream
        except ImportError as error:
            raise ImportError(_MISSING) from error
        return AsyncEventStream(self._http, Position(channels, client_id, last_event_id), on_connected)
