from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._messages import Message, context_of, to_wire
from ._request import Request

_MAX_QUERY_CHARACTERS = 4_096
"""Of a query (contract §3). Of the text of a message, the service takes beginning and end."""
_ASKING = 2
"""The last user message, and the one before it where the last has few words."""


def recall_request(
    asked: str | Sequence[Message] | None,
    user: str | None,
    context: Mapping[str, str] | None,
    max_tokens: int | None,
    filters: Mapping[str, Any] | None,
    exclude_conversation_id: str | None,
    format: str,
) -> Request:
    place = context_of(user, context)
    optional = {"filters": filters, "exclude_conversation_id": exclude_conversation_id, "max_tokens": max_tokens}
    body = {
        **_question(asked),
        "context": {name: place[name] for name in ("project_id", "namespace") if name in place},
        **{name: value for name, value in optional.items() if value is not None},
        "format": format,
    }
    return Request("POST", "/v1/memory/recall", body=body)


def _question(asked: str | Sequence[Message] | None) -> dict[str, Any]:
    if asked is None:
        return {}
    if isinstance(asked, str):
        if len(asked) <= _MAX_QUERY_CHARACTERS:
            return {"query": asked}
        return {"messages": [{"role": "user", "content": asked}]}
    # Without a message of a user there is no question.
    asking = [message for message in asked if message["role"] == "user"][-_ASKING:]
    return {"messages": [to_wire({"role": "user", "content": one["content"]}) for one in asking]} if asking else {}


def recalled(answer: dict[str, Any], format: str) -> dict[str, Any]:
    empty: dict[str, Any] = {"text": ""} if format == "text" else {"items": []}
    return {**empty, **answer}
