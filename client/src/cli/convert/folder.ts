import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { frontMatterOf } from './front-matter.ts'
import { boundedId, type Converted, type ImportLine } from './line.ts'
import { split } from './split.ts'

const ENDINGS = { text: ['.txt', '.text', '.log'], markdown: ['.md', '.markdown', '.mdx'] } as const
const TYPES = { text: 'text/plain', markdown: 'text/markdown' } as const
const LEFT_OUT = new Set(['node_modules'])

export type FolderFormat = keyof typeof ENDINGS

/**
 * The files of a folder and below it, or one file, each an item; a longer one than an item may be becomes several. The
 * path is the `custom_id`, so that a second import of a changed folder updates its items. Hidden files and folders and
 * symbolic links are left out.
 */
export async function* fromFolder(
  path: string,
  format: FolderFormat,
  numbersAsText: boolean,
): AsyncGenerator<Converted> {
  const single = (await stat(path)).isFile()
  for await (const file of single ? [path] : filesBelow(path, ENDINGS[format])) {
    const name = single ? basename(file) : relative(path, file).split(sep).join('/')
    const text = readText(await readFile(file))
    if (text === null) yield { from: name, skipped: 'it is not UTF-8 text' }
    else yield* itemsOf(name, text, { format, numbersAsText })
  }
}

function* itemsOf(
  name: string,
  text: string,
  { format, numbersAsText }: { format: FolderFormat; numbersAsText: boolean },
): Generator<Converted> {
  const front = format === 'markdown' ? frontMatterOf(text, name, numbersAsText) : { text, fields: {}, metadata: {} }
  const pieces = split(front.text)
  if (pieces.length === 0) yield { from: name, skipped: 'it is empty' }
  for (const [n, piece] of pieces.entries()) {
    const part = pieces.length === 1 ? {} : { part: n + 1, parts: pieces.length }
    const line: ImportLine = {
      content: { text: piece, type: TYPES[format], metadata: { ...front.metadata, path: name, ...part } },
      custom_id: boundedId(pieces.length === 1 ? name : `${name}#${n + 1}`),
      ...front.fields,
    }
    yield { from: name, line: JSON.stringify(line) }
  }
}

/** In the order of their names, so that two looks at one folder give the same. */
async function* filesBelow(folder: string, endings: readonly string[]): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name.startsWith('.') || LEFT_OUT.has(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path, endings)
    else if (entry.isFile() && endings.some((ending) => entry.name.toLowerCase().endsWith(ending))) yield path
  }
}

function readText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
