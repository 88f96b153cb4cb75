"""Paths and keys of a LangGraph store as namespaces and `custom_id`s, the same as those of the TypeScript store."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from ._namespace import KEPT_CHARACTERS, escape_label, fitted, hash_of

_MAX_KEPT = KEPT_CHARACTERS - 1
"""Labels that together have at most this many characters stand in every name below them; a `:` stands behind them."""
_MAX_CUSTOM_ID = 128
"""Of a `custom_id` (contract §3)."""
_HASHED_KEY = ".h"
_HASHED_NAME = re.compile(r"=h[\w-]{22}$", re.ASCII)
_LABEL = re.compile(r"(?:=[0-9A-F]{2}|[\w@|+/-])+", re.ASCII)


@dataclass(frozen=True, slots=True)
class NamespaceName:
    """The name of a namespace, and what an item in it has to say of its path."""

    namespace: str
    hashes: Mapping[str, str]
    """Of each beginning of the path that is too long to stand in every name below it, by its number of labels."""
    is_hashed: bool
    """The name does not tell the path."""


@dataclass(frozen=True, slots=True)
class PathReach:
    """The prefix and the hash that find the items of a path and of all paths below it."""

    prefix: str | None
    """None: all namespaces."""
    hash: tuple[int, str] | None
    """Number of labels and hash, which the items must have; None: the prefix tells all."""


def name_of(path: Sequence[str]) -> NamespaceName:
    labels = _escaped(path)
    kept = _kept_of(labels)
    whole = ":".join(labels)
    name = fitted(whole)
    hashes = {f"d{length}": _hash_of(labels, length) for length in range(len(kept) + 1, len(labels) + 1)}
    return NamespaceName(name, hashes, name != whole)


def reach_of(path: Sequence[str]) -> PathReach:
    labels = _escaped(path)
    kept = _kept_of(labels)
    prefix = ":".join(kept) or None
    if len(kept) == len(labels):
        return PathReach(prefix, None)
    return PathReach(prefix, (len(labels), _hash_of(labels, len(labels))))


def path_of(name: str) -> tuple[str, ...] | None:
    """The path of a name; None: it is hashed, or none of a store."""
    labels = name.split(":")
    if not all(map(_LABEL.fullmatch, labels)):
        return None
    path = tuple(unquote_to_bytes(label.replace("=", "%")).decode(errors="replace") for label in labels)
    return path if _escaped(path) == labels else None


def is_hashed(name: str) -> bool:
    return _HASHED_NAME.search(name) is not None


def custom_id_of(given: str) -> str:
    """A key as `custom_id`: the key itself where it fits, in the form NFC, as the service keeps it."""
    key = unicodedata.normalize("NFC", given)
    if key and len(key) <= _MAX_CUSTOM_ID and not key.startswith(_HASHED_KEY):
        return key
    return _HASHED_KEY + hashlib.sha256(key.encode()).hexdigest()[:32]


def _escaped(path: Sequence[str]) -> list[str]:
    """LangGraph refuses a label with a full stop. In Python it takes one with `:`, which parts labels here."""
    return list(map(escape_label, path))


def _kept_of(labels: Sequence[str]) -> list[str]:
    kept: list[str] = []
    length = -1
    for label in labels:
        length += len(label) + 1
        if length <= _MAX_KEPT:
            kept.append(label)
    return kept


def _hash_of(labels: Sequence[str], length: int) -> str:
    return hash_of(":".join(labels[:length]))
