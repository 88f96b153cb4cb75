import { z } from '@hono/zod-openapi'

/** RFC 3339, and what usual libraries write beside it: an offset without a colon, a time without seconds. */
const FORM =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ]((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(?:\.\d+)?)?(?:([Zz])|([+-](?:[01]\d|2[0-3])):?([0-5]\d))?)?$/

const FORM_FAULT = 'must be a date and a time with Z or an offset, such as 2026-11-21T09:30:00Z'
const FORM_OR_DATE_FAULT = `${FORM_FAULT}, or a date alone`

/** An instant in milliseconds since 1970, or what is wrong with it. A date alone is read where `dates` says so: its midnight in UTC. */
export function readInstant(text: string, { dates = false } = {}): number | { fault: string } {
  const [whole, year = '', month = '', day = '', time, seconds = ':00', zulu, hours, minutes] = FORM.exec(text) ?? []
  if (whole === undefined || (time === undefined && !dates)) return { fault: dates ? FORM_OR_DATE_FAULT : FORM_FAULT }
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`)
  // JavaScript reads the 30th of February as the 1st of March.
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) {
    return { fault: `must be a day of the calendar: ${year}-${month}-${day} does not exist` }
  }
  if (time === undefined) return midnight.getTime()
  if (zulu === undefined && hours === undefined) {
    return { fault: 'must have an offset: there is no offset, so add Z for UTC, or one such as +02:00' }
  }
  const ms = Date.parse(`${year}-${month}-${day}T${time}${seconds}${zulu ? 'Z' : `${hours}:${minutes}`}`)
  return Number.isNaN(ms) ? { fault: FORM_FAULT } : ms
}

/** An instant of an input, in milliseconds. */
export const instantMs = z
  .string()
  .transform((value, context) => {
    const read = readInstant(value)
    if (typeof read === 'number') return read
    context.addIssue({ code: 'custom', message: read.fault, params: { code: 'invalid_format' } })
    return z.NEVER
  })
  .meta({ format: 'date-time' })

/** The offset in minutes of a text that `readInstant` accepts; 0 for Z. */
export function offsetOf(text: string): number {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):?(\d\d)$/.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** The same as an ISO text in UTC. */
export const instant = instantMs.transform((ms) => new Date(ms).toISOString()).meta({ format: 'date-time' })
