from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from ._messages import Message, Remembered, Role, context_of, to_wire
from ._request import Request, to_json

_MAX_MESSAGES = 100
"""Of one call (contract §3)."""
_MAX_BYTES = 1_000_000
"""A body has at most 1 MiB (contract §1); the rest is for what stands around the messages."""


@dataclass(slots=True)
class Remembering:
    """The calls of `remember`, and the sum of their answers."""

    messages: Message | Sequence[Message]
    conversation_id: str
    user: str | None
    context: Mapping[str, str] | None
    mode: Literal["append", "history"]
    roles: Sequence[Role] | None
    tags: Sequence[str] | None
    ttl: int | None
    visibility: Literal["project", "private"] | None
    idempotency_key: str | None
    total: Remembered = field(init=False)

    def requests(self) -> Iterator[Request]:
        self.total = {"conversation_id": self.conversation_id, "messages": []}
        optional = {"roles": self.roles, "tags": self.tags, "ttl": self.ttl, "visibility": self.visibility}
        body = {
            "conversation_id": self.conversation_id,
            "context": context_of(self.user, self.context),
            "mode": self.mode,
            **{name: value for name, value in optional.items() if value is not None},
        }
        given = [self.messages] if isinstance(self.messages, Mapping) else list(self.messages)
        if self.mode == "history":
            slices = _newest(given)
        else:
            slices = _slices(_with_ids(given, self.idempotency_key or secrets.token_hex(16)))
        for messages in slices:
            key = None if self.idempotency_key is None else f"{self.idempotency_key}-{len(self.total['messages'])}"
            yield Request("POST", "/v1/memory/ingest", body={**body, "messages": messages}, idempotency_key=key)

    def add(self, answer: Remembered) -> None:
        self.total["messages"] += answer["messages"]
        if "warnings" in answer:
            self.total["warnings"] = self.total.get("warnings", []) + answer["warnings"]


def _with_ids(messages: Sequence[Message], key: str) -> list[Message]:
    """A message with a time is known by it and its text."""
    return [
        message if "id" in message or "timestamp" in message else {**message, "id": f"{key}-{n}"}
        for n, message in enumerate(messages)
    ]


def _newest(messages: Sequence[Message]) -> Iterator[list[dict[str, Any]]]:
    """The service finds each call of a history in what is stored: a second one would skip what equals a later message."""
    for newest in islice(_slices(messages[::-1]), 1):
        yield newest[::-1]


def _slices(messages: Sequence[Message]) -> Iterator[list[dict[str, Any]]]:
    """The messages of each call: not too many, and not too large."""
    held: list[dict[str, Any]] = []
    size = 0
    for message in map(to_wire, messages):
        length = len(to_json(message).encode())
        if len(held) == _MAX_MESSAGES or (held and size + length > _MAX_BYTES):
            yield held
            held, size = [], 0
        held.append(message)
        size += length
    if held:
        yield held
