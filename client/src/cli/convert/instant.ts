import { strict } from 'chrono-node/en'

/** ISO 8601, also as Jekyll writes it: with a space before the time and before the offset. */
const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ] *(\d\d:\d\d(?::\d\d(?:\.\d+)?)?) *(?:([Zz])|([+-]\d\d):?(\d\d)?)?)?$/
/** One reader takes 03/04/2024 for March, another for April. */
const DAY_OR_MONTH_FIRST = /^\d{1,2}[./-]\d/
const MINUTE_MS = 60_000

/**
 * An instant as ISO 8601 in UTC; undefined for a text that is no date, leaves its year open, or has two readings. One without
 * an offset is taken for UTC, and a date alone for its midnight.
 */
export function instantOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  const iso = ISO.exec(text)
  const ms = iso ? isoMs(iso) : DAY_OR_MONTH_FIRST.test(text) ? NaN : wordsMs(text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

function isoMs([, year = '', month = '', day = '', time = '00:00', , hours, minutes = '00']: RegExpExecArray): number {
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`)
  // JavaScript reads the 30th of February as the 1st of March.
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return NaN
  return Date.parse(`${year}-${month}-${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`)
}

/** Dates such as 2024/05/01 10:00:00 and May 3, 2024. */
function wordsMs(text: string): number {
  const [found, another] = strict.parse(text, { instant: new Date(0), timezone: 0 })
  if (!found || another || found.end || found.text.length !== text.length) return NaN
  const { start } = found
  if (!(['year', 'month', 'day'] as const).every((part) => start.isCertain(part))) return NaN
  const of = (part: 'hour' | 'minute' | 'second' | 'millisecond') =>
    start.isCertain(part) ? (start.get(part) ?? 0) : 0
  const [year, month, day] = [start.get('year') ?? NaN, start.get('month') ?? NaN, start.get('day') ?? NaN]
  const offset = start.isCertain('timezoneOffset') ? (start.get('timezoneOffset') ?? 0) : 0
  return Date.UTC(year, month - 1, day, of('hour'), of('minute'), of('second'), of('millisecond')) - offset * MINUTE_MS
}

/** An import refuses what was stored in the future or before 1970. */
export const notAfter = (instant: string | undefined, now: number): string | undefined =>
  instant !== undefined && Date.parse(instant) <= now && Date.parse(instant) >= 0 ? instant : undefined
