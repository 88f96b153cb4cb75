import { onlyAsks } from './asks.ts'
import { answeringWords, contentWords } from './function-words.ts'
import type { Turn } from './turn.ts'

/** Turns of one exchange that an answer shows. */
export const MAX_EXCHANGE_TURNS = 3

/** An answer with fewer content words that its question lacks answers nothing: `I do not know`. */
const LEAST_NEW_WORDS = 4

/** What an exchange tells. */
export interface Told {
  /** The turn that counts: the one that was found, or the answer to it. */
  lead: Turn
  /** In order, with `lead`. None of them only asks. */
  turns: Turn[]
}

/**
 * What is told around the turn `at` of consecutive turns of a conversation: its exchange without what only asks. null: it
 * tells nothing. A turn that only asks counts by its answer.
 */
export function toldBy(turns: readonly Turn[], at: number): Told | null {
  const found = turns[at]
  if (!found) return null
  if (found.role === 'assistant' && onlyAsks(found.text)) return toldInReply(turns, at + 1)
  const start = startOf(turns, at)
  const from = Math.max(start, at - MAX_EXCHANGE_TURNS + 1)
  const exchange = turns.slice(from, Math.min(endOf(turns, at), from + MAX_EXCHANGE_TURNS))
  const telling = exchange.filter(({ text }) => !onlyAsks(text))
  const [question] = exchange
  if (question && isPersons(question) && !telling.includes(question) && !answers(question, telling)) return null
  const lead = telling.includes(found) ? found : telling[0]
  return lead ? { lead, turns: telling } : null
}

/** The user's reply to a question of the assistant begins the next exchange. */
function toldInReply(turns: readonly Turn[], at: number): Told | null {
  const [question, reply] = [turns[at - 1], turns[at]]
  if (!question || reply?.role !== 'user' || onlyAsks(reply.text)) return null
  return newWords(question, [reply]) === 0 ? null : toldBy(turns, at)
}

/** The exchanges of consecutive turns of a conversation that tell something, in order. */
export function exchangesOf(turns: readonly Turn[]): Told[] {
  const told: Told[] = []
  turns.forEach((_, at) => {
    const one = at === startOf(turns, at) ? toldBy(turns, at) : null
    if (one) told.push(one)
  })
  return told
}

/** Where the exchange of a turn begins, and where the next one does. */
function startOf(turns: readonly Turn[], at: number): number {
  let start = at
  while (start > 0 && !begins(turns, start)) start -= 1
  return start
}
function endOf(turns: readonly Turn[], at: number): number {
  let end = at + 1
  while (end < turns.length && !begins(turns, end)) end += 1
  return end
}

/** A turn of a user begins an exchange, and so does a note, unless it answers another person. */
function begins(turns: readonly Turn[], at: number): boolean {
  const [turn, previous] = [turns[at], turns[at - 1]]
  if (!turn || !previous) return true
  if (!isPersons(turn)) return false
  const isOfAnother = turn.role === null || turn.speaker !== previous.speaker
  return !(isPersons(previous) && isOfAnother && onlyAsks(previous.text) && !onlyAsks(turn.text))
}

const isPersons = ({ role }: Turn): boolean => role === 'user' || role === null

const answers = (question: Turn, replies: readonly Turn[]): boolean => newWords(question, replies) >= LEAST_NEW_WORDS

/** Content words of the replies that the question lacks. */
function newWords(question: Turn, replies: readonly Turn[]): number {
  const asked = contentWords(question.text)
  return answeringWords(replies.map(({ text }) => text).join('\n')).difference(asked).size
}
