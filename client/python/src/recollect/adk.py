"""The memory service of Google's Agent Development Kit, on Recollect. Needs the extra `adk`.

    runner = Runner(…, memory_service=RecollectMemoryService(AsyncRecollect()))

An app is a namespace, a user a subject, a session a conversation, and the id of an event that of a message.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai.types import Content, Part

from ._async_client import AsyncRecollect
from ._messages import Message, MessagePart
from ._namespace import escape_label, fitted, namespace_of
from .errors import NotFoundError

__all__ = ["RecollectMemoryService"]

_KNOWN_SESSIONS = 1_000
_WRITE_OPTIONS = {"ttl", "tags"}


class RecollectMemoryService(BaseMemoryService):
    """A memory for a `Runner`.

    A session can be added as often as it grows: its events are stored once. `custom_metadata` of a call can have
    `ttl`, in seconds, and `tags`; any other name is a ValueError. `max_tokens` bounds what a search returns, by
    default 1,000.
    """

    def __init__(
        self, client: AsyncRecollect, *, project_id: str | None = None, max_tokens: int | None = None
    ) -> None:
        if project_id == "":
            raise TypeError("project_id cannot be empty.")
        self._client = client
        self._project: dict[str, str] = {} if project_id is None else {"project_id": project_id}
        self._max_tokens = max_tokens
        self._added: OrderedDict[tuple[str, str, str], tuple[int, str]] = OrderedDict()
        """Of each session, how many events are stored, and the id of the last one."""

    async def add_session_to_memory(self, session: Session) -> None:
        events = list(session.events)
        key = (session.app_name, session.user_id, session.id)
        count, last = self._added.get(key, (0, ""))
        # A session grows at its end. If it was changed elsewhere, all of it is sent, and the service knows its messages.
        due = events[count:] if count and len(events) >= count and events[count - 1].id == last else events
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=due, session_id=session.id
        )
        if events:
            self._added[key] = (len(events), events[-1].id)
            self._added.move_to_end(key)
        if len(self._added) > _KNOWN_SESSIONS:
            self._added.popitem(last=False)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        options = _options_of(custom_metadata)
        messages = [message for event in events if (message := _message_of(event))]
        if messages:
            await self._client.remember(
                messages,
                conversation_id=_conversation_of(user_id, session_id),
                context=self._context(app_name, user_id),
                **options,
            )

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores notes. One with an `id` replaces the earlier note of the user with this `id`."""
        options = _options_of(custom_metadata)
        for memory in memories:
            occurred_at = _time_of(memory.timestamp)
            body: dict[str, Any] = {
                "content": {"text": _text_of(memory.content), "metadata": _metadata_of(memory, occurred_at)},
                "context": self._context(app_name, user_id),
                **options,
            }
            if memory.id:
                body["custom_id"] = _name_of(user_id, memory.id)
            if occurred_at:
                body["occurred_at"] = occurred_at
            await self._client.request("POST", "/api/memory/store", body=body)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        if query.strip() == "":
            return SearchMemoryResponse()
        context = self._context(app_name, user_id)
        subject = context.pop("subject")
        found = await self._client.recall(
            query, context=context, filters={"subject": subject}, max_tokens=self._max_tokens, format="items"
        )
        memories = [
            MemoryEntry(
                id=item["id"],
                content=Content(role="model" if item["role"] == "assistant" else "user", parts=[Part(text=item["text"])]),
                author=item["speaker"] or item["role"],
                timestamp=item["occurred_at"],
            )
            for item in found["items"]
        ]
        return SearchMemoryResponse(memories=memories)

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Deletes a memory of the user, by the id of a search. Another id is ignored, as in ADK's own services.

        A message is retired and not deleted: its session may be added again, and would bring it back. An erasure of
        the subject removes its text.
        """
        if not memory_id:
            return
        try:
            item = await self._client.memory.retrieve(memory_id)
        except NotFoundError:
            return
        place = item["context"]
        wanted = self._context(app_name, user_id)
        if place["namespace"] != wanted["namespace"] or place.get("subject") != wanted["subject"]:
            return
        if item["kind"] == "turn":
            await self._client.memory.retire(memory_id)
        else:
            await self._client.memory.delete(memory_id)

    def _context(self, app_name: str, user_id: str) -> dict[str, str]:
        if user_id == "":
            raise TypeError("A memory must have a user.")
        return {**self._project, "namespace": namespace_of("app", app_name), "subject": user_id}


def _conversation_of(user_id: str, session_id: str | None) -> str:
    """Sessions of two users may have the same id, and a conversation is one of a namespace."""
    return _name_of(user_id, session_id) if session_id else _name_of(user_id)


def _name_of(*ids: str) -> str:
    """Different ids have different names: a `:` in an id is escaped, because a `:` joins them."""
    if not all(ids):
        raise TypeError("The id of a user cannot be empty.")
    return fitted(":".join(map(escape_label, ids)))


def _message_of(event: Event) -> Message | None:
    """What a user or an agent says. Calls of tools, thoughts and pieces of a stream are no memories."""
    content = event.content
    if content is None or event.partial:
        return None
    texts: list[MessagePart] = [
        {"type": "text", "text": part.text} for part in content.parts or [] if part.text and not part.thought
    ]
    if not texts:
        return None
    message: Message = {
        "id": event.id,
        "role": "user" if event.author == "user" else "assistant",
        "content": texts,
        "timestamp": datetime.fromtimestamp(event.timestamp, timezone.utc),
    }
    return message if event.author == "user" else {**message, "name": event.author}


def _text_of(content: Content) -> str:
    return "\n".join(part.text for part in content.parts or [] if part.text)


def _time_of(timestamp: str | None) -> str | None:
    """ADK writes local times without an offset, and takes any text. None: the text is no time."""
    try:
        return datetime.fromisoformat(timestamp or "").astimezone(timezone.utc).isoformat()
    except (ValueError, OverflowError):
        return None


def _metadata_of(memory: MemoryEntry, occurred_at: str | None) -> dict[str, Any]:
    """A timestamp that is no time is kept as it is."""
    metadata = dict(memory.custom_metadata)
    if memory.author:
        metadata["author"] = memory.author
    if memory.timestamp and not occurred_at:
        metadata["timestamp"] = memory.timestamp
    return metadata


def _options_of(custom_metadata: Mapping[str, object] | None) -> dict[str, Any]:
    options = dict(custom_metadata or {})
    if unknown := options.keys() - _WRITE_OPTIONS:
        raise ValueError(f"custom_metadata can have ttl and tags, and not {', '.join(sorted(unknown))}.")
    return options
