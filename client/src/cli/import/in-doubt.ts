import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { ImportLine } from '../convert/line.ts'
import type { ImportCall } from './calls.ts'
import type { Progressed } from './journal.ts'

/** The treatment of lines that were sent and not answered, once their outcome cannot be known any more. */
export const IN_DOUBT = ['send', 'skip'] as const
export type InDoubt = (typeof IN_DOUBT)[number]

/** The service keeps an idempotency key for 24 h (contract §1). */
const KEY_KEPT_MS = 24 * 3_600_000
/** A margin before its end, for a call with all its tries and for a clock that was set. */
const MARGIN_MS = 10 * 60_000

/**
 * Whether a call that an earlier run sent may store its lines a second time: its key is forgotten by now, or the clock was set
 * back. Lines with a `custom_id` update their items, messages are known by their id or time, and a line that is no JSON stores
 * nothing.
 */
export function isInDoubt({ sent_at }: Progressed, call: ImportCall, now: number): boolean {
  if (sent_at === null) return false
  const age = now - sent_at
  return (age > KEY_KEPT_MS - MARGIN_MS || age < -MARGIN_MS) && call.body.trimEnd().split('\n').some(storesAnew)
}

function storesAnew(line: string): boolean {
  try {
    const item = JSON.parse(line) as Partial<ImportLine> | null
    const isKnownMessage = item?.turn && (item.turn.message_id || item.occurred_at)
    return typeof item?.custom_id !== 'string' && !isKnownMessage
  } catch {
    return false
  }
}

export function doubt({ sent_at }: Progressed, { from }: ImportCall): Failure {
  const lines = from.length === 1 ? `${from[0]} was` : `${from[0]} to ${from.at(-1)} were`
  const at = new Date(sent_at ?? 0).toISOString().slice(0, 16).replace('T', ' ')
  return new Failure(EXIT.conflict, `In this import, ${lines} sent on ${at} UTC, but no response arrived.`, {
    hint:
      'The service no longer remembers that call: sending it again may store these items twice.\n' +
      'Check whether they are stored: recollect search. Then continue with --in-doubt skip or --in-doubt send.',
  })
}
