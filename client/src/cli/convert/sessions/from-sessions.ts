import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { grouped } from '../../../grouped.ts'
import { agentFolder } from '../../agent/config-file.ts'
import { conversationOf, messageId } from '../../agent/message-id.ts'
import { EXIT } from '../../exit-codes.ts'
import { Failure } from '../../failure.ts'
import { keptOf } from '../../hook/session.ts'
import { readJson } from '../../read-json.ts'
import { splitLines } from '../../read-text.ts'
import { LeftOutCounts, type Message } from '../chats/conversation.ts'
import { linesOf, nameOf } from '../chats/turn-lines.ts'
import { entriesOf, unreadable } from '../folder.ts'
import { unread, type LeftOut } from '../line.ts'
import type { Line } from '../parts.ts'
import { fieldsOf } from '../records.ts'
import { ClaudeCodeReader } from './claude-code.ts'
import { CodexReader } from './codex.ts'
import { Places } from './places.ts'
import { COPIED, SIDECHAIN, type Session, type SessionReader, type Turn } from './session.ts'

const READERS: Record<SessionAgent, new () => SessionReader> = { 'claude-code': ClaudeCodeReader, codex: CodexReader }

/** The coding agents whose sessions an import reads. */
export const SESSION_AGENTS = ['claude-code', 'codex'] as const
export type SessionAgent = (typeof SESSION_AGENTS)[number]
export const isSessionAgent = (format: string): format is SessionAgent => SESSION_AGENTS.some((one) => one === format)

/** Where an agent keeps its sessions. */
export const sessionsFolder = (env: NodeJS.ProcessEnv, agent: SessionAgent): string =>
  agent === 'codex'
    ? join(agentFolder(env, 'CODEX_HOME', '.codex'), 'sessions')
    : join(agentFolder(env, 'CLAUDE_CONFIG_DIR', '.claude'), 'projects')

export interface SessionOptions {
  env: NodeJS.ProcessEnv
  /** Milliseconds since 1970; null: all messages. */
  since: number | null
  /** null: the default one. */
  project: string | null
}

/**
 * The turns of sessions, with the ids and in the places that the hooks give them, so that the service recognizes a turn that a
 * hook has sent.
 */
export async function* fromSessions(
  path: string,
  agent: SessionAgent,
  { env, since, project }: SessionOptions,
): AsyncGenerator<Line | LeftOut> {
  const places = new Places(env, project)
  const turnIds = new Map<string, Set<string>>()
  let isEmpty = true
  for await (const file of (await stat(path)).isFile() ? [path] : filesBelow(path, path)) {
    isEmpty = false
    if (typeof file !== 'string') {
      yield file
      continue
    }
    const name = file === path ? basename(file) : relative(path, file).split(sep).join('/')
    if (isOfSubagent(name)) {
      yield { from: name, reason: SIDECHAIN, kind: 'outside', count: 1 }
      continue
    }
    if (file.endsWith('.zst')) {
      yield unread(name, 'it is compressed: unpack it with "zstd -d"')
      continue
    }
    const reader = new READERS[agent]()
    const isRead = yield* readInto(reader, file, name)
    const session = reader.session()
    if (session) {
      yield* turnsOf(agent, withoutCopies(session, turnIds), { places, since })
      turnIds.set(session.id, new Set(session.turns.map(({ id }) => id)))
    } else if (isRead) yield { from: name, reason: 'file without a session', kind: 'outside', count: 1 }
  }
  if (isEmpty) throw new Failure(EXIT.invalid, `${path} has no sessions.`)
}

async function* filesBelow(root: string, folder: string): AsyncGenerator<string | LeftOut> {
  const entries = await entriesOf(root, folder)
  if (!Array.isArray(entries)) {
    yield entries
    return
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(root, path)
    else if (entry.isFile() && /\.jsonl(\.zst)?$/.test(entry.name)) yield path
  }
}

const isOfSubagent = (name: string): boolean => /(^|\/)(agent-[^/]*|subagents\/.*)\.jsonl$/.test(name)

/** Hands a reader the records of a file. False: the file was not read to its end. */
async function* readInto(reader: SessionReader, path: string, name: string): AsyncGenerator<LeftOut, boolean> {
  let number = 0
  try {
    for await (const bytes of splitLines(createReadStream(path))) {
      number += 1
      const text = Buffer.from(bytes).toString().trim()
      if (text === '') continue
      const fields = fieldsOf(readJson(text))
      if (fields) reader.add(fields)
      else yield unread(`${name}, line ${number}`, 'it is not a JSON object')
    }
    return true
  } catch (error) {
    yield unreadable(name, error)
    return false
  }
}

/** A fork keeps the ids of the turns that it copies. Its origin is older, so that it has been read by then. */
function withoutCopies(session: Session, turnIds: ReadonlyMap<string, ReadonlySet<string>>): Session {
  const turns = session.turns.filter(({ id }) => !session.origins.some((origin) => turnIds.get(origin)?.has(id)))
  session.leftOut.add(COPIED, session.turns.length - turns.length)
  return { ...session, turns }
}

async function* turnsOf(
  agent: SessionAgent,
  { id: session, turns, leftOut }: Session,
  { places, since }: { places: Places; since: number | null },
): AsyncGenerator<Line | LeftOut> {
  const id = conversationOf(agent, session)
  const from = nameOf({ id, title: null })
  for (const [folder, own] of grouped(turns, ({ folder }) => folder)) {
    const messages = own.flatMap(messagesOf)
    const place = await places.of(folder)
    if ('reason' in place) yield { from, reason: place.reason, kind: 'outside', count: messages.length }
    else {
      const conversation = { id, title: null, startedAt: null, messages, leftOut: new LeftOutCounts() }
      yield* linesOf(conversation, { app: agent, since, ...place, cut: (text) => [keptOf(text)] })
    }
  }
  for (const [reason, count] of leftOut) yield { from, reason, kind: 'outside', count }
}

const messagesOf = ({ id, prompts, answer }: Turn): Message[] => [
  ...prompts.map(({ text, at }, n) => message(messageId(id, 'user', n + 1), 'user', text, at)),
  ...(answer ? [message(messageId(id, 'assistant', 1), 'assistant', answer.text, answer.at)] : []),
]

const message = (id: string, role: Message['role'], text: string, at: number | null): Message => ({
  id,
  role,
  speaker: null,
  text,
  at,
})
