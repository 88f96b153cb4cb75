from __future__ import annotations

from typing import Any, cast


def holds(found: Any, sent: Any) -> bool:
    """Whether an item has the values that an update sent. What was not sent may have any value.

    Where the service stores a value in another form, such as a date with an offset, the answer is no.
    """
    if isinstance(sent, list):
        return _same_list(found, cast(list[Any], sent))
    if not isinstance(sent, dict):
        return found == sent or (isinstance(sent, str) and _text_of(found) == sent)
    values = cast(dict[str, Any], found) if isinstance(found, dict) else {}
    return all(holds(values.get(name), value) for name, value in cast(dict[str, Any], sent).items())


def _text_of(found: Any) -> Any:
    """`content` may be sent as its text."""
    return cast(dict[str, Any], found).get("text") if isinstance(found, dict) else None


def _same_list(found: Any, sent: list[Any]) -> bool:
    """In any order: tags are a set."""
    if not isinstance(found, list):
        return False
    values = cast(list[Any], found)
    return len(values) == len(sent) and all(any(holds(each, value) for each in values) for value in sent)
