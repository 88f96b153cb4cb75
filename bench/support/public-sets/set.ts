import { portionsBySize } from '../../../src/core/values/portions.ts'

/** A turn of a chat, as its set publishes it. */
export interface SetTurn {
  /** Unique within its chat. */
  id: string
  session: string
  /** With the name or the role of its speaker before it. */
  text: string
  /** In UTC; null: the set has no time for it. */
  occurred_at: string | null
}

export interface SetQuestion {
  query: string
  /** Kind of question, by the name that the set gives it. */
  kind: string
  /** When it is asked; absent: the set does not say. */
  reference_date?: string
  /** Ids of turns; none: nothing in the chat answers it. null: the set does not say which turns answer it. */
  turns: readonly string[] | null
  sessions: readonly string[] | null
}

/** What one project holds, and what it is asked. */
export interface SetChat {
  id: string
  turns: SetTurn[]
  questions: SetQuestion[]
}

/** The question of turns that answer it. A turn that the chat does not have leaves it without a label. */
export function questionOf(
  turns: readonly SetTurn[],
  { query, kind, ids }: { query: string; kind: string; ids: readonly string[] | null },
): SetQuestion {
  const byId = Map.groupBy(turns, ({ id }) => id)
  const named = [...new Set(ids)].map((id) => byId.get(id) ?? [])
  if (ids === null || named.some((found) => found.length !== 1)) return { query, kind, turns: null, sessions: null }
  const all = named.flat()
  return { query, kind, turns: all.map(({ id }) => id), sessions: [...new Set(all.map(({ session }) => session))] }
}

export type Granularity = 'turn' | 'session'

/** A text to store. */
export interface SetText {
  id: string
  text: string
  conversation_id: string | undefined
  occurred_at: string | undefined
}

/** Below the 65,536 characters of an item (contract §3), with a line feed behind each turn. */
const MAX_SESSION_CHARACTERS = 64_000
const PART = /#\d+$/

/** The texts of a chat: its turns, or its sessions as a whole, which have the time of their first turn. */
export function textsOf({ turns }: SetChat, granularity: Granularity): SetText[] {
  if (granularity === 'turn')
    return turns.map(({ id, session, text, occurred_at }) => ({
      id,
      text,
      conversation_id: session,
      occurred_at: occurred_at ?? undefined,
    }))
  return Array.from(Map.groupBy(turns, ({ session }) => session)).flatMap(([session, own]) =>
    portionsBySize(own, MAX_SESSION_CHARACTERS, ({ text }) => text.length + 1).map((part, at) => ({
      id: `${session}#${at + 1}`,
      text: part.map(({ text }) => text).join('\n'),
      conversation_id: undefined,
      occurred_at: part[0]?.occurred_at ?? undefined,
    })),
  )
}

/** The sessions of results, each at the place of its best part. */
export const sessionsOf = (found: readonly string[]): string[] => [...new Set(found.map((id) => id.replace(PART, '')))]

/** The chats with the first `most` questions of the set. */
export function firstQuestions(chats: readonly SetChat[], most: number): SetChat[] {
  let left = most
  return chats.flatMap((chat) => {
    const questions = chat.questions.slice(0, Math.max(0, left))
    left -= questions.length
    return questions.length === 0 ? [] : [{ ...chat, questions }]
  })
}
