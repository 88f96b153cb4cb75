from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Generic, TypeVar, cast

from ._async_http import AsyncHttp
from ._http import Http
from ._request import Request

Page = TypeVar("Page")
Item = TypeVar("Item")


def _items(page: Any) -> list[Any]:
    """The one list of a page."""
    values = cast(dict[str, Any], page).values()
    return next(cast(list[Any], value) for value in values if isinstance(value, list))


class Pages(Generic[Page, Item]):
    """A list. Iterating goes over the items of all pages; nothing is asked for before."""

    def __init__(self, http: Http, request: Request) -> None:
        self._http = http
        self._request = request

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from _items(page)

    def first(self) -> Page:
        """The first page."""
        return self._http.send(self._request).data

    def pages(self) -> Iterator[Page]:
        request = self._request
        while True:
            page = self._http.send(request).data
            yield page
            if page["next_cursor"] is None:
                return
            request = _following(request, page["next_cursor"])


class AsyncPages(Generic[Page, Item]):
    """A list. Iterating goes over the items of all pages; nothing is asked for before."""

    def __init__(self, http: AsyncHttp, request: Request) -> None:
        self._http = http
        self._request = request

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in _items(page):
                yield item

    async def first(self) -> Page:
        """The first page."""
        return (await self._http.send(self._request)).data

    async def pages(self) -> AsyncIterator[Page]:
        request = self._request
        while True:
            page = (await self._http.send(request)).data
            yield page
            if page["next_cursor"] is None:
                return
            request = _following(request, page["next_cursor"])


def _following(request: Request, cursor: str) -> Request:
    return Request(request.method, request.path, request.ids, {**request.query, "cursor": cursor})


class Family:
    def __init__(self, http: Http) -> None:
        self._http = http

    def _call(
        self,
        method: str,
        path: str,
        ids: tuple[str, ...],
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        if_version: int | None = None,
    ) -> Any:
        return self._http.send(Request(method, path, ids, query or {}, body, idempotency_key, if_version)).data

    def _pages(self, path: str, ids: tuple[str, ...], *, query: Mapping[str, Any]) -> Pages[Any, Any]:
        return Pages(self._http, Request("GET", path, ids, query))


class AsyncFamily:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def _call(
        self,
        method: str,
        path: str,
        ids: tuple[str, ...],
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        if_version: int | None = None,
    ) -> Any:
        answer = await self._http.send(Request(method, path, ids, query or {}, body, idempotency_key, if_version))
        return answer.data

    def _pages(self, path: str, ids: tuple[str, ...], *, query: Mapping[str, Any]) -> AsyncPages[Any, Any]:
        return AsyncPages(self._http, Request("GET", path, ids, query))
