"""Listens to the streams of client/test/cases with both clients. The cases come as JSON; what came goes out as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any
from unittest import mock

from observed import async_sleep, error_of, sleep, source_of, waits
from recollect import AsyncRecollect, Connected, Recollect, RecollectError


def arguments(case: dict[str, Any], on_connected: Callable[[Connected], None]) -> dict[str, Any]:
    return {"channels": ["conversation"], "last_event_id": case.get("last"), "on_connected": on_connected}


def token_of(case: dict[str, Any]) -> Any:
    return source_of(case["tokens"]) if "tokens" in case else "rca_x"


def listen(case: dict[str, Any]) -> dict[str, Any]:
    waits.clear()
    connected: list[Connected] = []
    events: list[str] = []
    error = None
    with Recollect(case["sync_url"], access_token=token_of(case)) as client:
        stream = client.events.stream(**arguments(case, connected.append))
        try:
            for event in stream:
                events.append(event["id"])
                if len(events) == case["take"]:
                    break
        except RecollectError as failure:
            error = error_of(failure)
        return observed(events, stream.last_event_id, connected, error)


async def async_listen(case: dict[str, Any]) -> dict[str, Any]:
    waits.clear()
    connected: list[Connected] = []
    events: list[str] = []
    error = None
    async with AsyncRecollect(case["async_url"], access_token=token_of(case)) as client:
        stream = client.events.stream(**arguments(case, connected.append))
        try:
            async for event in stream:
                events.append(event["id"])
                if len(events) == case["take"]:
                    break
        except RecollectError as failure:
            error = error_of(failure)
        return observed(events, stream.last_event_id, connected, error)


def observed(
    events: list[str], last_event_id: str | None, connected: list[Connected], error: dict[str, Any] | None
) -> dict[str, Any]:
    return {
        "events": events,
        "last_event_id": last_event_id,
        "connected": [asdict(each) for each in connected],
        "waits": waits[:],
        "error": error,
    }


def main() -> None:
    cases: list[dict[str, Any]] = json.load(sys.stdin)
    with (
        mock.patch("recollect._event_stream.sleep", sleep),
        mock.patch("recollect._async_event_stream.sleep", async_sleep),
        mock.patch("recollect._stream.random_fraction", lambda: 1.0),
    ):
        both = [{"sync": listen(case), "async": asyncio.run(async_listen(case))} for case in cases]
    json.dump(both, sys.stdout)


main()
