"""LangGraph's store, on Recollect, and a node that recalls. Needs the extra `langgraph`.

    store = RecollectStore(Recollect())
    graph = builder.compile(store=store)

A namespace is its path, escaped and joined by `:`; a key is the `custom_id` of an item. The TypeScript store reads and
writes the same items.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.store.base import BaseStore, Op, Result

from ._async_client import AsyncRecollect
from ._client import Recollect
from ._messages import Message, Role, context_of
from ._steps import arun, run
from ._store import Mode, StoreSteps

__all__ = ["AsyncRecollectStore", "RecollectStore", "recall_node"]

UserOf: TypeAlias = Callable[[RunnableConfig], str]


class RecollectStore(BaseStore):
    """A store for graphs, run with `invoke` or `ainvoke`: its asynchronous functions work in a thread.

    `fields` are the paths of the fields whose text a search finds, such as `title` and `chapters[*].content`; by
    default all. `mode` is how a search with a query ranks. Items of other programs stay as they are: a `put` over one
    is a ConflictError. Raises a TypeError for an empty `project_id`.
    """

    __slots__ = ("_client", "_steps")

    def __init__(
        self,
        client: Recollect,
        *,
        project_id: str | None = None,
        fields: Sequence[str] | None = None,
        mode: Mode = "hybrid",
    ) -> None:
        self._client = client
        self._steps = _steps_of(project_id, fields, mode)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return run(self._client, self._steps.batch(ops))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))


class AsyncRecollectStore(BaseStore):
    """Like `RecollectStore`, for graphs whose nodes and tools are all asynchronous: `batch` is a TypeError."""

    __slots__ = ("_client", "_steps")

    def __init__(
        self,
        client: AsyncRecollect,
        *,
        project_id: str | None = None,
        fields: Sequence[str] | None = None,
        mode: Mode = "hybrid",
    ) -> None:
        self._client = client
        self._steps = _steps_of(project_id, fields, mode)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        raise TypeError("AsyncRecollectStore has asynchronous functions alone, such as aput. RecollectStore has both.")

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await arun(self._client, self._steps.batch(ops))


def _steps_of(project_id: str | None, fields: Sequence[str] | None, mode: Mode) -> StoreSteps:
    return StoreSteps(context_of(None, {} if project_id is None else {"project_id": project_id}), fields, mode)


_ROLES: dict[str, Role] = {"human": "user", "ai": "assistant", "system": "system"}


def _user_of(config: RunnableConfig) -> Any:
    return config.get("configurable", {}).get("user_id")


def recall_node(
    client: Recollect,
    *,
    async_client: AsyncRecollect | None = None,
    user: UserOf = _user_of,
    channel: str = "memories",
    context: Mapping[str, str] | None = None,
    max_tokens: int | None = None,
    filters: Mapping[str, Any] | None = None,
    exclude_conversation_id: str | None = None,
) -> RunnableLambda[Any, dict[str, str]]:
    """A node of a graph with `messages` in its state.

    It puts what is remembered and fits the last message of the user into a channel of the state, as text for the
    system message of the model. The user is `user_id` of `configurable`, or what `user` makes of the configuration.
    A run without a user is a TypeError. With `ainvoke` it asks `async_client`, or `client` in a thread.
    """

    def asked(state: Mapping[str, Any], config: RunnableConfig) -> tuple[list[Message], dict[str, Any]]:
        given: Any = user(config)
        if not isinstance(given, str):
            raise TypeError("A run must have a user: set configurable.user_id.")
        messages: Sequence[BaseMessage] = state["messages"]
        question: list[Message] = [
            {"role": _ROLES.get(message.type, "tool"), "content": message.text} for message in messages
        ]
        options = {
            "user": given,
            "context": context,
            "max_tokens": max_tokens,
            "filters": filters,
            "exclude_conversation_id": exclude_conversation_id,
        }
        return question, options

    def recall(state: Mapping[str, Any], config: RunnableConfig) -> dict[str, str]:
        question, options = asked(state, config)
        return {channel: client.recall(question, **options)["text"]}

    async def arecall(state: Mapping[str, Any], config: RunnableConfig) -> dict[str, str]:
        if async_client is None:
            return await asyncio.to_thread(recall, state, config)
        question, options = asked(state, config)
        return {channel: (await async_client.recall(question, **options))["text"]}

    return RunnableLambda(recall, arecall)
