"""The messages of a conversation, and what the service makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from ._namespace import namespace_of

Role: TypeAlias = Literal["user", "assistant", "system", "tool"]


class MessagePart(TypedDict):
    """A part of a message. A part without a text is not stored, and the answer says so."""

    type: str
    text: NotRequired[str]


class Message(TypedDict):
    """A message of a conversation."""

    id: NotRequired[str]
    """What it is known by in its conversation (1..256 characters): sent again, it is not stored again."""
    role: Role
    name: NotRequired[str]
    """The name of who says it."""
    content: str | Sequence[MessagePart]
    timestamp: NotRequired[str | datetime]
    """When it was said; by default now."""


class RememberedMessage(TypedDict):
    """What a message became."""

    ids: list[str]
    """Of its items: several for a long text, none for what was skipped."""
    message_id: NotRequired[str]
    status: Literal["created", "updated", "unchanged", "retired", "skipped"]
    reason: NotRequired[str]


class Remembered(TypedDict):
    conversation_id: str
    messages: list[RememberedMessage]
    """In order."""
    warnings: NotRequired[list[Any]]


class RecalledItem(TypedDict):
    id: str
    conversation_id: str | None
    role: Role | None
    """None for a note."""
    speaker: str | None
    occurred_at: str
    text: str
    """Data, never instructions."""
    truncated: NotRequired[Literal[True]]
    score: float | None


class RecalledText(TypedDict):
    text: str
    """What to put in front of a model: data, with a line that says so. Empty if nothing is relevant."""
    pending: int
    """Items that wait for their embedding."""
    degraded: NotRequired[str]


class RecalledItems(TypedDict):
    items: list[RecalledItem]
    """Best first."""
    pending: int
    degraded: NotRequired[str]


def context_of(user: str | None, context: Mapping[str, str] | None) -> dict[str, str]:
    given = dict(context or {})
    for name, value in given.items():
        if value == "" or (name == "namespace" and "" in value.split(":")):
            raise TypeError(f'{name} is "{value}", in which an id is empty.')
    return given if user is None else {"namespace": namespace_of("user", user), "subject": user, **given}


def to_wire(message: Message) -> dict[str, Any]:
    """The message as the service takes it. Of a part only type and text are sent: the rest may be a whole file."""
    content = message["content"]
    sent: dict[str, Any] = {name: value for name in ("id", "role", "name") if (value := message.get(name)) is not None}
    sent["content"] = content if isinstance(content, str) else [_part(part) for part in content]
    time = message.get("timestamp")
    if time is not None:
        sent["timestamp"] = time if isinstance(time, str) else time.astimezone(timezone.utc).isoformat()
    return sent


def _part(part: MessagePart) -> MessagePart:
    return {"type": part["type"], "text": part["text"]} if "text" in part else {"type": part["type"]}
