import { createReadStream, type Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { grouped } from '../../../grouped.ts'
import { agentFolder } from '../../agent/config-file.ts'
import { conversationOf, messageId } from '../../agent/message-id.ts'
import { EXIT } from '../../exit-codes.ts'
import { Failure } from '../../failure.ts'
import { keptOf } from '../../hook/session.ts'
import { splitLines } from '../../read-text.ts'
import { LeftOutCounts, type Message } from '../chats/conversation.ts'
import { linesOf, nameOf } from '../chats/turn-lines.ts'
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
 * The turns of sessions, with the ids and in the places that the hooks give them, so that a turn which a hook has sent is
 * known again.
 */
export async function* fromSessions(
  path: string,
  agent: SessionAgent,
  { env, since, project }: SessionOptions,
): AsyncGenerator<Line | LeftOut> {
  const places = new Places(env, project)
  const turnIds = new Map<string, Set<string>>()
  let files = 0
  for await (const file of filesBelow(path)) {
    const name = file === path ? basename(file) : relative(path, file).split(sep).join('/')
    files += 1
    if (isOfSubagent(name)) {
      yield { from: name, reason: SIDECHAIN, kind: 'outside', count: 1 }
      continue
    }
    if (file.endsWith('.zst')) {
      yield unread(name, 'it is compressed: unpack it with "zstd -d"')
      continue
    }
    const reader = new READERS[agent]()
    for await (const record of recordsOf(file, name)) {
      if ('reason' in record) yield record
      else reader.add(record.fields)
    }
    const session = reader.session()
    if (session) {
      yield* turnsOf(agent, withoutCopies(session, turnIds), { places, since })
      turnIds.set(session.id, new Set(session.turns.map(({ id }) => id)))
    } else yield { from: name, reason: 'file without a session', kind: 'outside', count: 1 }
  }
  if (files === 0) throw new Failure(EXIT.invalid, `${path} has no sessions.`)
}

/** In the order of their names, so that two looks give the same. */
async function* filesBelow(path: string): AsyncGenerator<string> {
  if ((await stat(path)).isFile()) {
    yield path
    return
  }
  const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1)
  for (const entry of (await readdir(path, { withFileTypes: true })).sort(byName)) {
    if (entry.isDirectory()) yield* filesBelow(join(path, entry.name))
    else if (entry.isFile() && /\.jsonl(\.zst)?$/.test(entry.name)) yield join(path, entry.name)
  }
}

const isOfSubagent = (name: string): boolean => /(^|\/)(agent-[^/]*|subagents\/.*)\.jsonl$/.test(name)

async function* recordsOf(path: string, name: string): AsyncGenerator<{ fields: Record<string, unknown> } | LeftOut> {
  let number = 0
  for await (const bytes of splitLines(createReadStream(path))) {
    number += 1
    const text = Buffer.from(bytes).toString().trim()
    if (text === '') continue
    const fields = parsed(text)
    yield fields ? { fields } : unread(`${name}, line ${number}`, 'it is not a JSON object')
  }
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return null
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
