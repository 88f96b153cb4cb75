"""The texts that models know from the SDK's own memory tool, which keeps files on a disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from anthropic.lib.tools import ToolError

_LINE_NUMBER_WIDTH = 6
_SHOWN_DEPTH = 2
_CONTEXT_LINES = 2
"""What a snippet shows before and after the first line that changed."""
_UNITS = "BKMG"


def folder_text(path: str, custom_id: str, sizes: Mapping[str, int]) -> str:
    """What `view` answers for a folder. `sizes` has the bytes of all files that are in it, however deep."""
    prefix = f"{custom_id}/" if custom_id else ""
    lines = [
        f"Here're the files and directories up to {_SHOWN_DEPTH} levels deep in {path}, excluding hidden items:",
        f"{_size_of(sizes.values())}\t{path}",
        *(f"{size}\t{path}/{below[len(prefix) :]}" for size, below in _below(sizes, prefix, 1)),
    ]
    return "\n".join(lines)


def _below(sizes: Mapping[str, int], prefix: str, depth: int) -> list[tuple[str, str]]:
    shown: list[tuple[str, str]] = []
    for name in sorted({custom_id[len(prefix) :].split("/", 1)[0] for custom_id in sizes}):
        if name.startswith("."):
            continue
        below = prefix + name
        inside = {custom_id: size for custom_id, size in sizes.items() if custom_id.startswith(f"{below}/")}
        if not inside:
            shown.append((_size_of([sizes[below]]), below))
            continue
        shown.append((_size_of(inside.values()), f"{below}/"))
        if depth < _SHOWN_DEPTH:
            shown += _below(inside, f"{below}/", depth + 1)
    return shown


def _size_of(sizes: Iterable[int]) -> str:
    total = sum(sizes)
    if total == 0:
        return "0B"
    unit = min((total.bit_length() - 1) // 10, len(_UNITS) - 1)
    size = total / 1024**unit
    return f"{int(size)}{_UNITS[unit]}" if size == int(size) else f"{size:.1f}{_UNITS[unit]}"


def file_text(path: str, text: str, view_range: Sequence[int] | None) -> str:
    """What `view` answers for a file. The last line of a range is -1 for the last of the file."""
    lines = text.split("\n")
    start, end = view_range if view_range and len(view_range) == 2 else (1, -1)
    first = max(1, start)
    shown = lines[first - 1 : len(lines) if end == -1 else end]
    return f"Here's the content of {path} with line numbers:\n{_numbered(shown, first)}"


def _numbered(lines: Iterable[str], first: int) -> str:
    return "\n".join(f"{number:>{_LINE_NUMBER_WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def replaced(path: str, text: str, old: str, new: str) -> tuple[str, str]:
    """The text with a part replaced that is there once, and the answer."""
    if old == "":
        raise ToolError("No replacement was performed, because old_str is empty.")
    count = text.count(old)
    if count == 0:
        raise ToolError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    if count > 1:
        lines = ", ".join(str(text.count("\n", 0, place) + 1) for place in _places(text, old))
        raise ToolError(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
            "Please ensure it is unique"
        )
    edited = text.replace(old, new)
    changed = text.count("\n", 0, text.find(old))
    first = max(0, changed - _CONTEXT_LINES)
    snippet = edited.split("\n")[first : changed + _CONTEXT_LINES + 1]
    header = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
    return edited, f"{header}\n{_numbered(snippet, first + 1)}"


def _places(text: str, part: str) -> Iterable[int]:
    place = text.find(part)
    while place != -1:
        yield place
        place = text.find(part, place + 1)


def inserted(path: str, text: str, line: int, new: str) -> tuple[str, str]:
    """The text with lines inserted after a line, 0 for before the first one, and the answer."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not 0 <= line <= len(lines):
        raise ToolError(
            f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}]."
        )
    lines.insert(line, new.rstrip("\n"))
    edited = "\n".join(lines)
    return edited if edited.endswith("\n") else f"{edited}\n", f"The file {path} has been edited."
