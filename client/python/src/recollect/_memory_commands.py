"""The commands of the memory tool, without the network that their calls go over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from anthropic.lib.tools import ToolError
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from ._memory_files import Edit, Files, Item, require_few
from ._memory_paths import custom_id_of, folders_of, require_fitting, require_short
from ._memory_texts import file_text, folder_text, inserted, replaced
from ._steps import Steps


@dataclass(frozen=True, slots=True)
class Commands:
    files: Files

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> Steps[str]:
        custom_id = custom_id_of(command.path)
        item = yield from self.files.find(custom_id)
        if item is not None:
            return file_text(command.path, item["content"]["text"], command.view_range)
        inside = _in_folder((yield from self.files.all()), custom_id)
        if not inside and custom_id:
            raise _absent(command.path)
        sizes = {name: len(file["content"]["text"].encode()) for name, file in inside.items()}
        return folder_text(command.path, custom_id, sizes)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> Steps[str]:
        custom_id = custom_id_of(command.path)
        files = yield from self.files.all()
        if not custom_id or _at(files, custom_id):
            raise ToolError(f"File {command.path} already exists")
        _require_parents(command.path, custom_id, files)
        require_fitting(command.path, command.file_text)
        yield from self.files.create(command.path, custom_id, command.file_text)
        return f"File created successfully at: {command.path}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> Steps[str]:
        return self._edit(
            command.path, lambda text: replaced(command.path, text, command.old_str, command.new_str)
        )

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> Steps[str]:
        return self._edit(
            command.path, lambda text: inserted(command.path, text, command.insert_line, command.insert_text)
        )

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> Steps[str]:
        custom_id = custom_id_of(command.path)
        if not custom_id:
            raise ToolError("Cannot delete the /memories directory itself")
        found = _at((yield from self.files.all()), custom_id)
        if not found:
            raise ToolError(f"The path {command.path} does not exist")
        require_few(command.path, found)
        yield from self.files.delete(command.path, list(found.values()))
        return f"Successfully deleted {command.path}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> Steps[str]:
        old, new = custom_id_of(command.old_path), custom_id_of(command.new_path)
        if not old:
            raise ToolError("Cannot rename the /memories directory itself")
        files = yield from self.files.all()
        if not new or _at(files, new):
            raise ToolError(f"The destination {command.new_path} already exists")
        found = _at(files, old)
        if not found:
            raise ToolError(f"The path {command.old_path} does not exist")
        if new.startswith(f"{old}/"):
            raise ToolError(f"The path {command.old_path} cannot be moved into itself")
        _require_parents(command.new_path, new, files)
        require_few(command.old_path, found)
        moves = [(item, new + name[len(old) :]) for name, item in found.items()]
        for _, to in moves:
            require_short(to)
        yield from self.files.move(command.new_path, moves)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def _edit(self, path: str, change: Edit) -> Steps[str]:
        custom_id = custom_id_of(path)
        answer = yield from self.files.edit(path, custom_id, change)
        if answer is not None:
            return answer
        if not custom_id or _in_folder((yield from self.files.all()), custom_id):
            raise ToolError(f"The path {path} is not a file.")
        raise _absent(path)


def _in_folder(files: Mapping[str, Item], custom_id: str) -> dict[str, Item]:
    prefix = f"{custom_id}/" if custom_id else ""
    return {name: item for name, item in files.items() if name.startswith(prefix)}


def _at(files: Mapping[str, Item], custom_id: str) -> dict[str, Item]:
    """The file of a path, or those of the folder."""
    item = files.get(custom_id)
    return _in_folder(files, custom_id) if item is None else {custom_id: item}


def _require_parents(path: str, custom_id: str, files: Mapping[str, Item]) -> None:
    for folder in folders_of(custom_id) & files.keys():
        raise ToolError(f"The path {path} is not possible, because /memories/{folder} is a file.")


def _absent(path: str) -> ToolError:
    return ToolError(f"The path {path} does not exist. Please provide a valid path.")
