"""A session of the OpenAI Agents SDK that remembers, and two tools. Needs the extra `openai-agents`.

    session = RecollectSession(SQLiteSession("chat-1"), AsyncRecollect(), user="alex@example.com")
    agent = Agent(name="Cook", tools=memory_tools(AsyncRecollect(), user="alex@example.com"))
    await Runner.run(agent, "What can I cook?", session=session)
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, cast

from agents import (
    FunctionTool,
    OpenAIConversationsSession,
    Session,
    SessionSettings,
    Tool,
    TResponseInputItem,
    function_tool,
)

from ._async_client import AsyncRecollect
from ._messages import Message, MessagePart, context_of
from .errors import ConnectionFailedError, RateLimitError, RecollectError, ServerError

__all__ = ["RecollectSession", "memory_tools"]

_log = logging.getLogger("recollect")
_MEMORY_SECONDS = 5
"""A run waits while a session remembers."""
_OF_INNER = {"session_id", "session_settings"}
_TEXTS = {"input_text", "output_text", "text"}


class RecollectSession:
    """Wraps a session: the history stays in it, word for word, and the texts of user and assistant go to Recollect too.

    `user` gives each user a memory of their own; `context` takes precedence over it. The conversation is that of the
    inner session, unless `conversation_id` names another. `pop_item` and `clear_session` act on the inner session
    alone. If the memory cannot be reached, is over its limit, fails or takes longer than 5 s, the history is kept and a
    warning is logged; any other refusal is raised, after the history is kept. With `on_error` no failure is raised.
    Raises a TypeError for an empty id.
    """

    session_id: str
    """That of the inner session, which can have none before its first call."""
    session_settings: SessionSettings | None

    def __init__(
        self,
        inner: Session | OpenAIConversationsSession,
        client: AsyncRecollect,
        *,
        user: str | None = None,
        context: Mapping[str, str] | None = None,
        conversation_id: str | None = None,
        on_error: Callable[[RecollectError], None] | None = None,
    ) -> None:
        self._inner = inner
        self._client = client.with_options(timeout=_MEMORY_SECONDS)
        self._context = context_of(user, context)
        self._conversation_id = conversation_id
        self._on_error = on_error
        history = (inner.get_items, inner.add_items, inner.pop_item, inner.clear_session)
        self._takes_wrapper = all(map(_takes_wrapper, history))

    @property
    def __class__(self) -> Any:
        """For `isinstance`, because a run treats some classes of sessions in their own way."""
        return type(self._inner)

    @__class__.setter
    def __class__(self, value: Any) -> None:
        raise TypeError("The class of a session cannot change.")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _OF_INNER:
            setattr(self._inner, name, value)
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """The inner session does everything else, such as compacting its history."""
        if name == "_inner":
            raise AttributeError(name)
        return getattr(self._inner, name)

    async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[TResponseInputItem]:
        return await self._inner.get_items(limit, **self._wrapped(wrapper))

    async def add_items(self, items: list[TResponseInputItem], *, wrapper: Any = None) -> None:
        await self._inner.add_items(items, **self._wrapped(wrapper))
        messages = [message for item in items if (message := _message_of(cast("Mapping[str, Any]", item)))]
        if not messages:
            return
        try:
            await self._client.remember(
                messages,
                conversation_id=self._conversation_id or self.session_id,
                context=self._context,
            )
        except RecollectError as error:
            self._report(error)

    async def pop_item(self, *, wrapper: Any = None) -> TResponseInputItem | None:
        return await self._inner.pop_item(**self._wrapped(wrapper))

    async def clear_session(self, *, wrapper: Any = None) -> None:
        await self._inner.clear_session(**self._wrapped(wrapper))

    def _wrapped(self, wrapper: Any) -> dict[str, Any]:
        """A run gives its context to a session whose four functions take it."""
        return {"wrapper": wrapper} if wrapper is not None and self._takes_wrapper else {}

    def _report(self, error: RecollectError) -> None:
        if self._on_error is not None:
            self._on_error(error)
        elif isinstance(error, ConnectionFailedError | RateLimitError | ServerError):
            _log.warning("Nothing was remembered of session %s: %s", self.session_id, error)
        else:
            raise error


def _takes_wrapper(function: Callable[..., Any]) -> bool:
    try:
        parameter = inspect.signature(function).parameters.get("wrapper")
    except (TypeError, ValueError):
        return False
    return parameter is not None and parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD)


def memory_tools(
    client: AsyncRecollect,
    *,
    user: str | None = None,
    context: Mapping[str, str] | None = None,
    max_tokens: int | None = None,
) -> list[Tool]:
    """The tools `recall` and `remember`. The model decides when to call them, and cannot leave their user and context.

    Raises a TypeError for an empty id.
    """
    place = context_of(user, context)

    async def recall(question: str) -> str:
        """Recalls what is known about the user and from earlier conversations.

        Args:
            question: What to look for, as a question or in keywords.
        """
        found = await client.recall(question, context=place, max_tokens=max_tokens)
        return found["text"] or "Nothing is known about this."

    async def remember(fact: str) -> str:
        """Remembers a fact for later conversations.

        Args:
            fact: One sentence that can be understood by itself.
        """
        await client.request("POST", "/api/memory/store", body={"content": fact, "context": place})
        return "Remembered."

    tools: list[FunctionTool] = [function_tool(recall), function_tool(remember)]
    return [*tools]


def _message_of(item: Mapping[str, Any]) -> Message | None:
    """What a user or an assistant says. An id is no identity: models without the Responses API give the same to each."""
    role: Literal["user", "assistant"] | None = item.get("role")
    if role not in ("user", "assistant") or item.get("type", "message") != "message":
        return None
    content: str | Sequence[Mapping[str, Any]] = item["content"]
    if isinstance(content, str):
        return {"role": role, "content": content} if content else None
    texts = list(_texts_of(content))
    return {"role": role, "content": texts} if texts else None


def _texts_of(parts: Sequence[Mapping[str, Any]]) -> Iterator[MessagePart]:
    for part in parts:
        if part.get("type") in _TEXTS and part.get("text"):
            yield {"type": "text", "text": part["text"]}
