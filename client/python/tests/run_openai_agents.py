"""Runs agents of the OpenAI Agents SDK, with a scripted model, whose session remembers. Prints what it saw, as JSON."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import httpx2
from agents import (
    Agent,
    Model,
    ModelResponse,
    OpenAIConversationsSession,
    RunContextWrapper,
    Runner,
    SessionSettings,
    SQLiteSession,
    TResponseInputItem,
    Usage,
    set_tracing_disabled,
)
from agents.items import TResponseStreamEvent
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputItem,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseReasoningItem,
)
from recollect import AsyncRecollect, RecollectError
from recollect.openai_agents import RecollectSession, memory_tools

USER = "ada@example.com"


class Scripted(Model):
    """Asks the memory about a question, remembers a fact that begins with `Note:`, and answers with what a tool says."""

    async def get_response(
        self, system_instructions: str | None, input: str | list[TResponseInputItem], *_: Any, **__: Any
    ) -> ModelResponse:
        last: Any = input if isinstance(input, str) else input[-1]
        return ModelResponse(output=self.output_for(last), usage=Usage(), response_id="resp_1")

    def output_for(self, last: Any) -> list[ResponseOutputItem]:
        text = str(last if isinstance(last, str) else last.get("output", last.get("content")))
        if not isinstance(last, str) and last.get("type") == "function_call_output":
            return [self.message(f"The tool says: {text}")]
        if text.endswith("?"):
            return [ResponseReasoningItem(id="rs_1", type="reasoning", summary=[]), self.call("recall", question=text)]
        if text.startswith("Note:"):
            return [self.call("remember", fact=text.removeprefix("Note: "))]
        return [self.message("I will keep that in mind.")]

    def message(self, text: str) -> ResponseOutputMessage:
        content = ResponseOutputText(type="output_text", text=text, annotations=[])
        # Models without the Responses API give each message this id.
        return ResponseOutputMessage(
            id="__fake_id__", type="message", role="assistant", status="completed", content=[content]
        )

    def call(self, name: str, **arguments: str) -> ResponseFunctionToolCall:
        return ResponseFunctionToolCall(
            type="function_call", call_id=f"call_{name}", name=name, arguments=json.dumps(arguments)
        )

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[TResponseStreamEvent]:
        raise NotImplementedError


class Compacting(SQLiteSession):
    """Notes what is added, and has what the runner looks for in a session that compacts its history."""

    compacted = 0

    def __init__(self, session_id: str) -> None:
        super().__init__(session_id)
        self.added: list[TResponseInputItem] = []

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        self.added += items
        await super().add_items(items)

    async def run_compaction(self, args: Any = None) -> None:
        self.compacted += 1


async def watch(client: AsyncRecollect) -> dict[str, Any]:
    agent = Agent(name="Cook", model=Scripted(), tools=memory_tools(client, user=USER))
    inner = Compacting("chat-1")
    session = RecollectSession(inner, client, user=USER)
    asked = ["I am allergic to peanuts.", "My kettle is blue.", "Which allergy is there to peanuts?", "Note: Ada has a dog."]
    answers = [str((await Runner.run(agent, text, session=session)).final_output) for text in asked]
    history = await inner.get_items()
    seen: dict[str, Any] = {
        "answers": answers,
        "types": [item.get("type", item.get("role")) for item in history],
        "same_history": history == inner.added == await session.get_items(),
        "newest": await session.get_items(limit=1) == history[-1:],
        "compacted": inner.compacted > 0,
        "has_no_compaction": hasattr(RecollectSession(SQLiteSession("plain"), client, user=USER), "run_compaction"),
    }
    items = [item async for item in client.memory.list(namespace=f"user:{USER}")]
    seen["remembered"] = sorted(
        (item["kind"], item["context"].get("conversation_id", ""), item["content"]["text"]) for item in items
    )
    popped = await session.pop_item()
    seen["popped"] = popped == history[-1] and len(await inner.get_items()) == len(history) - 1
    await session.clear_session()
    seen["cleared"] = await inner.get_items()
    seen["kept"] = len([item async for item in client.memory.list(namespace=f"user:{USER}")]) == len(items)
    return {**seen, **await failures(agent), "conversations": await conversations(agent, client), "contexts": await contexts(agent, client), "requests": await requests_of_slow_memory()}


class Scoped(SQLiteSession):
    """Notes which of its functions got the context of a run."""

    def __init__(self, session_id: str) -> None:
        super().__init__(session_id)
        self.contexts: dict[str, Any] = {}

    async def get_items(self, limit: int | None = None, *, wrapper: Any = None) -> list[TResponseInputItem]:
        self.contexts["get_items"] = wrapper and wrapper.context
        return await super().get_items(limit)

    async def add_items(self, items: list[TResponseInputItem], *, wrapper: Any = None) -> None:
        self.contexts["add_items"] = wrapper and wrapper.context
        await super().add_items(items)

    async def pop_item(self, *, wrapper: Any = None) -> TResponseInputItem | None:
        self.contexts["pop_item"] = wrapper and wrapper.context
        return await super().pop_item()

    async def clear_session(self, *, wrapper: Any = None) -> None:
        self.contexts["clear_session"] = wrapper and wrapper.context
        await super().clear_session()


async def contexts(agent: Agent, client: AsyncRecollect) -> dict[str, Any]:
    inner = Scoped("chat-3")
    session = RecollectSession(inner, client, user="carol@example.com")
    await Runner.run(agent, "My kettle is green.", session=session, context="of the run")
    await session.pop_item(wrapper=RunContextWrapper("of the run"))
    await session.clear_session()
    return inner.contexts


async def requests_of_slow_memory() -> int:
    """How often a memory is asked that wants more time than a session gives it."""
    requests = 0

    def answer(_: httpx2.Request) -> httpx2.Response:
        nonlocal requests
        requests += 1
        return httpx2.Response(503, headers={"Retry-After": "6"}, json={"code": "unavailable", "detail": "Later."})

    transport = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    async with AsyncRecollect("https://memory.example", api_key="rck_x", http_client=transport) as slow:
        await RecollectSession(SQLiteSession("chat-4"), slow).add_items([{"role": "user", "content": "Hello."}])
    return requests


@dataclass
class Listed:
    item: Any

    def model_dump(self, **_: Any) -> Any:
        return self.item


class Conversations:
    """A stand-in for what the SDK's session for conversations of OpenAI calls. The server gives the id."""

    def __init__(self) -> None:
        self.items = self
        self.kept: list[Any] = []

    async def create(self, *, items: list[Any], conversation_id: str | None = None) -> SimpleNamespace:
        self.kept += items
        return SimpleNamespace(id="conv_1")

    async def list(self, **_: Any) -> AsyncIterator[Listed]:
        for item in self.kept:
            yield Listed(item)


