import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError'
import { grouped } from '../grouped.ts'

/** The texts that models know from the SDK's own tool, which keeps files on a disk. */

const LINE_NUMBER_WIDTH = 6
const SHOWN_DEPTH = 2
/** Lines that a snippet shows before and after the first line that changed. */
const CONTEXT_LINES = 2
const UNITS = ['B', 'K', 'M', 'G']

export interface SizedFile {
  /** Below `/memories/`. */
  id: string
  bytes: number
}

/** What `view` answers for a folder, of which `files` are all that are in it, however deep. */
export function folderText(path: string, id: string, files: readonly SizedFile[]): string {
  const prefix = id === '' ? '' : `${id}/`
  const header = `Here're the files and directories up to ${SHOWN_DEPTH} levels deep in ${path}, excluding hidden items and node_modules:`
  const lines = linesBelow(files, prefix, 1).map(({ size, below }) => `${size}\t${path}/${below.slice(prefix.length)}`)
  return [header, `${sizeOf(files)}\t${path}`, ...lines].join('\n')
}

function linesBelow(files: readonly SizedFile[], prefix: string, depth: number): { size: string; below: string }[] {
  const byName = grouped(files, ({ id }) => id.slice(prefix.length).split('/', 1)[0] ?? '')
  return [...byName.keys()].sort().flatMap((name) => {
    if (name.startsWith('.') || name === 'node_modules') return []
    const below = prefix + name
    const all = byName.get(name) ?? []
    const inside = all.filter(({ id }) => id !== below)
    if (inside.length === 0) return [{ size: sizeOf(all), below }]
    const folder = { size: sizeOf(inside), below: `${below}/` }
    return depth < SHOWN_DEPTH ? [folder, ...linesBelow(inside, folder.below, depth + 1)] : [folder]
  })
}

function sizeOf(files: readonly SizedFile[]): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes === 0) return '0B'
  const unit = Math.min(Math.floor(Math.log(bytes) / Math.log(1_024)), UNITS.length - 1)
  const size = bytes / 1_024 ** unit
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${UNITS[unit]}`
}

/** What `view` answers for a file. The last line of a range is -1 for the last of the file. */
export function fileText(path: string, text: string, range: readonly number[] | null | undefined): string {
  const lines = text.split('\n')
  const [from = 1, to = -1] = range?.length === 2 ? range : []
  const first = Math.max(1, from)
  const shown = lines.slice(first - 1, to === -1 ? lines.length : to)
  return `Here's the content of ${path} with line numbers:\n${numbered(shown, first)}`
}

const numbered = (lines: readonly string[], first: number): string =>
  lines.map((line, index) => `${String(first + index).padStart(LINE_NUMBER_WIDTH)}\t${line}`).join('\n')

export interface Edit {
  text: string
  answer: string
}

/** `old_str` may span lines, and stands once in the text. */
export function replaced(path: string, text: string, { old_str, new_str }: { old_str: string; new_str: string }): Edit {
  if (old_str === '') throw new ToolError('No replacement was performed, because old_str is empty.')
  const place = text.indexOf(old_str)
  if (place === -1)
    throw new ToolError(`No replacement was performed, old_str \`${old_str}\` did not appear verbatim in ${path}.`)
  const lines = linesOf(text, old_str)
  if (text.includes(old_str, place + 1))
    throw new ToolError(
      `No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${lines.join(', ')}. Please ensure it is unique`,
    )
  const edited = text.slice(0, place) + new_str + text.slice(place + old_str.length)
  const changed = (lines[0] ?? 1) - 1
  const first = Math.max(0, changed - CONTEXT_LINES)
  const snippet = edited.split('\n').slice(first, changed + CONTEXT_LINES + 1)
  return {
    text: edited,
    answer: `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${numbered(snippet, first + 1)}`,
  }
}

/** The lines in which a part begins, each once. */
function linesOf(text: string, part: string): number[] {
  const lines = new Set<number>()
  let line = 1
  let from = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    for (let end = text.indexOf('\n', from); end !== -1 && end < at; end = text.indexOf('\n', from)) {
      line++
      from = end + 1
    }
    lines.add(line)
  }
  return [...lines]
}

/** Line 0 is the place before the first one. */
export function inserted(path: string, text: string, { insert_line: line, insert_text }: InsertInput): Edit {
  const lines = text.split('\n')
  if (line < 0 || line > lines.length)
    throw new ToolError(
      `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    )
  lines.splice(line, 0, insert_text.replace(/\n$/, ''))
  return { text: lines.join('\n'), answer: `The file ${path} has been edited.` }
}

interface InsertInput {
  insert_line: number
  insert_text: string
}
