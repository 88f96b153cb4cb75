"""LangGraph's filters as conditions of a search of the service."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

_NAME = re.compile(r'[^".\\\x00-\x1f\x7f-\x9f]{1,128}')
_COMPARISONS = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}


def filters_of(given: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Conditions on `metadata.value`: a value, or `$eq $ne $gt $gte $lt $lte $in $nin`.

    Raises a TypeError for what the service cannot compare: objects, lists, and names with a full stop or a quote.
    """
    return [condition for name, wanted in (given or {}).items() for condition in _conditions(name, wanted)]


def _conditions(name: str, wanted: Any) -> list[dict[str, Any]]:
    if not _NAME.fullmatch(name):
        raise TypeError(f'A filter cannot name "{name}".')
    path = f"metadata.value.{name}"
    if _is_plain(wanted):
        return [{path: wanted}]
    if not isinstance(wanted, Mapping):
        raise _unusable(name, wanted)
    operands = cast("Mapping[str, Any]", wanted)
    return [_condition(path, operator, operand) for operator, operand in operands.items()]


def _condition(path: str, operator: str, operand: Any) -> dict[str, Any]:
    if operator in _COMPARISONS and isinstance(operand, str | int | float) and not isinstance(operand, bool):
        return {path: {_COMPARISONS[operator]: operand}}
    if operator == "$eq" and _is_plain(operand):
        return {path: operand}
    if operator == "$ne" and _is_plain(operand):
        return {"NOT": {path: operand}}
    if operator == "$in" and _is_plain_list(operand):
        return {path: {"in": operand}}
    if operator == "$nin" and _is_plain_list(operand):
        return {"NOT": {path: {"in": operand}}}
    raise _unusable(operator, operand)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


def _is_plain_list(value: Any) -> bool:
    return isinstance(value, list) and value != [] and all(map(_is_plain, cast("list[Any]", value)))


def _unusable(name: str, value: Any) -> TypeError:
    return TypeError(f"A filter cannot compare {name} with {value!r}.")
