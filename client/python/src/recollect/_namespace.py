from __future__ import annotations

import base64
import hashlib
import re

_MAX_CHARACTERS = 128
"""Of a namespace (contract §3)."""
_CUT = "=h"
"""Stands before the hash of a name that was cut. It is no escape, because `h` is no hexadecimal digit."""
_HASH_CHARACTERS = 22
"""Of the SHA-256 in base64url: 132 bits."""
KEPT_CHARACTERS = _MAX_CHARACTERS - len(_CUT) - _HASH_CHARACTERS
"""A name that is cut keeps this many characters, or fewer where an escape would be split."""


def namespace_of(*levels: str) -> str:
    """The namespace of an id, such as that of a user: `namespace_of("user", id)`.

    Levels are joined by `:`. Different ids have different namespaces as the last level: in a level before it, an id
    with a `:` can share the namespace of another. Characters outside `A-Z a-z 0-9 . _ : - @ | + /` are escaped as
    `=XX`, a byte of UTF-8 each, and a name that is too long is hashed.
    Raises a TypeError for an empty id, because all users without one would share a memory.
    """
    if not levels or not all(levels):
        raise TypeError("The id of a namespace must be a string with at least one character.")
    return fitted(":".join(map(escape_id, levels)))


def escape_id(level: str) -> str:
    return re.sub(r"[^A-Za-z0-9._:@|+/-]", _escape, level)


def escape_label(label: str) -> str:
    """As one of several that a `:` joins."""
    return escape_id(label).replace(":", "=3A")


def fitted(name: str) -> str:
    """An escaped name that is too long keeps its beginning, and ends with a hash of the whole name."""
    if len(name) <= _MAX_CHARACTERS:
        return name
    return re.sub(r"=[0-9A-F]?$", "", name[:KEPT_CHARACTERS]) + _CUT + hash_of(name)


def hash_of(name: str) -> str:
    digest = hashlib.sha256(name.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode()[:_HASH_CHARACTERS]


def _escape(match: re.Match[str]) -> str:
    """Raises a UnicodeEncodeError, which is a ValueError, for a lone surrogate."""
    return "".join(f"={byte:02X}" for byte in match[0].encode())
