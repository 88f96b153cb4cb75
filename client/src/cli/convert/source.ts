import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { codeOf } from '../config/private-file.ts'
import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import { readBytes, type Io } from '../io.ts'
import { isUtf16, NotText, readText } from '../read-text.ts'
import { fromChats, isChatApp, type ChatApp } from './chats/from-chats.ts'
import { fromFolder, markOf } from './folder.ts'
import { integersAsTexts } from './integers.ts'
import { fromJsonLines } from './json-lines.ts'
import { unread, type Converted, type LeftOut } from './line.ts'
import { fromMcpMemory } from './mcp-memory.ts'
import { fromMem0, MEM0_NAMES } from './mem0.ts'
import { readNamespace, type Place } from './namespace.ts'
import { linesOf, type Line } from './parts.ts'
import { fromSessions, isSessionAgent, SESSION_AGENTS, type SessionAgent } from './sessions/from-sessions.ts'
import { BEFORE_SINCE, isBefore, requireTimes } from './since.ts'
import { fromSupermemory, SUPERMEMORY_NAMES } from './supermemory.ts'

export const FORMATS = [
  'jsonl',
  'chatgpt',
  'claude',
  ...SESSION_AGENTS,
  'mcp-memory',
  'mem0',
  'supermemory',
  'text',
  'markdown',
] as const
export type Format = (typeof FORMATS)[number]

/** What `--namespace` can name of a source. */
const NAMES: Record<Format, readonly string[]> = {
  jsonl: [],
  chatgpt: [],
  claude: [],
  'claude-code': [],
  codex: [],
  'mcp-memory': [],
  mem0: MEM0_NAMES,
  supermemory: SUPERMEMORY_NAMES,
  text: [],
  markdown: [],
}

export type SourceRecord = Line | LeftOut

/** Something to import. It can be read again and gives the same, unless somebody changes it. */
export interface Source {
  /** A path, or `-` for standard input. */
  name: string
  records(): AsyncIterable<SourceRecord>
  /** The mark in the items of a folder; null: it is none. */
  folder: string | null
  /** Whether the items have ids by which a second import finds them. */
  identifies: boolean
  /**
   * The agent may be writing to it, and the service recognizes each of its lines, so a changed source is imported from the
   * beginning without `--restart`.
   */
  isLive?: true
}

export interface SourceOptions {
  format: Format
  /** Integers that a JSON number does not keep exactly become texts. */
  numbersAsText: boolean
  /** Of the items, such as `user:{user_id}`. */
  namespace?: string | undefined
  /** Milliseconds since 1970: records from before are left out. */
  since?: number | undefined
  /** That items go to. */
  project?: string | undefined
}

/**
 * Opens a path, or standard input (`-`), which is kept in memory. Times count from `now`: an import that goes on gives the
 * instant at which it began, and so gets the same lines.
 */
export async function openSource(io: Io, name: string, options: SourceOptions, now: number): Promise<Source> {
  const { format, namespace, numbersAsText, since = null } = options
  if (since !== null) requireTimes(format)
  if (format === 'jsonl' && namespace !== undefined)
    throw new Failure(EXIT.usage, '--namespace does not apply to --from jsonl: each line names its own.')
  const place = readNamespace(namespace, NAMES[format])
  const placing = { place, numbersAsText, since }
  if (isChatApp(format)) return chatsOf(name, format, { place, since })
  if (isSessionAgent(format)) return sessionsOf(io.env, name, format, options)
  if (format === 'text' || format === 'markdown') {
    if (name === '-') throw new Failure(EXIT.usage, `--from ${format} reads a file or a folder, not standard input.`)
    const folder = (await statOf(name)).isDirectory() ? await markOf(name) : null
    return { name, folder, identifies: true, records: () => placed(fromFolder(name, format), placing) }
  }
  const bytes = name === '-' ? await readBytes(io.stdin) : null
  if (bytes === null && (await statOf(name)).isDirectory())
    throw new Failure(EXIT.usage, `${name} is a folder.`, { hint: 'For a folder, use --from text or --from markdown.' })
  const whole = async () => wholeText(name, bytes ?? (await readFile(name)))
  if (format === 'jsonl')
    return {
      name,
      folder: null,
      identifies: false,
      records: () => jsonLines({ name, bytes, whole, numbersAsText }),
    }
  if (format === 'mcp-memory') {
    const chunks = () => (bytes ? Readable.from([bytes]) : createReadStream(name))
    return {
      name,
      folder: null,
      identifies: true,
      records: () => placed(fromMcpMemory(chunks()), placing),
    }
  }
  const from = format === 'mem0' ? fromMem0 : fromSupermemory
  const convert = (text: string): Converted[] => from(numbersAsText ? integersAsTexts(text) : text, now)
  return {
    name,
    folder: null,
    identifies: true,
    records: () => placed(convertedLater(whole, convert), placing),
  }
}

