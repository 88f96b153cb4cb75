from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .errors import connection_failed


class Lines:
    """Lines of JSON, from pieces that are cut anywhere."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._rest = b""

    def add(self, piece: bytes) -> Iterator[Any]:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            yield from self._parse(line)

    def end(self) -> Iterator[Any]:
        yield from self._parse(self._rest)

    def _parse(self, line: bytes) -> Iterator[Any]:
        if not line:
            return
        try:
            value = json.loads(line)
        except ValueError as error:
            # The response broke off within the line.
            raise connection_failed(self._base_url, error) from error
        yield value
