"""The calls of a LangGraph store."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, TypeAlias
from unicodedata import normalize
from urllib.parse import quote

from langgraph.store.base import (
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

from ._steps import Call, Steps
from ._store_filters import filters_of
from ._store_items import FOUND_BY_QUERY, OF_STORE, hash_field, item_of, store_of
from ._store_names import custom_id_of, is_hashed, name_of, path_of, reach_of
from .errors import RecollectError, class_of

Mode: TypeAlias = Literal["hybrid", "semantic", "keyword"]
Name: TypeAlias = tuple[str, str]
"""What names an item: its namespace and its `custom_id`."""

_MAX_BATCH = 50
_MAX_RESULTS = 100
"""Operations of one batch, and results of one search (contract §3)."""
_READ_NAMESPACES = 16
_READ_IDS = 50
_READ_CHARACTERS = 6_144
"""Of one read: the namespaces that it may name (contract §3), ids for one permit (§6), and characters of its query."""


@dataclass(frozen=True, slots=True)
class StoreSteps:
    """What a store does, as calls. Items are read before any is written, and the last write of a key counts."""

    project: Mapping[str, str]
    fields: Sequence[str] | None
    mode: Mode

    def batch(self, ops: Iterable[Op]) -> Steps[list[Result]]:
        given = list(ops)
        for op in given:
            validate_op_namespace(op)
        puts = {_name_of(op): op for op in given if isinstance(op, PutOp)}
        named = [op for op in given if isinstance(op, GetOp | PutOp)]
        items = yield from self._items_of([_name_of(op) for op in named])
        results: list[Result] = []
        for op in given:
            results.append((yield from self._read(op, items)))
        yield from self._write([self._change_of(op, items.get(name)) for name, op in puts.items()])
        return results

    def _read(self, op: Op, items: Mapping[Name, dict[str, Any]]) -> Steps[Result]:
        if isinstance(op, GetOp):
            found = items.get(_name_of(op))
            item = item_of(found) if found else None
            return item and Item(
                value=item.value,
                key=item.key,
                namespace=item.namespace,
                created_at=item.created_at,
                updated_at=item.updated_at,
            )
        if isinstance(op, SearchOp):
            return (yield from self._search(op))
        if isinstance(op, ListNamespacesOp):
            return (yield from self._list_namespaces(op))
        return None

    def _items_of(self, names: Sequence[Name]) -> Steps[dict[Name, dict[str, Any]]]:
        """The items of some names, those of other programs too."""
        items: dict[Name, dict[str, Any]] = {}
        for namespaces, custom_ids in _reads_of(names):
            filters = json.dumps({"custom_id": {"in": custom_ids}})
            found = yield from self._list({"namespaces": namespaces, "filters": filters})
            items |= {(item["context"]["namespace"], normalize("NFC", item["custom_id"])): item for item in found}
        return items

    def _search(self, op: SearchOp) -> Steps[list[SearchItem]]:
        if op.limit == 0:
            return []
        reach = reach_of(op.namespace_prefix)
        conditions = [FOUND_BY_QUERY if op.query else OF_STORE, *filters_of(op.filter)]
        if reach.hash:
            labels, value = reach.hash
            conditions.append({hash_field(labels): value})
        place = {"namespace": "*"} if reach.prefix is None else {"namespace_prefix": reach.prefix}
        wanted = op.offset + op.limit
        if op.query:
            found = yield from self._search_for(op.query, place, conditions, wanted)
        else:
            filters = json.dumps({"AND": conditions})
            items = yield from self._list({**place, "filters": filters}, wanted)
            found = [item_of(item) for item in items]
        return [item for item in found if item][op.offset : wanted]

    def _search_for(
        self, query: str, place: Mapping[str, str], conditions: Sequence[Any], wanted: int
    ) -> Steps[list[SearchItem | None]]:
        body = {
            "query": query,
            "mode": self.mode,
            "limit": min(wanted, _MAX_RESULTS),
            "context": {**self.project, **place},
            "filters": {"AND": conditions},
        }
        answer = yield Call("POST", "/api/memory/search", body=body)
        results: list[dict[str, Any]] = answer["results"]
        # Perhaps there are more, and what is cut off in silence is taken for the whole.
        if wanted > _MAX_RESULTS and len(results) == _MAX_RESULTS:
            raise ValueError(f"In a search with a query, offset and limit together can be at most {_MAX_RESULTS}.")
        return [item_of(result, result["score"]) for result in results]

    def _list_namespaces(self, op: ListNamespacesOp) -> Steps[list[tuple[str, ...]]]:
        conditions = op.match_conditions or ()
        prefix = reach_of(_beginning_of(conditions)).prefix
        paths: set[tuple[str, ...]] = set()
        query = {} if prefix is None else {"prefix": prefix}
        for found in (yield from self._pages("/v1/memory/namespaces", query)):
            path = yield from self._path_of(found["namespace"])
            if path and all(_matches(condition, path) for condition in conditions):
                paths.add(path[: op.max_depth])
        return sorted(paths)[op.offset : op.offset + op.limit]

    def _path_of(self, namespace: str) -> Steps[tuple[str, ...] | None]:
        """The items of a namespace whose name is a hash know its path."""
        if not is_hashed(namespace):
            return path_of(namespace)
        items = yield from self._list({"namespace": namespace, "filters": json.dumps(OF_STORE)}, 1)
        item = item_of(items[0]) if items else None
        return item.namespace if item else None

    def _change_of(self, put: PutOp, holder: dict[str, Any] | None) -> dict[str, Any] | None:
        own = holder if holder and item_of(holder) else None
        if put.value is None:
            return own and {"op": "delete", "id": own["id"]}
        if holder and not own:
            # The service would change the item that holds the `custom_id` (contract §3).
            raise _refused(
                409,
                "custom_id_taken",
                f'The key "{put.key}" of {put.namespace} is the custom_id of {holder["id"]}, '
                "an item that does not belong to the store.",
            )
        name, custom_id = name_of(put.namespace), custom_id_of(put.key)
        return {"op": "store", **store_of(put, put.value, name, custom_id, self.project, self.fields)}

    def _write(self, changes: Iterable[dict[str, Any] | None]) -> Steps[None]:
        due = iter([change for change in changes if change])
        while operations := list(islice(due, _MAX_BATCH)):
            answer = yield Call("POST", "/api/memory/batch", body={"operations": operations})
            for result in answer["results"]:
                error = result.get("error")
                if error and not (result["op"] == "delete" and error["status"] == 404):
                    raise _refused(error["status"], error["code"], error["detail"])

    def _list(self, query: Mapping[str, Any], wanted: int | None = None) -> Steps[list[dict[str, Any]]]:
        return (yield from self._pages("/v1/memory/items", query, wanted))

    def _pages(self, path: str, query: Mapping[str, Any], wanted: int | None = None) -> Steps[list[dict[str, Any]]]:
        found: list[dict[str, Any]] = []
        asked: dict[str, Any] = {**self.project, **query, "limit": min(wanted or _MAX_RESULTS, _MAX_RESULTS)}
        while True:
            page = yield Call("GET", path, query=asked)
            found += page["data"]
            if page["next_cursor"] is None or (wanted is not None and len(found) >= wanted):
                return found
            asked["cursor"] = page["next_cursor"]


def _refused(status: int, code: str, detail: str) -> RecollectError:
    return class_of(status)(detail, code=code, status=status)


def _name_of(op: GetOp | PutOp) -> Name:
    return name_of(op.namespace).namespace, custom_id_of(op.key)


def _reads_of(names: Iterable[Name]) -> Iterator[tuple[list[str], list[str]]]:
    """Namespaces and ids of each read."""
    namespaces: list[str] = []
    custom_ids: list[str] = []
    for namespace, custom_id in dict.fromkeys(names):
        more = [*dict.fromkeys([*namespaces, namespace])], [*dict.fromkeys([*custom_ids, custom_id])]
        characters = len(quote(json.dumps(more)))
        fits = len(more[0]) <= _READ_NAMESPACES and len(more[1]) <= _READ_IDS and characters <= _READ_CHARACTERS
        if namespaces and not fits:
            yield namespaces, custom_ids
            more = [namespace], [custom_id]
        namespaces, custom_ids = more
    if namespaces:
        yield namespaces, custom_ids


def _matches(condition: MatchCondition, path: Sequence[str]) -> bool:
    """Whether a path begins or ends as a condition says; `*` stands for any label."""
    wanted = condition.path
    part = path[: len(wanted)] if condition.match_type == "prefix" else path[-len(wanted) or len(path) :]
    return len(part) == len(wanted) and all(one in ("*", label) for one, label in zip(wanted, part, strict=True))


def _beginning_of(conditions: Iterable[MatchCondition]) -> tuple[str, ...]:
    """The labels that begin every path that meets the conditions."""
    wanted = next((condition.path for condition in conditions if condition.match_type == "prefix"), ())
    return wanted[: wanted.index("*")] if "*" in wanted else wanted
