"""The items of one namespace as files, for both memory tools: the calls that each step takes."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from anthropic.lib.tools import ToolError

from ._memory_paths import is_path, require_fitting
from ._steps import Call, Steps
from .errors import InvalidRequestError, NotFoundError, RecollectError

_MAX_BATCH = 50
_MAX_PAGE = 100
"""Operations of one batch, and items of one page (contract §3)."""
_MAX_ATTEMPTS = 3


Item: TypeAlias = dict[str, Any]
Edit: TypeAlias = "Callable[[str], tuple[str, str]]"
"""From a text to the edited one, and the answer."""

_ITEM = "/v1/memory/items/{id}"


@dataclass(frozen=True, slots=True)
class Files:
    """A folder is there while a file is in it."""

    context: Mapping[str, str]
    tags: Sequence[str]

    def find(self, custom_id: str) -> Steps[Item | None]:
        if custom_id == "":
            return None
        filters = json.dumps({"custom_id": custom_id})
        page = yield self._list({"filters": filters, "limit": 1})
        return page["data"][0] if page["data"] else None

    def all(self) -> Steps[dict[str, Item]]:
        """The items of all files, by path."""
        files: dict[str, Item] = {}
        query: dict[str, Any] = {"limit": _MAX_PAGE}
        while True:
            page = yield self._list(query)
            for item in page["data"]:
                custom_id = unicodedata.normalize("NFC", item["custom_id"] or "")
                if is_path(custom_id):
                    files[custom_id] = item
            if page["next_cursor"] is None:
                return files
            query = {"limit": _MAX_PAGE, "cursor": page["next_cursor"]}

    def create(self, path: str, custom_id: str, text: str) -> Steps[None]:
        """Makes a file. It never replaces one that another request makes at the same time."""
        body = {"content": {"text": text}, "context": self.context, "tags": self.tags, "custom_id": custom_id}
        try:
            yield Call("POST", "/api/memory/store", body=body, headers={"If-None-Match": "*"})
        except RecollectError as error:
            if error.code == "custom_id_taken":
                raise ToolError(
                    f"The path {path} belongs to a file that you cannot access. Choose another one."
                ) from error
            if error.status != 412:
                raise
            if (yield from self.find(custom_id)) is None:
                raise ToolError(
                    f"The path {path} belongs to a file that was retired. Choose another one."
                ) from error
            raise ToolError(f"File {path} already exists") from error

    def edit(self, path: str, custom_id: str, change: Edit) -> Steps[str | None]:
        """Changes the text that `change` was given, or reads again what another request has changed. None where the file does not exist."""
        for _ in range(_MAX_ATTEMPTS):
            item = yield from self.find(custom_id)
            if item is None:
                return None
            text, answer = change(item["content"]["text"])
            require_fitting(path, text)
            try:
                yield _change(item, {"content": {"text": text}}, if_version=item["version"])
            except RecollectError as error:
                if error.status != 412:
                    raise
            else:
                return answer
        raise ToolError(f"The file {path} kept changing. View it, and try again.")

    def move(self, path: str, moves: Sequence[tuple[Item, str]]) -> Steps[None]:
        """Gives files other paths, all or none."""
        try:
            if len(moves) == 1:
                item, to = moves[0]
                yield _change(item, {"custom_id": to})
            else:
                yield _batch([{"op": "update", "id": item["id"], "custom_id": to} for item, to in moves])
        except InvalidRequestError as error:
            raise ToolError(str(error)) from error
        except RecollectError as error:
            if error.code == "custom_id_taken":
                raise ToolError(f"The destination {path} already exists") from error
            raise

    def delete(self, path: str, items: Sequence[Item]) -> Steps[None]:
        """Deletes files, all or none."""
        try:
            if len(items) == 1:
                yield Call("DELETE", _ITEM, {"id": items[0]["id"]})
            else:
                yield _batch([{"op": "delete", "id": item["id"]} for item in items])
        except InvalidRequestError as error:
            raise ToolError(str(error)) from error
        except NotFoundError as error:
            raise ToolError(f"The path {path} does not exist") from error

    def _list(self, query: Mapping[str, Any]) -> Call:
        return Call("GET", "/v1/memory/items", query={**self.context, **query})


def _change(item: Item, body: Mapping[str, Any], if_version: int | None = None) -> Call:
    return Call("PATCH", _ITEM, {"id": item["id"]}, body=body, if_version=if_version)


def _batch(operations: Sequence[Mapping[str, Any]]) -> Call:
    return Call("POST", "/api/memory/batch", body={"operations": operations, "atomic": True})


def require_few(path: str, files: Mapping[str, Item]) -> None:
    """One atomic batch takes the whole folder."""
    if len(files) > _MAX_BATCH:
        raise ToolError(
            f"The folder {path} has {len(files)} files. At most {_MAX_BATCH} can change at once."
        )
