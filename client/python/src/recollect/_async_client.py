from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self, Unpack

import httpx2

from . import _families as families
from ._async_http import AsyncHttp, AsyncTokenHolder
from ._call import Answer
from ._conversations import AsyncConversations
from ._http import no_cookies, tls
from ._options import MAX_RETRIES, AsyncToken, CallOptions, Options, address, credential
from ._request import Request, ids_of


class AsyncRecollect(AsyncConversations):
    """The client: a family of functions for each kind of thing, and `request()` for the rest.

    Tasks of one event loop may share it. `async with AsyncRecollect() as client:` closes its connections at the end.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        api_key: AsyncToken | None = None,
        access_token: AsyncToken | None = None,
        session_token: AsyncToken | None = None,
        timeout: float | None = None,
        max_retries: int = MAX_RETRIES,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        """Without arguments, address and key come from `RECOLLECT_URL` and `RECOLLECT_API_KEY`.

        The key of the environment goes to the address of the environment alone. Give one credential at most: a token,
        or a function, async or not, that returns one, which is called again with a token that was refused. `timeout`
        is the seconds of a whole call, with its retries: 30, and 120 for a call of an import. `max_retries` counts
        the attempts after the first, where repeating is safe. `http_client` brings a proxy or certificates, and is
        not closed.
        Raises a TypeError for an address that is missing or malformed.
        """
        header, source = credential(base_url, api_key, access_token, session_token)
        self._owned = http_client is None
        client = http_client or httpx2.AsyncClient(verify=tls(), cookies=no_cookies())
        options = Options(timeout, max_retries)
        self._bind(AsyncHttp(address(base_url), header, AsyncTokenHolder(source), options, client))

    def _bind(self, http: AsyncHttp) -> None:
        self._http = http
        self.memory = families.AsyncMemory(http)
        self.conversations = families.AsyncConversations(http)
        self.erasures = families.AsyncErasures(http)
        self.projects = families.AsyncProjects(http)
        self.workspaces = families.AsyncWorkspaces(http)
        self.members = families.AsyncMembers(http)
        self.keys = families.AsyncKeys(http)
        self.apps = families.AsyncApps(http)
        self.events = families.AsyncEvents(http)
        self.subscriptions = families.AsyncSubscriptions(http)
        self.deliveries = families.AsyncDeliveries(http)
        self.audit = families.AsyncAudit(http)
        self.usage = families.AsyncUsage(http)
        self.me = families.AsyncMe(http)

    def with_options(self, **options: Unpack[CallOptions]) -> AsyncRecollect:
        """The same client with other options: `await client.with_options(timeout=5).memory.search(query="…")`."""
        http = self._http
        other = object.__new__(AsyncRecollect)
        other._owned = False
        other._bind(AsyncHttp(http.base_url, http.header, http.tokens, replace(http.options, **options), http.client))
        return other

    async def request(
        self,
        method: str,
        path: str,
        *,
        ids: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        if_version: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer[Any]:
        """Any operation of the OpenAPI document: `(await client.request("GET", "/v1/tenant")).data`.

        `ids` are the values of the names in the path. It has the deadline, retries and errors of all calls.
        """
        values = ids_of(path, ids or {})
        return await self._http.send(Request(method.upper(), path, values, query or {}, body, idempotency_key, if_version, headers or {}))

    async def close(self) -> None:
        if self._owned:
            await self._http.client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
