from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import quote, urlencode

JSON = "application/json"
LINES = "application/x-ndjson"
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Request:
    """A call of an operation."""

    method: str
    path: str
    """As in the OpenAPI document, with the names of its parameters in braces."""
    ids: tuple[str, ...] = ()
    """The values of these names, in order."""
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: Any = None
    """Sent as JSON, or as a form where the operation takes one; bytes are lines of JSON."""
    idempotency_key: str | None = None
    if_version: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def is_form(request: Request) -> bool:
    """Registration takes JSON; the other operations below `/auth` take a form."""
    return request.path.startswith("/auth/") and request.path not in ("/auth/register", "/auth/logout")


def content_of(request: Request) -> tuple[bytes | None, str | None]:
    """The body and its type."""
    body = request.body
    if body is None:
        return None, None
    if isinstance(body, bytes):
        return body, LINES
    if is_form(request):
        return urlencode(cast(dict[str, str], body)).encode(), FORM
    return to_json(body).encode(), JSON


def to_json(value: object) -> str:
    """Raises a ValueError for what JSON does not have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def url_of(request: Request) -> str:
    """Path and query. A parameter with several values is repeated; one without a value is left out."""
    names: list[str] = re.findall(r"\{\w+\}", request.path)
    path = request.path
    for index, name in enumerate(names):
        value = request.ids[index] if index < len(request.ids) else ""
        path = path.replace(name, _segment_of(name, value), 1)
    pairs: list[tuple[str, str]] = []
    for name, value in request.query.items():
        values = cast(list[Any], value) if isinstance(value, list) else [value]
        pairs.extend((name, each if isinstance(each, str) else to_json(each)) for each in values if each is not None)
    return f"{path}?{urlencode(pairs)}" if pairs else path


def ids_of(path: str, values: Mapping[str, str]) -> tuple[str, ...]:
    """The values of the names in a path, in order."""
    return tuple(values.get(name, "") for name in re.findall(r"\{(\w+)\}", path))


def _segment_of(name: str, value: object) -> str:
    """Without a value, or with dots, the path would be that of another operation."""
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise TypeError(f'{name} in the path cannot be "{value}".')
    return quote(value, safe="")
