import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { codeOf } from '../config/private-file.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { isUtf16, NotText, readText } from '../read-text.ts'
import { frontMatterOf } from './front-matter.ts'
import { unread, type Converted, type LeftOut } from './line.ts'

const ENDINGS = { text: ['.txt', '.text', '.log'], markdown: ['.md', '.markdown', '.mdx'] } as const
const TYPES = { text: 'text/plain', markdown: 'text/markdown' } as const
const LEFT_OUT = new Set(['node_modules'])

export type FolderFormat = keyof typeof ENDINGS

/**
 * The files of a folder and below it, or one file, each an item. The path is its id, so that a second import of a changed
 * folder updates its items. Hidden files and folders and symbolic links are left out.
 */
export async function* fromFolder(path: string, format: FolderFormat): AsyncGenerator<Converted> {
  const single = (await stat(path)).isFile()
  const folder = await markOf(single ? dirname(path) : path)
  const names = new Set<string>()
  for await (const file of single ? [path] : filesBelow(path, path, ENDINGS[format])) {
    if (typeof file !== 'string') {
      yield file
      continue
    }
    const name = single ? basename(file).normalize('NFC') : nameOf(path, file)
    if (names.has(name)) yield unread(name, 'another file has this name in another Unicode form')
    else yield await itemOf(name, file, format, folder)
    names.add(name)
  }
}

/** In the metadata of each item: the folder that it is from. The items of another folder are not taken for its own. */
export async function markOf(folder: string): Promise<string> {
  const hash = createHash('sha256').update(await realpath(folder))
  return `folder:${hash.digest('hex').slice(0, 16)}`
}

/** In the form NFC, as the service keeps it: a disk gives the same name in this form or in another. */
const nameOf = (root: string, file: string): string => relative(root, file).split(sep).join('/').normalize('NFC')

async function itemOf(from: string, file: string, format: FolderFormat, folder: string): Promise<Converted> {
  try {
    const bytes = await readFile(file)
    const text = readText(bytes)
    const front = format === 'markdown' ? frontMatterOf(text) : { text, fields: {}, metadata: {} }
    const body = front.text.trim()
    if (body === '') return unread(from, text.trim() === '' ? 'it is empty' : 'it has front matter and no text')
    const metadata = { ...front.metadata, path: from, imported_from: folder }
    return {
      from,
      id: from,
      note: 'note' in front ? front.note : isUtf16(bytes) ? 'it was read as UTF-16' : undefined,
      line: { content: { text: body, type: TYPES[format], metadata }, ...front.fields },
    }
  } catch (error) {
    return error instanceof NotText ? unread(from, error.message) : unreadable(from, error)
  }
}

/** What the system does not let this user read, or what is no longer there. Any other error is thrown. */
export function unreadable(from: string, error: unknown): LeftOut {
  const code = codeOf(error)
  if (code === undefined) throw error
  return unread(from, `it cannot be read (${code})`)
}

async function* filesBelow(root: string, folder: string, endings: readonly string[]): AsyncGenerator<string | LeftOut> {
  const entries = await entriesOf(root, folder)
  if (!Array.isArray(entries)) {
    yield entries
    return
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    const reason = reasonAgainst(entry, endings)
    if (reason !== null) yield { from: nameOf(root, path), reason, kind: 'outside' }
    else if (entry.isDirectory()) yield* filesBelow(root, path, endings)
    else yield path
  }
}

/** In the order of their names, so that two looks at one folder give the same. Fails where `root` itself cannot be read. */
export async function entriesOf(root: string, folder: string): Promise<Dirent[] | LeftOut> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    const leftOut = unreadable(`${nameOf(root, folder)}/`, error)
    if (folder !== root) return leftOut
    throw new Failure(EXIT.usage, `${root} cannot be read (${codeOf(error)}).`, { cause: error })
  }
}

/** Why an import does not take a file or a folder; null: it does. */
function reasonAgainst(entry: Dirent, endings: readonly string[]): string | null {
  if (entry.name.startsWith('.')) return 'hidden'
  if (entry.isSymbolicLink()) return 'symbolic link'
  if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? 'installed packages' : null
  if (!entry.isFile()) return 'not a regular file'
  return endings.some((ending) => entry.name.toLowerCase().endsWith(ending)) ? null : `not ${endings.join(', ')}`
}
