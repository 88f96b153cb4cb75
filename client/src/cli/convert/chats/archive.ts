import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openPromise, type Entry } from 'yauzl'
import { EXIT } from '../../exit-codes.ts'
import { Failure } from '../../failure.ts'

/** `conversations.json`, or `conversations-000.json` and on. */
const CONVERSATIONS = /^conversations(-\d+)?\.json$/
/** A zip begins with its first file; an empty one with its end. */
const ZIP_MARKS = ['PK\u0003\u0004', 'PK\u0005\u0006']

/** A file of an export. */
export interface ArchiveFile {
  name: string
  /** null: it holds no conversations. */
  open: (() => Promise<AsyncIterable<Uint8Array>>) | null
}

/**
 * The files of an export in the order of their names: those of a zip, of a folder that a zip was unpacked to, or one JSON
 * file. Nothing is unpacked to the disk.
 */
export async function* filesOf(path: string): AsyncGenerator<ArchiveFile> {
  if ((await stat(path)).isDirectory()) yield* filesOfFolder(path)
  else if (await isZip(path)) yield* filesOfZip(path)
  else yield { name: basename(path), open: async () => createReadStream(path) }
}

async function* filesOfFolder(path: string): AsyncGenerator<ArchiveFile> {
  const entries = await readdir(path, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  for (const name of files.sort()) {
    yield { name, open: CONVERSATIONS.test(name) ? async () => createReadStream(join(path, name)) : null }
  }
}

async function* filesOfZip(path: string): AsyncGenerator<ArchiveFile> {
  const zip = await reading(path, openPromise(path, { autoClose: false }))
  try {
    const entries: Entry[] = []
    for await (const entry of eachOf(path, zip.eachEntry())) if (!entry.fileName.endsWith('/')) entries.push(entry)
    entries.sort((a, b) => (a.fileName < b.fileName ? -1 : 1))
    for (const entry of entries) {
      const { fileName: name } = entry
      const isTaken = CONVERSATIONS.test(basename(name))
      yield {
        name,
        open: isTaken ? async () => eachOf(path, await reading(path, zip.openReadStreamPromise(entry))) : null,
      }
    }
  } finally {
    zip.close()
  }
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4)
    return ZIP_MARKS.includes(buffer.toString('latin1', 0, bytesRead))
  } finally {
    await file.close()
  }
}

/** What the zip is at fault for is a failure of the command. */
async function reading<T>(path: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function* eachOf<T>(path: string, each: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = each[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await reading(path, iterator.next())
      if (done === true) return
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}

const unreadable = (path: string, cause: unknown): Failure =>
  new Failure(EXIT.invalid, `${path} is a zip that cannot be read: ${String(cause)}.`, {
    hint: 'Download the export again if the file is incomplete.',
    cause,
  })
