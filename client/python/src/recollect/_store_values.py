"""How an item holds a value: what metadata cannot hold stands at the beginning of the text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

Value: TypeAlias = dict[str, Any]
Part: TypeAlias = tuple[str | None, int]
"""Some fields in the text of an item: one string as it is, or several fields as one JSON object; and its UTF-16 length."""

_MAX_METADATA_BYTES = 16 * 1024
"""Of metadata as JSON (contract §3)."""
_MAX_KEPT_BYTES = 12 * 1024
"""Of the kept fields where others are moved, because the parts are named in metadata too."""
_MAX_FIELD_LEVELS = 6
"""Metadata has eight levels (contract §3), of which two are above a field."""
_MAX_STRINGS = 8
_MIN_STRING_LENGTH = 256
_MAX_NAME_LENGTH = 256
"""The longest strings stand in the text as they are: this many, of at least this length, with names of at most this."""
_UNSTORABLE = re.compile(r'\\u0000|\\ud[89a-f]|\d{16}|"__proto__":', re.IGNORECASE)
"""What metadata cannot hold: NUL, lone surrogates, numbers that JSON may not carry, a reserved name."""
_SURROGATE = re.compile("[\ud800-\udfff]")
NOT_IN_TEXTS = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class DividedValue:
    kept: Value
    """The fields that filters can read."""
    parts: Sequence[Part]
    text: str


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    value: Any
    json: str

    @property
    def size(self) -> int:
        return len(self.json.encode())

    def is_storable(self) -> bool:
        return not _UNSTORABLE.search(self.json) and _levels_of(self.value) <= _MAX_FIELD_LEVELS

    def is_text(self) -> bool:
        return (
            isinstance(self.value, str)
            and len(self.value) >= _MIN_STRING_LENGTH
            and len(self.name) <= _MAX_NAME_LENGTH
            and not NOT_IN_TEXTS.search(self.name + self.value)
        )


def divided(value: Mapping[str, Any], reserved: Mapping[str, Any]) -> DividedValue:
    """Divides a value between metadata, which holds `reserved` too, and text.

    Raises a TypeError or ValueError for what JSON cannot hold.
    """
    plain: Value = json.loads(to_json(value))
    fields = [_Field(name, field, to_json({name: field})) for name, field in plain.items()]
    fields.sort(key=lambda field: len(field.json))
    reserved_bytes = len(to_json(reserved).encode())
    storable = [field for field in fields if field.is_storable()]
    if len(_fitting(storable, _MAX_METADATA_BYTES - reserved_bytes)) == len(fields):
        return DividedValue(plain, [], "")
    kept = _fitting(storable, _MAX_KEPT_BYTES - reserved_bytes)
    kept_names = {field.name for field in kept}
    moved = [field for field in fields if field.name not in kept_names]
    strings = [field for field in moved if field.is_text()][-_MAX_STRINGS:]
    others = {field.name: field.value for field in moved if field not in strings}
    texts: list[tuple[str | None, str]] = [(field.name, field.value) for field in strings]
    if others:
        texts.append((None, to_json(others)))
    return DividedValue(
        {field.name: field.value for field in kept},
        [(name, len(_utf16(text)) // 2) for name, text in texts],
        "\n".join(text for _, text in texts),
    )


def united(kept: Mapping[str, Any], parts: Sequence[Part], text: str) -> Value:
    """The value that was divided."""
    value = dict(kept)
    units = _utf16(text)
    at = 0
    for name, length in parts:
        part = units[2 * at : 2 * (at + length)].decode("utf-16-le")
        at += length + 1
        value |= json.loads(part) if name is None else {name: part}
    return value


def to_json(value: Any) -> str:
    """Like that of JavaScript, which escapes no character but lone surrogates."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def leaves_of(value: Any) -> list[str]:
    """All that a value says, without the names of its fields: they would be found in every item."""
    if value is None:
        return []
    if isinstance(value, Mapping | list):
        return [leaf for inner in _inner_of(value) for leaf in leaves_of(inner)]
    return [value if isinstance(value, str) else to_json(value)]


def _fitting(fields: Sequence[_Field], most: int) -> list[_Field]:
    fitting: list[_Field] = []
    for field in fields:
        most -= field.size
        if most >= 0:
            fitting.append(field)
    return fitting


def _levels_of(value: Any) -> int:
    if isinstance(value, Mapping | list):
        return 1 + max(map(_levels_of, _inner_of(value)), default=0)
    return 0


def _inner_of(value: Any) -> list[Any]:
    return list(cast("Mapping[str, Any]", value).values()) if isinstance(value, Mapping) else value


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-le")
