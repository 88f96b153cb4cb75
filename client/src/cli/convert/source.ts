import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { codeOf } from '../config/private-file.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { readAll, type Io } from '../io.ts'
import { fromFolder } from './folder.ts'
import { integersAsTexts } from './integers.ts'
import type { Converted } from './line.ts'
import { fromMem0 } from './mem0.ts'
import { fromSupermemory } from './supermemory.ts'

export const FORMATS = ['jsonl', 'mem0', 'supermemory', 'text', 'markdown'] as const
export type Format = (typeof FORMATS)[number]

/** Something to import. It can be read again and gives the same, unless somebody changes it. */
export interface Source {
  /** A path, or `-` for standard input. */
  name: string
  records(): AsyncIterable<Converted>
}

export interface SourceOptions {
  format: Format
  /** Integers that a JSON number does not keep exactly become texts. */
  numbersAsText: boolean
}

/**
 * Opens a path, or standard input (`-`), which is kept in memory. Times count from `now`: an import that goes on gives the
 * instant at which it began, and so gets the same lines.
 */
export async function openSource(io: Io, name: string, options: SourceOptions, now: number): Promise<Source> {
  const { format, numbersAsText } = options
  if (name === '-') {
    if (format === 'text' || format === 'markdown') {
      throw new Failure(EXIT.usage, `--from ${format} reads a file or a folder, not standard input.`)
    }
    const text = await readAll(io.stdin)
    return { name, records: () => recordsOf(options, Readable.from([text]), async () => text, now) }
  }
  const isFolder = (await statOf(name)).isDirectory()
  if (format === 'text' || format === 'markdown')
    return { name, records: () => fromFolder(name, format, numbersAsText) }
  if (isFolder)
    throw new Failure(EXIT.usage, `${name} is a folder.`, { hint: 'Folders: --from text or --from markdown.' })
  return {
    name,
    records: () => recordsOf(options, createReadStream(name), () => readFile(name, 'utf8'), now),
  }
}

async function* recordsOf(
  { format, numbersAsText }: SourceOptions,
  stream: Readable,
  whole: () => Promise<string>,
  now: number,
): AsyncGenerator<Converted> {
  const sent = (json: string): string => (numbersAsText ? integersAsTexts(json) : json)
  if (format === 'jsonl') {
    let number = 0
    for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) {
      number += 1
      const line = text.trim()
      if (line !== '') yield { from: `line ${number}`, line: sent(line) }
    }
    return
  }
  stream.destroy()
  const text = sent(await whole())
  yield* format === 'mem0' ? fromMem0(text, now) : fromSupermemory(text, now)
}

async function statOf(name: string) {
  try {
    return await stat(name)
  } catch (error) {
    throw new Failure(EXIT.usage, codeOf(error) === 'ENOENT' ? `${name} does not exist.` : `${name} cannot be read.`, {
      cause: error,
    })
  }
}

/** The number of a source's lines, and a hash of all of them: the same source has the same hash. */
export async function measure(source: Source): Promise<{ lines: number; skipped: number; sha256: string }> {
  const hash = createHash('sha256')
  let lines = 0
  let skipped = 0
  for await (const record of source.records()) {
    if ('line' in record) {
      lines += 1
      hash.update(record.line).update('\n')
    } else skipped += 1
  }
  return { lines, skipped, sha256: hash.digest('hex') }
}
