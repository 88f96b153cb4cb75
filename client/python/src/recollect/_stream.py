"""A stream of events, for both clients: where it is, and what it does next, without the socket."""

from __future__ import annotations

import base64
import json
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

from ._retry import backoff_seconds, random_fraction
from .errors import RecollectError, class_of
from .types import RecollectEvent

OPEN_SECONDS = 30.0
"""From the attempt to connect to the first frame."""
PING_SECONDS = 25.0
"""Silence after which the client pings."""
PONG_SECONDS = 10.0
PING = '{"type":"ping"}'
"""The platform answers exactly this text without waking the hub."""
LOST = 1006
QUEUED_MESSAGES = 2_000
"""More than the service sends without an acknowledgement, so that reading never stops."""
MAX_MESSAGE_BYTES = 2**20

_ACKNOWLEDGE_EVERY = 100
_RECENT_IDS = 4_000
_FIRST_SECONDS = 0.5
_LONGEST_SECONDS = 30.0
_JITTER = 0.5
"""Spreads the clients of a restarted service."""
_FINAL = frozenset({400, 401, 403, 404, 422})
"""Refusals of an upgrade that come again each time."""
_ENDINGS = {
    4403: "the permission to listen was lost",
    4409: "another connection with this client_id took over",
}


@dataclass(frozen=True, slots=True)
class Connected:
    """The stream is connected."""

    recovered: bool
    replayed: int
    """Events that the service sends again."""
    missed: bool
    """Lost events cannot be replayed: read the state again."""
    hint: str | None
    """Which channel was probably meant."""


class Closed(Exception):
    """The connection ended with this code (docs/realtime.md)."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Refused(Exception):
    """The service refused the upgrade."""

    def __init__(self, error: RecollectError) -> None:
        super().__init__(error)
        self.error = error


class Position:
    """Where a stream is, and which connection it has."""

    def __init__(self, channels: Sequence[str], client_id: str | None, last_event_id: str | None) -> None:
        self.last_event_id = last_event_id
        """All events up to this one were handled."""
        self.ended_token: str | None = None
        self._channels = channels
        self._client_id = client_id
        self._next: str | None = last_event_id
        self._newest = ""
        self._recent: OrderedDict[str, None] = OrderedDict()
        self._failures = 0
        self._received = 0
        self._acknowledged = 0

    def path(self) -> str:
        query = {"channels": ",".join(self._channels)}
        if self._client_id is not None:
            query["client_id"] = self._client_id
        if self.last_event_id is not None:
            query["last_event_id"] = self.last_event_id
        return f"/realtime?{urlencode(query)}"

    def opened(self) -> None:
        self._received = 0
        self._acknowledged = 0

    @property
    def is_connected(self) -> bool:
        """The first frame has come."""
        return self._received > 0

    def read(self, text: str) -> RecollectEvent | Connected | None:
        """What a message says: an event that was not seen before, the first frame, or nothing to hand out."""
        message = cast(dict[str, Any], json.loads(text))
        event_id = message.get("id")
        if not isinstance(event_id, str):
            return None
        self._received += 1
        code = _closing_code(message)
        if code is not None:
            self.last_event_id = event_id
            raise Closed(code)
        is_first = self._received == 1
        if is_first:
            self._next = event_id
            return self._connected(message["data"])
        # After an event that came late, all that is newer would come again.
        self._next = event_id if event_id >= self._newest else self.last_event_id
        self._newest = max(self._newest, event_id)
        if event_id in self._recent:
            self.handled()
            return None
        self._recent[event_id] = None
        if len(self._recent) > _RECENT_IDS:
            self._recent.popitem(last=False)
        return cast(RecollectEvent, message)

    def handled(self) -> None:
        """The event that was read last is done."""
        self.last_event_id = self._next

    def acknowledgement(self) -> str | None:
        """Due once for a hundred messages."""
        if self._received - self._acknowledged < _ACKNOWLEDGE_EVERY:
            return None
        self._acknowledged = self._received
        return json.dumps({"type": "ack", "received": self._received})

    def after_close(self, code: int, token: str | None) -> float:
        """Seconds until the next attempt. Raises if the service ended the stream for good."""
        self._failures += 1
        # The first 4401 asks for a fresh token: this one may have expired.
        if code == 4401 and self._failures > 1:
            raise credential_ended()
        if code == 4401:
            self.ended_token = token
        if code in _ENDINGS:
            raise _ended(_ENDINGS[code], code - 4_000)
        return self._backoff()

    def after_refusal(self, error: RecollectError, token: str | None) -> float:
        """Seconds until the next attempt. Raises the refusal if it would come again."""
        if error.status == 401 and self.ended_token is None:
            self.ended_token = token
            return 0.0
        if error.status in _FINAL or error.code == "redirected":
            raise error
        self._failures += 1
        return max(self._backoff(), error.retry_after or 0.0)

    def _backoff(self) -> float:
        return backoff_seconds(self._failures, _FIRST_SECONDS, _LONGEST_SECONDS, _JITTER, random_fraction())

    def _connected(self, data: dict[str, Any]) -> Connected:
        self._failures = 0
        self.ended_token = None
        recovered = data.get("recovered") is True
        missed = self.last_event_id is not None and not recovered
        self.handled()
        return Connected(recovered, int(data.get("replayed", 0)), missed, data.get("hint"))


def _closing_code(message: dict[str, Any]) -> int | None:
    """The code in the last frame of a socket that the service closes. The close itself may come late, or never."""
    data = message.get("data", {})
    if message.get("type") != "system.status" or data.get("state") != "closing":
        return None
    code = data.get("code")
    return code if isinstance(code, int) else None


def _ended(reason: str, status: int) -> RecollectError:
    return class_of(status)(reason, code="stream_ended", status=status)


def credential_ended() -> RecollectError:
    return _ended("the credential has ended", 401)


def upgrade_headers() -> dict[str, str]:
    """Of RFC 6455 §4.1."""
    return {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Key": base64.b64encode(secrets.token_bytes(16)).decode(),
        "Sec-WebSocket-Version": "13",
    }
