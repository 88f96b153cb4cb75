import { DAY_MS, MINUTE_MS } from '../../src/core/values/durations.ts'
import type { Texts } from './texts.ts'

const CONVERSATION_TURNS = 20
const WORDS = 40
const FIRST = Date.UTC(2023, 0, 2, 18)
/** No word of the texts is one of these names. */
const SPEAKERS = ['Mara', 'Jonas', 'Priya', 'Tomasz', 'Aiko', 'Rafael', 'Ingrid', 'Kofi'] as const
const MONTHS = ['January 2023', 'March 2023', 'May 2023', 'October 2023', 'in February', 'on 8 May 2023']

/**
 * The turn with this number of a project. Two people speak in each conversation, a minute apart, and the next conversation
 * begins a week later.
 */
export function turnOf(nth: number, texts: Texts) {
  const conversation = Math.floor(nth / CONVERSATION_TURNS)
  const speaker = SPEAKERS[(2 * conversation + (nth % 2)) % SPEAKERS.length]
  return {
    content: `${speaker}: ${texts.text(WORDS)}`,
    conversation_id: `chat-${conversation}`,
    occurred_at: new Date(FIRST + conversation * 7 * DAY_MS + (nth % CONVERSATION_TURNS) * MINUTE_MS).toISOString(),
  }
}

/** A query of turns: a third of them name a speaker, and a tenth a date. */
export function turnQuery(texts: Texts): string {
  const speaker = texts.index(3) === 0 ? `what did ${texts.pick(SPEAKERS)} say about ` : ''
  const date = texts.index(10) === 0 ? ` ${texts.pick(MONTHS)}` : ''
  return `${speaker}${texts.text(5)}${date}`
}
