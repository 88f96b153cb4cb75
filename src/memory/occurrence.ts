import { z } from '@hono/zod-openapi'
import { readInstant } from '../core/http/instant.ts'

/** Bounds of `occurred_at` in milliseconds since 1970: the years 0001 to 9999 of UTC (contract §3). */
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z')
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** An instant of ISO 8601 with `Z` or an offset, or a date, which means its midnight in UTC; in milliseconds. */
export const OccurredAt = z
  .string()
  .transform((value, context) => {
    const read = readInstant(value, { dates: true })
    if (typeof read === 'number' && read >= EARLIEST && read <= LATEST) return read
    const message = typeof read === 'number' ? 'must be in the years 0001 to 9999' : read.fault
    context.addIssue({ code: 'custom', message, params: { code: 'invalid_instant' } })
    return z.NEVER
  })
  .meta({
    format: 'date-time',
    description: 'When it happened, in the years 0001 to 9999. A date means midnight UTC.',
    examples: ['2023-05-08T13:56:00Z'],
  })

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** The words by which keyword search finds a date, in UTC and English: `2023 05 5 May 08 8`. */
export function dateWords(occurredAt: number): string {
  const [year = '', month = '', day = ''] = new Date(occurredAt).toISOString().slice(0, 10).split('-')
  return [year, month, Number(month), MONTHS[Number(month) - 1], day, Number(day)].join(' ')
}
