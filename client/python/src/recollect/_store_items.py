"""Items as LangGraph has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, cast

from langgraph.store.base import PutOp, SearchItem, get_text_at_path

from ._store_names import NamespaceName, path_of
from ._store_values import NOT_IN_TEXTS, divided, leaves_of, united

OF_STORE: dict[str, Any] = {"metadata.langgraph.v": {"in": [1, 2]}}
"""The items of a store among others of the project."""
FOUND_BY_QUERY: dict[str, Any] = {"metadata.langgraph.v": 1}
_FOUND = 1
_HIDDEN = 2
"""No search with a query finds the item, though its text holds a part of the value."""
_NO_TEXT = "."
"""A text without a word: no search finds it."""
_MAX_ITEM_CHARACTERS = 65_536


def hash_field(labels: int) -> str:
    """The name of a hash in the reserved metadata."""
    return f"metadata.langgraph.d{labels}"


def store_of(
    put: PutOp,
    value: Mapping[str, Any],
    name: NamespaceName,
    custom_id: str,
    project: Mapping[str, str],
    fields: Sequence[str] | None,
) -> dict[str, Any]:
    """The body that stores a value. `fields` are those whose text is found, unless the operation names others."""
    own: dict[str, Any] = dict(name.hashes)
    if name.is_hashed:
        own["namespace"] = list(put.namespace)
    if custom_id != put.key:
        own["key"] = put.key
    found = fields if put.index is None else put.index
    split = divided(value, own)
    is_hidden = found is False and len(split.parts) > 0
    langgraph = {"v": _HIDDEN if is_hidden else _FOUND, **own}
    if split.parts:
        langgraph["parts"] = split.parts
    # A field that the text holds is not repeated in it.
    texts = [split.text, *_texts_of(split.kept, found)]
    # The service refuses a value that is too long. What is found of it may be cut.
    characters = max(_MAX_ITEM_CHARACTERS, len(split.text))
    text = NOT_IN_TEXTS.sub("\ufffd", "\n".join(filter(None, texts))[:characters])
    return {
        "content": {"text": text or _NO_TEXT, "metadata": {"value": split.kept, "langgraph": langgraph}},
        "context": {"namespace": name.namespace, **project},
        "custom_id": custom_id,
    }


def _texts_of(value: Mapping[str, Any], fields: Literal[False] | Sequence[str] | None) -> list[str]:
    if fields is False:
        return []
    if fields is None:
        return leaves_of(value)
    return [text for field in fields for text in get_text_at_path(value, field)]


def item_of(item: Mapping[str, Any], score: float | None = None) -> SearchItem | None:
    """An item as LangGraph has it; None: it is none of a store."""
    metadata: Mapping[str, Any] = item["content"]["metadata"]
    given = metadata.get("langgraph")
    reserved = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    if reserved.get("v") not in (_FOUND, _HIDDEN) or "value" not in metadata:
        return None
    namespace = reserved.get("namespace") or path_of(item["context"]["namespace"])
    key = reserved.get("key", item["custom_id"])
    if namespace is None or key is None:
        return None
    return SearchItem(
        namespace=tuple(namespace),
        key=key,
        value=united(metadata["value"], reserved.get("parts", []), item["content"]["text"]),
        created_at=datetime.fromisoformat(item["created_at"]),
        updated_at=datetime.fromisoformat(item["updated_at"]),
        score=score,
    )
