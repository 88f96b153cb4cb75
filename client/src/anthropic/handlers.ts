import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError'
import type { Recollect } from '../index.ts'
import { requireIds } from '../require-ids.ts'
import { Files, requireFewFiles, type File } from './files.ts'
import { customIdOf, foldersOf, requireFitting, requireShort } from './path.ts'
import { fileText, folderText, inserted, replaced, type Edit } from './texts.ts'

export interface MemoryHandlersOptions {
  recollect: Recollect
  /** Where the files are, as items; the model cannot leave it. Each user or agent has a namespace of its own. */
  context?: { project_id?: string; namespace?: string }
  /** Tags of the files that the model makes. */
  tags?: string[]
}

/**
 * What `betaMemoryTool` of the Anthropic SDK takes. A file is an item, and its path below `/memories/` is the `custom_id`, so
 * that searches find it, and its earlier texts stay. An empty id in `context` is a TypeError.
 */
export function memoryHandlers({ recollect, context = {}, tags = [] }: MemoryHandlersOptions): MemoryToolHandlers {
  requireIds(context)
  const files = new Files({ recollect, context, tags })

  async function edit(path: string, change: (text: string) => Edit): Promise<string> {
    const id = customIdOf(path)
    const answer = await files.edit(path, id, change)
    if (answer !== null) return answer
    if (id === '' || inFolder(await files.all(), id).length > 0) throw new ToolError(`The path ${path} is not a file.`)
    throw absent(path)
  }

  return {
    view: async ({ path, view_range }) => {
      const id = customIdOf(path)
      const file = await files.find(id)
      if (file) return fileText(path, file.content.text, view_range)
      const inside = inFolder(await files.all(), id)
      if (inside.length === 0 && id !== '') throw absent(path)
      return folderText(path, id, inside.map(sized))
    },

    create: async ({ path, file_text }) => {
      const id = customIdOf(path)
      requirePlace(path, id, await files.all())
      requireFitting(path, file_text)
      await files.create(path, id, file_text)
      return `File created successfully at: ${path}`
    },

    str_replace: ({ path, ...command }) => edit(path, (text) => replaced(path, text, command)),

    insert: ({ path, ...command }) => edit(path, (text) => inserted(path, text, command)),

    delete: async ({ path }) => {
      const id = customIdOf(path)
      if (id === '') throw new ToolError('Cannot delete the /memories directory itself')
      const found = at(await files.all(), id)
      if (found.length === 0) throw new ToolError(`The path ${path} does not exist`)
      requireFewFiles(path, found)
      await files.delete(path, found)
      return `Successfully deleted ${path}`
    },

    rename: async ({ old_path, new_path }) => {
      const [from, to] = [customIdOf(old_path), customIdOf(new_path)]
      if (from === '') throw new ToolError('Cannot rename the /memories directory itself')
      const all = await files.all()
      if (to === '' || at(all, to).length > 0) throw new ToolError(`The destination ${new_path} already exists`)
      const found = at(all, from)
      if (found.length === 0) throw new ToolError(`The path ${old_path} does not exist`)
      if (to.startsWith(`${from}/`)) throw new ToolError(`The path ${old_path} cannot be moved into itself`)
      requireParents(new_path, to, all)
      requireFewFiles(old_path, found)
      const moves = found.map((file) => ({ file, to: to + file.id.slice(from.length) }))
      for (const move of moves) requireShort(move.to)
      await files.move(new_path, moves)
      return `Successfully renamed ${old_path} to ${new_path}`
    },
  }
}

const inFolder = (all: readonly File[], id: string): File[] =>
  id === '' ? [...all] : all.filter((file) => file.id.startsWith(`${id}/`))

/** The file of a path, or those of the folder. */
function at(all: readonly File[], id: string): File[] {
  const file = all.find((one) => one.id === id)
  return file ? [file] : inFolder(all, id)
}

function requirePlace(path: string, id: string, all: readonly File[]): void {
  if (id === '' || at(all, id).length > 0) throw new ToolError(`File ${path} already exists`)
  requireParents(path, id, all)
}

function requireParents(path: string, id: string, all: readonly File[]): void {
  const folders = new Set(foldersOf(id))
  const file = all.find((one) => folders.has(one.id))
  if (file) throw new ToolError(`The path ${path} is not possible, because /memories/${file.id} is a file.`)
}

const absent = (path: string): ToolError =>
  new ToolError(`The path ${path} does not exist. Please provide a valid path.`)

const sized = ({ id, item }: File) => ({ id, bytes: new TextEncoder().encode(item.content.text).length })
