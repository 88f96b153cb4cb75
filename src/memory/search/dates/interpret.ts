import { z } from '@hono/zod-openapi'
import { onlyTrue, timestamp } from '../../../core/http/fields.ts'
import { offsetOf, readInstant } from '../../../core/http/instant.ts'
import { iso } from '../../../core/values/clock.ts'
import { DAY_MS, MINUTE_MS } from '../../../core/values/durations.ts'
import { latestOf, type Days, type Yearly } from './calendar.ts'
import { findDate } from './find.ts'

/** When a question is asked, and the offset of the calendar in which it counts. */
interface Reference {
  at: number
  offsetMinutes: number
}

/** Years of which a question can speak, and in which it can be asked. */
const [FIRST, END] = [Date.UTC(1900, 0), Date.UTC(2100, 0)]
const FAULT_OF_YEAR = 'must be of the years 1900 to 2099'

/** A `Reference` of an input. */
export const ReferenceDate = z
  .string()
  .transform((value, context): Reference => {
    const at = readInstant(value)
    if (typeof at === 'number' && at >= FIRST && at < END) return { at, offsetMinutes: offsetOf(value) }
    const message = typeof at === 'number' ? FAULT_OF_YEAR : at.fault
    context.addIssue({ code: 'custom', message, params: { code: 'invalid_format' } })
    return z.NEVER
  })
  .meta({
    format: 'date-time',
    description:
      'When the question is asked, with the offset of its calendar (default: now, in UTC). A time that the question names, such as "last week", is understood from it.',
  })

/** The time that a question names. */
export interface Interpreted {
  /** As the question says it. */
  text: string
  /** Instants in milliseconds; `before` is not part of it. */
  after: number
  before: number
  /** The month or day has no year: it is meant in every year, and these instants are its latest. */
  yearly: Yearly | null
  offsetMs: number
}

/** null: it names none. Without a reference it is asked now, in UTC. */
export function interpret(query: string, now: number, reference?: Reference): Interpreted | null {
  const { at, offsetMinutes } = reference ?? { at: now, offsetMinutes: 0 }
  const offsetMs = offsetMinutes * MINUTE_MS
  const today = Math.floor((at + offsetMs) / DAY_MS) * DAY_MS
  const found = findDate(query, today)
  if (!found) return null
  const yearly = 'month' in found.days ? found.days : null
  const { from, until }: Days = 'month' in found.days ? latestOf(found.days, today) : found.days
  return {
    text: found.text,
    after: from - offsetMs,
    before: until - offsetMs,
    yearly,
    offsetMs,
  }
}

export const InterpretedSchema = z
  .object({
    text: z.string().meta({ description: 'As the query says it.' }),
    after: timestamp.meta({ description: 'The first instant of that time.' }),
    before: timestamp.meta({ description: 'The first instant after that time.' }),
    every_year: onlyTrue.optional().meta({
      description: 'Only if a month or day has no year: every year counts, and `after` and `before` are of the latest.',
    }),
  })
  .meta({ description: 'The time that the query names, by which items are ranked higher; null: none.' })

/** As the answer shows it. */
export const toInterpreted = ({ text, after, before, yearly }: Interpreted) => ({
  text,
  after: iso(after),
  before: iso(before),
  ...(yearly ? { every_year: true as const } : {}),
})
