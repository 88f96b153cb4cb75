"""Sends random commands to the SDK's memory tool for a local disk and to ours, and to ours those that it refuses.

Prints what differs and what is refused, as JSON.

The address and the key of the service come from the environment; the input is a seed and a number of commands.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool
from recollect import AsyncRecollect, Recollect
from recollect.anthropic import AsyncRecollectMemoryTool, RecollectMemoryTool

COMMANDS_PER_RUN = 30
# Few, so that commands meet: files, folders, a file in place of a folder, hidden names.
PATHS = [
    "/memories",
    "/memories/",
    "/memories/a",
    "/memories/a/",
    "/memories/b.txt",
    "/memories/a/b",
    "/memories//a/./b",
    "/memories/a/c.md",
    "/memories/a/b/d",
    "/memories/a/b/d/e.txt",
    "/memories/A",
    "/memories/.hidden",
    "/memories/node_modules/x",
    "/memories/a/ä 1.txt",
    "/memory",
]
WORDS = ["tea", "kettle", "blue", "teapot", "Ada", "größer", "\r", "a\nb"]


def text(rng: random.Random) -> str:
    if rng.random() < 0.1:
        return "a line of text\n" * rng.randint(1, 300)
    return "\n".join(rng.choices(WORDS, k=rng.randint(1, 6)))


def command(rng: random.Random) -> dict[str, Any]:
    def path() -> str:
        return rng.choice(PATHS)

    kinds: dict[str, Callable[[], dict[str, Any]]] = {
        "create": lambda: {"path": path(), "file_text": text(rng)},
        "view": lambda: {"path": path()}
        | ({"view_range": [rng.randint(-2, 6), rng.randint(-2, 8)]} if rng.random() < 0.5 else {}),
        "str_replace": lambda: {"path": path(), "old_str": rng.choice(WORDS), "new_str": text(rng)},
        "insert": lambda: {
            "path": path(),
            "insert_line": rng.randint(-1, 8),
            "insert_text": rng.choice(["", text(rng), f"{text(rng)}\n"]),
        },
        "delete": lambda: {"path": path()},
        "rename": lambda: {"old_path": path(), "new_path": path()},
    }
    [kind] = rng.choices(list(kinds), weights=[3, 3, 2, 2, 1, 2])
    return {"command": kind, **kinds[kind]()}


def outcome_of(call: Callable[[], Any]) -> dict[str, str]:
    try:
        return {"answer": without_folder_sizes(str(call()))}
    except ToolError as error:
        return {"error": str(error)}
    except OSError:
        # The SDK lets it through, such as where a file is a folder of the path.
        return {"error": "of the disk"}


def without_folder_sizes(answer: str) -> str:
    """A disk says how large its own entry of a folder is, and Recollect how large the files in it are."""
    if not answer.startswith("Here're"):
        return answer
    answer = re.sub(r"^[\d.]+[BKMG](?=\t.*/$)", "?", answer, flags=re.MULTILINE)
    return re.sub(r"\n[\d.]+[BKMG](?=\t)", "\n?", answer, count=1)


def prune(folder: Path) -> None:
    """In Recollect a folder is there while a file is in it."""
    for below in sorted(folder.rglob("*"), reverse=True):
        if below.is_dir() and not any(below.iterdir()):
            below.rmdir()


def differences(rng: random.Random, count: int, name: str, call: Callable[[str, Any], Any]) -> list[Any]:
    found: list[Any] = []
    for run in range(0, count, COMMANDS_PER_RUN):
        with tempfile.TemporaryDirectory() as base:
            disk = BetaLocalFilesystemMemoryTool(base)
            for _ in range(min(COMMANDS_PER_RUN, count - run)):
                given = command(rng)
                expected = outcome_of(lambda: disk.call(given))
                actual = outcome_of(lambda: call(f"{name}:{run}", given))
                prune(Path(base) / "memories")
                same = "error" in actual if expected == {"error": "of the disk"} else actual == expected
                if not same:
                    found.append({"command": given, "expected": expected, "actual": actual})
    return found


def refusals(client: Recollect) -> list[str]:
    tool = RecollectMemoryTool(client, context={"namespace": "refusals"})
    for n in range(51):
        tool.call({"command": "create", "path": f"/memories/many/{n}", "file_text": "x"})
    return [
        outcome_of(lambda: tool.call(refused)).get("error", "not refused")
        for refused in (
            {"command": "create", "path": "/memories/" + "x" * 129, "file_text": "x"},
            {"command": "create", "path": "/memories/empty", "file_text": ""},
            {"command": "create", "path": "/memories/long", "file_text": "x" * 65_537},
            {"command": "view", "path": "/memories/../etc"},
            {"command": "str_replace", "path": "/memories/many/0", "old_str": "", "new_str": "y"},
            {"command": "rename", "old_path": "/memories/many", "new_path": "/memories/more"},
            {"command": "delete", "path": "/memories/many"},
        )
    ]


def contested() -> dict[str, Any]:
    """An edit of a file that changes each time between its read and its write."""
    written: list[str | None] = []
    item = {"id": "mem_1", "version": 7, "custom_id": "a", "content": {"text": "tea"}}

    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.method == "GET":
            return httpx2.Response(200, json={"data": [item], "next_cursor": None})
        written.append(request.headers.get("if-match"))
        return httpx2.Response(412, json={"code": "precondition_failed", "detail": "The item has changed."})

    transport = httpx2.Client(transport=httpx2.MockTransport(answer))
    client = Recollect("https://memory.example", api_key="rck_x", http_client=transport)
    edit = {"command": "str_replace", "path": "/memories/a", "old_str": "tea", "new_str": "coffee"}
    return {**outcome_of(lambda: RecollectMemoryTool(client).call(edit)), "written": written}


def main() -> None:
    given: dict[str, int] = json.load(sys.stdin)
    client = Recollect()

    def sync(namespace: str, sent: Any) -> Any:
        return RecollectMemoryTool(client, context={"namespace": namespace}).call(sent)

    with asyncio.Runner() as runner:
        async_client = AsyncRecollect()

        def once(namespace: str, sent: Any) -> Any:
            tool = AsyncRecollectMemoryTool(async_client, context={"namespace": namespace})
            return runner.run(tool.call(sent))

        # Both forms take their steps from one core.
        runs = (("sync", sync, given["commands"]), ("async", once, given["commands"] // 5))
        result = {name: differences(random.Random(given["seed"]), count, name, call) for name, call, count in runs}
        runner.run(async_client.close())
    json.dump({**result, "refused": refusals(client), "contested": contested()}, sys.stdout)


main()
