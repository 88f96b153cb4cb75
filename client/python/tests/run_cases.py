"""Runs the cases of client/test/cases with both clients. The cases come as JSON; what came of each goes out as JSON."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from dataclasses import asdict, is_dataclass
from typing import Any, cast
from unittest import mock

from observed import async_sleep, error_of, sleep, source_of, waits
from recollect import Answer, AsyncRecollect, Recollect, RecollectError

def options_of(case: dict[str, Any]) -> dict[str, Any]:
    given = case.get("client", {})
    options: dict[str, Any] = {
        name: source_of(cast(list[str], value)) if isinstance(value, list) else value for name, value in given.items()
    }
    return options if any("_key" in name or "_token" in name for name in options) else {"api_key": "rck_x", **options}


def call_of(client: Any, case: dict[str, Any]) -> Any:
    method, _, path = case["call"].partition(" ")
    options = case.get("options", {})
    if path:
        return client.request(method, path, body=case.get("input"), **options)
    if method in ("remember", "recall"):
        return getattr(client, method)(case["input"], **options)
    family, name = method.split(".")
    function = getattr(getattr(client, family), "import_" if name == "import" else name)
    if name == "import":
        return function(case["input"], **options)
    return function(*case.get("ids", []), **case.get("input", {}), **options)


def plain(result: Any) -> Any:
    if isinstance(result, Answer):
        return cast(Answer[Any], result).data
    return asdict(result) if is_dataclass(result) and not isinstance(result, type) else result


def observe(case: dict[str, Any]) -> dict[str, Any]:
    waits.clear()
    items: list[Any] = []
    with Recollect(case["sync_url"], **options_of(case)) as client:
        try:
            result = call_of(client, case)
            if case.get("iterate"):
                for item in result:
                    items.append(item)
                result = items
            elif hasattr(result, "first"):
                result = result.first()
            return {"result": plain(result), "error": None, "waits": waits[:]}
        except (RecollectError, TypeError) as error:
            return {"result": items, "error": error_of(error), "waits": waits[:]}


async def async_observe(case: dict[str, Any]) -> dict[str, Any]:
    waits.clear()
    items: list[Any] = []
    async with AsyncRecollect(case["async_url"], **options_of(case)) as client:
        try:
            result = call_of(client, case)
            if case.get("iterate"):
                async for item in result:
                    items.append(item)
                result = items
            elif hasattr(result, "first"):
                result = await result.first()
            elif inspect.isawaitable(result):
                result = await result
            return {"result": plain(result), "error": None, "waits": waits[:]}
        except (RecollectError, TypeError) as error:
            return {"result": items, "error": error_of(error), "waits": waits[:]}


def main() -> None:
    cases: list[dict[str, Any]] = json.load(sys.stdin)
    with (
        mock.patch("recollect._http.sleep", sleep),
        mock.patch("recollect._async_http.sleep", async_sleep),
        mock.patch("recollect._retry.random_fraction", lambda: 1.0),
    ):
        both = [{"sync": observe(case), "async": asyncio.run(async_observe(case))} for case in cases]
    json.dump(both, sys.stdout)


main()