/** The conversations of an app, which are read as they go. */
async function chatsOf(
  name: string,
  app: ChatApp,
  { place, since }: { place: Place; since: number | null },
): Promise<Source> {
  if (name === '-') throw new Failure(EXIT.usage, `--from ${app} reads a file or a folder, not standard input.`)
  await statOf(name)
  const placing = await place({})
  const namespace = 'namespace' in placing ? placing.namespace : null
  return {
    name,
    folder: null,
    identifies: false,
    records: () => fromChats(name, app, { namespace, since }),
  }
}

/** The sessions of a coding agent, which are read as they go. */
async function sessionsOf(
  env: NodeJS.ProcessEnv,
  name: string,
  agent: SessionAgent,
  { namespace, project, since }: Pick<SourceOptions, 'namespace' | 'project' | 'since'>,
): Promise<Source> {
  if (name === '-') throw new Failure(EXIT.usage, `--from ${agent} reads a file or a folder, not standard input.`)
  if (namespace !== undefined)
    throw new Failure(
      EXIT.usage,
      `--namespace does not apply to --from ${agent}: the repository of a session is its namespace.`,
    )
  await statOf(name)
  const records = () => fromSessions(name, agent, { env, project: project ?? null, since: since ?? null })
  return { name, folder: null, identifies: false, isLive: true, records }
}

interface JsonLines {
  name: string
  /** null: the file is read as it goes. */
  bytes: Uint8Array | null
  whole: () => Promise<string>
  numbersAsText: boolean
}

/** Line by line, so that a large file does not fill the memory. UTF-16 is read as a whole. */
async function* jsonLines({ name, bytes, whole, numbersAsText }: JsonLines): AsyncGenerator<SourceRecord> {
  const read = isUtf16(bytes ?? (await firstBytes(name))) ? Buffer.from(await whole()) : bytes
  yield* fromJsonLines(name, read ? Readable.from([read]) : createReadStream(name), numbersAsText)
}

async function firstBytes(name: string): Promise<Uint8Array> {
  const file = await open(name)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function* convertedLater(
  whole: () => Promise<string>,
  convert: (text: string) => Converted[],
): AsyncGenerator<Converted> {
  yield* convert(await whole())
}

/** The lines of items, each in the namespace that `--namespace` gives it. */
async function* placed(
  converted: AsyncIterable<Converted>,
  { place, numbersAsText, since }: { place: Place; numbersAsText: boolean; since: number | null },
): AsyncGenerator<SourceRecord> {
  for await (const one of converted) {
    if ('reason' in one) {
      yield one
      continue
    }
    if (isBefore(one.line, since)) {
      yield { from: one.from, reason: BEFORE_SINCE, kind: 'outside', count: 1 }
      continue
    }
    const placing = await place(one.names ?? {})
    if ('reason' in placing) yield unread(one.from, placing.reason)
    else yield* linesOf(one, placing.namespace, numbersAsText)
  }
}

function wholeText(name: string, bytes: Uint8Array): string {
  try {
    return readText(bytes)
  } catch (error) {
    if (!(error instanceof NotText)) throw error
    const subject = name === '-' ? 'Standard input' : name
    throw new Failure(EXIT.invalid, `${subject} cannot be read: ${error.message}.`, { cause: error })
  }
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
