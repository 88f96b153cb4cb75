import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { measure } from '../../../../src/cli/convert/measure.ts'
import { openSource, type SourceOptions } from '../../../../src/cli/convert/source.ts'
import type { Io } from '../../../../src/cli/io.ts'

export const AT = '2026-11-20T10:00:00.000Z'
const SECOND_MS = 1_000

/** The instant so many seconds later. */
export const later = (seconds: number): string => new Date(Date.parse(AT) + seconds * SECOND_MS).toISOString()

export async function writeLines(folder: string, name: string, lines: readonly (object | string)[]): Promise<string> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  await writeFile(path, `${text}\n`)
  return path
}

interface Read {
  content: { text: string }
  context: { conversation_id: string }
  occurred_at: string
  turn: { message_id: string; role: string }
}

/** The lines of an import, and what it leaves out: counted things by reason, and records by place. */
export async function readSessions(
  io: Io,
  path: string,
  format: 'claude-code' | 'codex',
  more: Partial<SourceOptions> = {},
) {
  const lines: Read[] = []
  const source = await openSource(io, path, { format, numbersAsText: false, ...more }, io.now())
  const { leftOut, leftOutByReason } = await measure(source, (line) => lines.push(JSON.parse(line)))
  return {
    lines,
    said: lines.map(({ content, turn }) => [turn.message_id, content.text]),
    counts: Object.fromEntries(leftOutByReason.list().map(({ reason, count }) => [reason, count])),
    unread: leftOut.map(({ from, reason }) => `${from}: ${reason}`),
  }
}

/** Lines of a transcript of Claude Code. */
export const claudeCode = (cwd: string, sessionId = 's-1') => {
  const base = { isSidechain: false, cwd, sessionId, version: '2.1.332' }
  const said = (type: string, seconds: number, content: unknown, more: object = {}) => ({
    ...base,
    type,
    uuid: `${type}-${seconds}`,
    timestamp: later(seconds),
    message: { role: type, content },
    ...more,
  })
  return {
    prompt: (seconds: number, promptId: string | undefined, content: unknown, more: object = {}) =>
      said('user', seconds, content, { ...(promptId === undefined ? {} : { promptId }), ...more }),
    answer: (seconds: number, content: unknown, more: object = {}) => said('assistant', seconds, content, more),
  }
}

/** Lines of a rollout of Codex. */
export const codex = (cwd: string, id = 's-1') => {
  const line = (seconds: number, type: string, payload: object) => ({ timestamp: later(seconds), type, payload })
  const event = (seconds: number, type: string, more: object = {}) => line(seconds, 'event_msg', { type, ...more })
  const item = (seconds: number, turn_id: string, type: string, text: string) =>
    event(seconds, 'item_completed', { turn_id, item: { type, content: [{ type: 'text', text }] } })
  return {
    line,
    event,
    meta: (more: object = {}) => line(0, 'session_meta', { id, cwd, source: 'cli', ...more }),
    prompt: (seconds: number, turn: string, text: string) => item(seconds, turn, 'UserMessage', text),
    answer: (seconds: number, turn: string, text: string) => item(seconds, turn, 'AgentMessage', text),
  }
}
