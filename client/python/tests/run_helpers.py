"""Asks the functions beside the clients. The questions come as JSON; the answers go out as JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any
from unittest import mock

import httpx2
from observed import error_of
from recollect import Recollect, namespace_of, webhooks


def asked(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except Exception as error:
        return {"error": error_of(error)["class"], "message": str(error)}


def client_of(env: dict[str, str], options: dict[str, Any]) -> Any:
    """Where the first call of a client goes, and with which credential."""
    sent: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        return httpx2.Response(200, json={"id": "mem_1"})

    with mock.patch.dict(os.environ, env, clear=True):
        client = Recollect(**options, http_client=httpx2.Client(transport=httpx2.MockTransport(answer)))
    client.memory.retrieve("mem_1")
    headers = sent[0].headers
    return {"url": str(sent[0].url), "key": headers.get("x-api-key"), "token": headers.get("x-session-token")}


def sent_history(texts: list[str]) -> list[list[str]]:
    """The texts of each call that remembers a history."""
    sent: list[list[str]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append([message["content"] for message in json.loads(request.content)["messages"]])
        return httpx2.Response(200, json={"conversation_id": "c", "messages": []})

    transport = httpx2.Client(transport=httpx2.MockTransport(answer))
    client = Recollect(base_url="https://memory.example", api_key="rck_x", http_client=transport)
    client.remember([{"role": "user", "content": text} for text in texts], conversation_id="c", mode="history")
    return sent


def main() -> None:
    given: dict[str, list[Any]] = json.load(sys.stdin)
    answers = {
        "webhooks": [
            asked(lambda: webhooks.verify(one["headers"], one["body"], one["secret"])) for one in given["webhooks"]
        ],
        "namespaces": [asked(lambda: namespace_of(*levels)) for levels in given["namespaces"]],
        "clients": [asked(lambda: client_of(one["env"], one["options"])) for one in given["clients"]],
        "histories": [asked(lambda: sent_history(texts)) for texts in given["histories"]],
    }
    json.dump(answers, sys.stdout)


main()
