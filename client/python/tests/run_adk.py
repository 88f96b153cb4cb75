"""Runs an agent of Google's ADK, with a scripted model, whose memory is Recollect. Prints what it saw, as JSON."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session
from google.adk.tools.load_memory_tool import load_memory_tool
from google.genai.types import Content, FunctionCall, Part
from recollect import AsyncRecollect
from recollect.adk import RecollectMemoryService

APP = "kitchen"


class Scripted(BaseLlm):
    """Notes what it is told. It looks a question up in the memory, and answers with what is there."""

    model: str = "scripted"

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        parts = llm_request.contents[-1].parts or []
        yield LlmResponse(content=Content(role="model", parts=[self.answer_to(parts[0])]))

    def answer_to(self, part: Part) -> Part:
        if part.function_response is not None:
            return Part(text=f"The memory says: {part.function_response.response}")
        if part.text and part.text.endswith("?"):
            return Part(function_call=FunctionCall(name="load_memory", args={"query": part.text}))
        return Part(text="I will remember that you told me.")


def note(text: str, **fields: Any) -> MemoryEntry:
    return MemoryEntry(content=Content(role="user", parts=[Part(text=text)]), **fields)


class Kitchen:
    def __init__(self, client: AsyncRecollect) -> None:
        self.client = client
        self.memory = RecollectMemoryService(client)
        self.sessions = InMemorySessionService()
        agent = LlmAgent(name="cook", model=Scripted(), tools=[load_memory_tool])
        self.runner = Runner(
            app_name=APP, agent=agent, session_service=self.sessions, memory_service=self.memory
        )

    async def say(self, user: str, session_id: str, text: str) -> str:
        """The answer of the agent. The whole session goes into the memory each time, as a callback does it."""
        if await self.session(user, session_id) is None:
            await self.sessions.create_session(app_name=APP, user_id=user, session_id=session_id)
        message = Content(role="user", parts=[Part(text=text)])
        answer = ""
        async for event in self.runner.run_async(user_id=user, session_id=session_id, new_message=message):
            for part in (event.content and event.content.parts) or []:
                answer = part.text or answer
        session = await self.session(user, session_id)
        if session is not None:
            await self.memory.add_session_to_memory(session)
        return answer

    async def session(self, user: str, session_id: str) -> Session | None:
        return await self.sessions.get_session(app_name=APP, user_id=user, session_id=session_id)

    async def texts(self, user: str, query: str) -> list[str]:
        found = await self.memory.search_memory(app_name=APP, user_id=user, query=query)
        return [part.text or "" for entry in found.memories for part in entry.content.parts or []]

    async def turns(self) -> list[tuple[Any, ...]]:
        items = [item async for item in self.client.memory.list(namespace=f"app:{APP}", kind="turn")]
        return sorted(
            (item["context"].get("subject"), item["context"].get("conversation_id"), item["content"]["text"])
            for item in items
        )


async def watch(client: AsyncRecollect) -> dict[str, Any]:
    kitchen = Kitchen(client)
    memory = kitchen.memory
    await kitchen.say("ada", "s1", "I am allergic to peanuts.")
    await kitchen.say("ada", "s1", "My kettle is blue.")
    await kitchen.say("bob", "s1", "I love peanuts with salt.")
    seen: dict[str, Any] = {"turns": await kitchen.turns()}
    again = await kitchen.session("ada", "s1")
    assert again is not None
    await RecollectMemoryService(client).add_session_to_memory(again)
    seen["turns_of_a_new_process"] = await kitchen.turns() == seen["turns"]
    seen["answer"] = await kitchen.say("ada", "s2", "What about peanuts, is there an allergy?")
    seen["other_user"] = await kitchen.texts("carol", "peanuts allergy")
    seen["no_query"] = await kitchen.texts("ada", " ")

    event = Event(author="cook", content=Content(role="model", parts=[Part(text="The oven was repaired in May.")]))
    for _ in range(2):
        await memory.add_events_to_memory(app_name=APP, user_id="dora", events=[event], custom_metadata={"tags": ["oven"]})
    seen["events"] = await kitchen.texts("dora", "When was the oven repaired?")
    for text in ("Dora eats no fish.", "Dora eats fish now."):
        await memory.add_memory(app_name=APP, user_id="dora", memories=[note(text, id="diet", author="form")])
    found = await memory.search_memory(app_name=APP, user_id="dora", query="Does Dora eat fish?")
    seen["notes"] = [part.text for entry in found.memories for part in entry.content.parts or []]

    for entry in found.memories:
        await memory.delete_memory(app_name=APP, user_id="ada", memory_id=entry.id)
    seen["not_hers"] = await kitchen.texts("dora", "Does Dora eat fish?")
    for query in ("Does Dora eat fish?", "When was the oven repaired?"):
        for entry in (await memory.search_memory(app_name=APP, user_id="dora", query=query)).memories:
            await memory.delete_memory(app_name=APP, user_id="dora", memory_id=entry.id)
    await memory.add_events_to_memory(app_name=APP, user_id="dora", events=[event])
    seen["deleted"] = await kitchen.texts("dora", "Does Dora eat fish? When was the oven repaired?")
    await memory.delete_memory(app_name=APP, user_id="dora", memory_id="mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG")
    try:
        await memory.add_events_to_memory(
            app_name=APP, user_id="dora", events=[event], custom_metadata={"wait": True}
        )
    except ValueError as error:
        seen["unknown_option"] = str(error)
    await kitchen.runner.close()
    return {**seen, **await ids_with_colons(client), "times": await times(client)}


async def times(client: AsyncRecollect) -> list[Any]:
    """What becomes of the timestamps of notes: ADK's own are local."""
    os.environ["TZ"] = "IST-5:30"
    time.tzset()
    memory = RecollectMemoryService(client)
    stamps = ["2026-03-01T05:30:00", "2026-03-01T05:30:00.250000+01:00", "last spring", "0001-01-01T00:00:00"]
    notes = [note(f"Note {n}.", timestamp=stamp) for n, stamp in enumerate(stamps)]
    await memory.add_memory(app_name="times", user_id="ada", memories=notes)
    items = [item async for item in client.memory.list(namespace="app:times")]
    return sorted(
        [item["content"]["text"], item["occurred_at"], item["content"]["metadata"].get("timestamp")] for item in items
    )


async def ids_with_colons(client: AsyncRecollect) -> dict[str, Any]:
    """Ids that would be one name if a `:` in them stayed as it is."""
    memory = RecollectMemoryService(client)
    for user, session_id in (("a:b", "c"), ("a", "b:c"), ("a:b", None), ("a", "b")):
        event = Event(author="user", content=Content(role="user", parts=[Part(text=f"I am {user} in {session_id}.")]))
        await memory.add_events_to_memory(app_name="colons", user_id=user, events=[event], session_id=session_id)
    for user, note_id in (("a:b", "c"), ("a", "b:c")):
        await memory.add_memory(app_name="colons", user_id=user, memories=[note(f"A note of {user}.", id=note_id)])
    items = [item async for item in client.memory.list(namespace="app:colons")]
    return {
        "conversations": sorted(
            (item["context"].get("conversation_id", ""), item["content"]["text"]) for item in items if item["kind"] == "turn"
        ),
        "note_ids": sorted(item["custom_id"] or "" for item in items if item["kind"] == "note"),
    }


async def main() -> None:
    async with AsyncRecollect() as client:
        json.dump(await watch(client), sys.stdout)


asyncio.run(main())
