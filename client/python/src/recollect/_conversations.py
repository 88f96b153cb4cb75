"""`remember` and `recall` of both clients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast, overload

from ._async_http import AsyncHttp
from ._http import Http
from ._messages import Message, RecalledItems, RecalledText, Remembered, Role
from ._recall import recall_request, recalled
from ._remember import Remembering


class Conversations:
    """What a client does with whole conversations."""

    _http: Http

    def remember(
        self,
        messages: Message | Sequence[Message],
        *,
        conversation_id: str,
        user: str | None = None,
        context: Mapping[str, str] | None = None,
        mode: Literal["append", "history"] = "append",
        roles: Sequence[Role] | None = None,
        tags: Sequence[str] | None = None,
        ttl: int | None = None,
        visibility: Literal["project", "private"] | None = None,
        idempotency_key: str | None = None,
    ) -> Remembered:
        """Stores messages of a conversation, in calls of at most 100. Returns what each became.

        `user` gives a user a memory of their own: the namespace `user:<id>`, and the subject; `context` stands before
        it. `history` is for messages that are sent again each time. A retry stores nothing twice, as each message
        without an id and a time gets an id; with an `idempotency_key`, neither does the same call that is started
        again. `roles` are the roles that are stored, by default user and assistant, and `ttl` is in seconds.
        Raises a TypeError for an empty id of a user.
        """
        work = Remembering(
            messages, conversation_id, user, context, mode, roles, tags, ttl, visibility, idempotency_key
        )
        for request in work.requests():
            work.add(self._http.send(request).data)
        return work.total

    @overload
    def recall(
        self,
        asked: str | Sequence[Message] | None,
        *,
        user: str | None = None,
        context: Mapping[str, str] | None = None,
        max_tokens: int | None = None,
        filters: Mapping[str, Any] | None = None,
        exclude_conversation_id: str | None = None,
        format: Literal["text"] = "text",
    ) -> RecalledText: ...

    @overload
    def recall(
        self,
        asked: str | Sequence[Message] | None,
        *,
        user: str | None = None,
        context: Mapping[str, str] | None = None,
        max_tokens: int | None = None,
        filters: Mapping[str, Any] | None = None,
        exclude_conversation_id: str | None = None,
        format: Literal["items"],
    ) -> RecalledItems: ...

    def recall(
        self,
        asked: str | Sequence[Message] | None,
        *,
        user: str | None = None,
        context: Mapping[str, str] | None = None,
        max_tokens: int | None = None,
        filters: Mapping[str, Any] | None = None,
        exclude_conversation_id: str | None = None,
        format: Literal["text", "items"] = "text",
    ) -> RecalledText | RecalledItems:
        """What is remembered and relevant to a question, or to the last message of the user.

        With None, what is pinned and the newest exchanges. The text takes `max_tokens` at most, 1,000 by default.
        `exclude_conversation_id` is the conversation that the model sees already.
        Raises a TypeError for an empty id of a user.
        """
        request = recall_request(asked, user, context, max_tokens, filters, exclude_conversation_id, format)
        return cast("RecalledText | RecalledItems", recalled(self._http.send(request).data, format))


class AsyncConversations:
    """What a client does with whole conversations."""

    _http: AsyncHttp

    async def remember(
        self,
        messages: Message | Sequence[Message],
        *,
        conversation_id: str,
        user: str | None = None,
        context: Mapping[str, str] | None = None,
        mode: Literal["append", "history"] = "append",
        roles: Sequence[Role] | None = None,
        tags: Sequence[str] | None = None,
        ttl: int | None = None,
        visibility: Literal["project", "private"] | None = None,
        idempotency_key: str | None = None,
    ) -> Remembered:
        """Stores messages of a conversation, in calls of at most 100. Returns what each became.

        `user` gives a user a memory of their own: the namespace `user:<id>`, and the subject; `context` stands before
        it. `history` is for messages that are sent again each time. A retry stores nothing twice, as each message
        without an id and a time gets an id; with an `idempotency_key`, neither does the same call that is started
        again. `roles` are the roles that are stored, by default user and assistant, and `ttl` is in seconds.
        Raises a TypeError for an empty id of a user.
        """
        work = Remembering(
            messages, conversation_id, user, context, mode, roles, tags, ttl, visibility, idempotency_key
        )
        for request in work.requests():
            work.add((await self._http.send(request)).data)
        return work.total

    @overload
    async def recall(
        self,
        asked: str | Sequence[Message] | None,
        *,
        user: str | None = None,
        context: Mapping[str, str] | None = None,
        max_tokens: int | None = None,
        filters: Mapping[str, Any] | None = None,
        exclude_conversation_id: str | None = None,
        format: Literal["text"] = "text",
    ) -> RecalledText: ...

    @overload
    async def recall(
        self,
        asked: str | Sequence[Message] | None,
        *,
        user: str | None = None,
        context: Mapping[str, str] | None = None,
        max_tokens: int | None = None,
        filters: Mapping[str, Any] | None = None,
        exclude_conversation_id: str | None = None,
        format: Literal["items"],
    ) -> RecalledItems: ...

    async def recall(
        self,
        asked: str | Sequence[Message] | None,
        *,
        user: str | None = None,
        context: Mapping[str, str] | None = None,
        max_tokens: int | None = None,
        filters: Mapping[str, Any] | None = None,
        exclude_conversation_id: str | None = None,
        format: Literal["text", "items"] = "text",
    ) -> RecalledText | RecalledItems:
        """What is remembered and relevant to a question, or to the last message of the user.

        With None, what is pinned and the newest exchanges. The text takes `max_tokens` at most, 1,000 by default.
        `exclude_conversation_id` is the conversation that the model sees already.
        Raises a TypeError for an empty id of a user.
        """
        request = recall_request(asked, user, context, max_tokens, filters, exclude_conversation_id, format)
        answer = await self._http.send(request)
        return cast("RecalledText | RecalledItems", recalled(answer.data, format))