async def conversations(agent: Agent, client: AsyncRecollect) -> dict[str, Any]:
    """A session that has no id before its first call, and that a run knows by its class."""
    server = Conversations()
    inner = OpenAIConversationsSession(openai_client=cast(Any, SimpleNamespace(conversations=server)))
    session: Any = RecollectSession(inner, client, user="bob@example.com")
    classes = [isinstance(session, OpenAIConversationsSession), isinstance(session, RecollectSession)]
    await Runner.run(agent, "My kettle is red.", session=session)
    items = [item async for item in client.memory.list(namespace="user:bob@example.com")]
    given = session.session_id
    session.session_id = "conv_2"
    session.session_settings = SessionSettings(limit=1)
    return {
        "classes": classes,
        "ids": [given, inner.session_id],
        "limited": len(await inner.get_items()),
        "kept": len(server.kept),
        "remembered": sorted((item["context"].get("conversation_id"), item["content"]["text"]) for item in items),
    }


async def failures(agent: Agent) -> dict[str, Any]:
    """What a memory that cannot be reached does, and one that refuses."""
    inner = SQLiteSession("chat-2")
    lost = AsyncRecollect("http://127.0.0.1:9", api_key="rck_x", max_retries=0)
    logging.getLogger("recollect").setLevel(logging.ERROR)
    answer = await Runner.run(agent, "Good morning.", session=RecollectSession(inner, lost, user=USER))
    refused: list[str] = []

    def on_error(error: RecollectError) -> None:
        refused.append(error.code)

    async with AsyncRecollect(api_key="rck_test_unknown") as stranger:
        message: TResponseInputItem = {"role": "user", "content": "Hello."}
        await RecollectSession(inner, stranger, user=USER, on_error=on_error).add_items([message])
        try:
            await RecollectSession(inner, stranger, user=USER).add_items([message])
        except RecollectError as error:
            refused.append(f"raised: {error.code}")
    await lost.close()
    return {"unreachable": answer.final_output, "refused": refused, "history": len(await inner.get_items())}


async def main() -> None:
    set_tracing_disabled(True)
    async with AsyncRecollect() as client:
        json.dump(await watch(client), sys.stdout)


asyncio.run(main())
