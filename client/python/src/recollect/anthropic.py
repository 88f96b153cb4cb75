"""The memory tool of the Anthropic SDK, with its files in Recollect. Needs the extra `anthropic`.

    memory = RecollectMemoryTool(Recollect(), context={"namespace": namespace_of("agent", user_id)})
    runner = Anthropic().beta.messages.tool_runner(model=…, max_tokens=…, messages=…, tools=[memory])

A file is an item, and its path below `/memories/` is the `custom_id`, so that searches find it, and its earlier texts
stay. Each user or agent has a namespace of its own, which the model cannot leave.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
from anthropic.types.beta import (
    BetaCacheControlEphemeralParam,
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from ._async_client import AsyncRecollect
from ._client import Recollect
from ._memory_commands import Commands
from ._memory_files import Files
from ._steps import Steps, arun, run

__all__ = ["AsyncRecollectMemoryTool", "RecollectMemoryTool"]


class RecollectMemoryTool(BetaAbstractMemoryTool):
    """For `Anthropic`. `context` has `project_id` and `namespace`; `tags` are those of the files that the model makes.

    Raises a TypeError for an empty id in `context`.
    """

    def __init__(
        self,
        client: Recollect,
        *,
        context: Mapping[str, str] | None = None,
        tags: Sequence[str] = (),
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client = client
        self._commands = _commands(context, tags)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return self._run(self._commands.view(command))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return self._run(self._commands.create(command))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return self._run(self._commands.str_replace(command))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return self._run(self._commands.insert(command))

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return self._run(self._commands.delete(command))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return self._run(self._commands.rename(command))

    def _run(self, steps: Steps[str]) -> str:
        return run(self._client, steps)


class AsyncRecollectMemoryTool(BetaAsyncAbstractMemoryTool):
    """For `AsyncAnthropic`, like `RecollectMemoryTool`."""

    def __init__(
        self,
        client: AsyncRecollect,
        *,
        context: Mapping[str, str] | None = None,
        tags: Sequence[str] = (),
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client = client
        self._commands = _commands(context, tags)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await self._run(self._commands.view(command))

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await self._run(self._commands.create(command))

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await self._run(self._commands.str_replace(command))

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await self._run(self._commands.insert(command))

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await self._run(self._commands.delete(command))

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await self._run(self._commands.rename(command))

    async def _run(self, steps: Steps[str]) -> str:
        return await arun(self._client, steps)


def _commands(context: Mapping[str, str] | None, tags: Sequence[str]) -> Commands:
    place = context or {}
    for name, value in place.items():
        if value == "" or (name == "namespace" and "" in value.split(":")):
            raise TypeError(f'{name} is "{value}", in which an id is empty.')
    return Commands(Files(place, list(tags)))
