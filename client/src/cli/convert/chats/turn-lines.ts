import { boundedId, type ImportTurn, type LeftOut } from '../line.ts'
import type { Line } from '../parts.ts'
import { BEFORE_SINCE, isBefore } from '../since.ts'
import { split } from '../split.ts'
import { timesOf, type Conversation, type Message } from './conversation.ts'

/** What an import does with all conversations of a source. */
export interface ChatOptions {
  /** The app that they are from. */
  app: string
  /** null: the default one. */
  namespace: string | null
  /** Milliseconds since 1970; null: all messages. */
  since: number | null
  /** Absent: as the project says. */
  visibility?: 'private' | 'project'
  /** How a text becomes those of items. Default: cut at sentences. */
  cut?: (text: string) => string[]
}

const MAX_NAME = 60

/** How a person finds a conversation again. */
export const nameOf = ({ id, title }: Pick<Conversation, 'id' | 'title'>): string =>
  title === null ? `conversation ${id}` : `"${Array.from(title).slice(0, MAX_NAME).join('')}"`

/** The lines of a conversation: one for each message or part of one. Then what was left out of it. */
export function* linesOf(conversation: Conversation, options: ChatOptions): Generator<Line | LeftOut> {
  const { messages, leftOut } = conversation
  const name = nameOf(conversation)
  const times = timesOf(conversation)
  let earlier = 0
  for (const [n, message] of messages.entries()) {
    const at = times[n] ?? null
    const time = at === null ? {} : { occurred_at: new Date(at).toISOString() }
    if (isBefore(time, options.since)) {
      earlier += 1
      continue
    }
    const from = `${name}, message ${n + 1}`
    for (const [part, text] of (options.cut ?? split)(message.text).entries()) {
      const line = { ...itemOf(conversation, text, options), ...time, turn: turnOf(message, part) }
      yield { from, line: JSON.stringify(line), origin: null }
    }
  }
  for (const [what, count] of leftOut) yield { from: name, reason: what, kind: 'outside', count }
  if (earlier > 0) yield { from: name, reason: BEFORE_SINCE, kind: 'outside', count: earlier }
}

const itemOf = ({ id, title }: Conversation, text: string, { app, namespace, visibility }: ChatOptions) => ({
  content: { text, metadata: { source: app, ...(title === null ? {} : { title }) } },
  context: { ...(namespace === null ? {} : { namespace }), conversation_id: boundedId(id) },
  ...(visibility === undefined ? {} : { visibility }),
})

const turnOf = ({ role, speaker, id }: Message, part: number): ImportTurn => ({
  role,
  speaker,
  message_id: id === null ? null : boundedId(id),
  part,
})
