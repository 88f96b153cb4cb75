from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self, Unpack

import httpx2

from . import _families as families
from ._call import Answer
from ._conversations import Conversations
from ._http import Http, TokenHolder, no_cookies, tls
from ._options import MAX_RETRIES, CallOptions, Options, Token, address, credential
from ._request import Request, ids_of


class Recollect(Conversations):
    """The client: a family of functions for each kind of thing, and `request()` for the rest.

    Threads may share it. `with Recollect() as client:` closes its connections at the end.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        api_key: Token | None = None,
        access_token: Token | None = None,
        session_token: Token | None = None,
        timeout: float | None = None,
        max_retries: int = MAX_RETRIES,
        http_client: httpx2.Client | None = None,
    ) -> None:
        """Without arguments, address and key come from `RECOLLECT_URL` and `RECOLLECT_API_KEY`.

        The key of the environment goes to the address of the environment alone. Give one credential at most: a token,
        or a function that returns one, which is called again with a token that was refused. `timeout` is the seconds
        of a whole call, with its retries: 30, and 120 for a call of an import. `max_retries` counts the attempts
        after the first, where repeating is safe. `http_client` brings a proxy or certificates, and is not closed.
        Raises a TypeError for an address that is missing or malformed.
        """
        header, source = credential(base_url, api_key, access_token, session_token)
        self._owned = http_client is None
        client = http_client or httpx2.Client(verify=tls(), cookies=no_cookies())
        options = Options(timeout, max_retries)
        self._bind(Http(address(base_url), header, TokenHolder(source), options, client))

    def _bind(self, http: Http) -> None:
        self._http = http
        self.memory = families.Memory(http)
        self.conversations = families.Conversations(http)
        self.erasures = families.Erasures(http)
        self.projects = families.Projects(http)
        self.workspaces = families.Workspaces(http)
        self.members = families.Members(http)
        self.keys = families.Keys(http)
        self.apps = families.Apps(http)
        self.events = families.Events(http)
        self.subscriptions = families.Subscriptions(http)
        self.deliveries = families.Deliveries(http)
        self.audit = families.Audit(http)
        self.usage = families.Usage(http)
        self.me = families.Me(http)

    def with_options(self, **options: Unpack[CallOptions]) -> Recollect:
        """The same client with other options: `client.with_options(timeout=5).memory.search(query="…")`."""
        http = self._http
        other = object.__new__(Recollect)
        other._owned = False
        other._bind(Http(http.base_url, http.header, http.tokens, replace(http.options, **options), http.client))
        return other

    def request(
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
        """Any operation of the OpenAPI document: `client.request("GET", "/v1/tenant").data`.

        `ids` are the values of the names in the path. It has the deadline, retries and errors of all calls.
        """
        values = ids_of(path, ids or {})
        return self._http.send(Request(method.upper(), path, values, query or {}, body, idempotency_key, if_version, headers or {}))

    def close(self) -> None:
        if self._owned:
            self._http.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
