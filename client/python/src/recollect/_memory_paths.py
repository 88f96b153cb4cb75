"""Paths of the files of a memory tool, which are the `custom_id`s of items."""

from __future__ import annotations

import unicodedata

from anthropic.lib.tools import ToolError

_ROOT = "/memories"
_MAX_PATH_CHARACTERS = 128
"""Of a `custom_id` (contract §3)."""
_MAX_FILE_CHARACTERS = 65_536


def custom_id_of(path: str) -> str:
    """The path of a file below `/memories/`; empty for `/memories` itself."""
    if path != _ROOT and not path.startswith(f"{_ROOT}/"):
        raise ToolError(f"Path must start with /memories, got: {path}")
    names = [name for name in path[len(_ROOT) :].split("/") if name not in ("", ".")]
    if ".." in names:
        raise ToolError(f"Path {path} would escape /memories directory")
    custom_id = unicodedata.normalize("NFC", "/".join(names))
    require_short(custom_id)
    return custom_id


def is_path(custom_id: str) -> bool:
    """Items of other programs may have a `custom_id` that no path leads to."""
    return not {"", ".", ".."} & set(custom_id.split("/"))


def require_short(custom_id: str) -> None:
    if len(custom_id) > _MAX_PATH_CHARACTERS:
        raise ToolError(
            f"The path {_ROOT}/{custom_id} has {len(custom_id)} characters below {_ROOT}/. "
            f"At most {_MAX_PATH_CHARACTERS} are possible."
        )


def require_fitting(path: str, text: str) -> None:
    if text == "":
        raise ToolError(f"The file {path} cannot be empty. Delete it, or give it a text.")
    if len(text) > _MAX_FILE_CHARACTERS:
        raise ToolError(
            f"The file {path} would have {len(text)} characters. "
            f"At most {_MAX_FILE_CHARACTERS} are possible: divide it."
        )


def folders_of(custom_id: str) -> set[str]:
    """The paths of the folders that a file is in."""
    names = custom_id.split("/")
    return {"/".join(names[:depth]) for depth in range(1, len(names))}
