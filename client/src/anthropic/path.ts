import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError'
import { MAX_ITEM_CHARACTERS } from '../storable.ts'

const ROOT = '/memories'
/** Characters of a `custom_id` (contract §3). */
const MAX_PATH_CHARACTERS = 128

/** The `custom_id` of a file, which is its path below `/memories/`; empty for `/memories` itself. */
export function customIdOf(path: string): string {
  if (path !== ROOT && !path.startsWith(`${ROOT}/`)) throw new ToolError(`Path must start with /memories, got: ${path}`)
  const names = path
    .slice(ROOT.length)
    .split('/')
    .filter((name) => name !== '' && name !== '.')
  if (names.includes('..')) throw new ToolError(`Path ${path} would escape /memories directory`)
  const id = names.join('/').normalize('NFC')
  requireShort(id)
  return id
}

/** Items of other programs may have a `custom_id` that no path leads to. */
export const isPath = (customId: string): boolean =>
  customId.split('/').every((name) => name !== '' && name !== '.' && name !== '..')

export function requireShort(customId: string): void {
  const characters = Array.from(customId).length
  if (characters > MAX_PATH_CHARACTERS)
    throw new ToolError(
      `The path /memories/${customId} has ${characters} characters below /memories/. At most ${MAX_PATH_CHARACTERS} are possible.`,
    )
}

export function requireFitting(path: string, text: string): void {
  if (text === '') throw new ToolError(`The file ${path} cannot be empty. Delete it, or give it a text.`)
  const characters = Array.from(text).length
  if (characters > MAX_ITEM_CHARACTERS)
    throw new ToolError(
      `The file ${path} would have ${characters} characters. At most ${MAX_ITEM_CHARACTERS} are possible: divide it.`,
    )
}

/** The paths of the folders that a file is in. */
export const foldersOf = (customId: string): string[] =>
  customId
    .split('/')
    .slice(0, -1)
    .map((_, depth, names) => names.slice(0, depth + 1).join('/'))
