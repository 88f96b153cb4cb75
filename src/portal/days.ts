import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/values/durations.ts'
import { iso } from '../core/values/clock.ts'

/** The parameter of a form that names the time zone of its days. The script fills it. */
export const ZONE = 'zone'

const UTC = 'UTC'

/** The time zone of a form's days by its name. Without a script, and for what is no zone, it is UTC. */
export function zoneOf(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return UTC
    throw error
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
/** The last instant that the API can name (contract §1): the day behind it has five digits in its year. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** The start of a day, or of the day that is `later` days after it. What is no day goes to the API as it is, which refuses it. */
export function startOfDay(day: string, zone: string, later = 0): string {
  const named = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(named)) return day
  return iso(Math.min(instantOf(named + later * DAY_MS, zone), LAST_INSTANT))
}

/**
 * When the clock of a zone first shows a midnight, which is given as one of UTC. Where the clock skips midnight, it is the first
 * instant after it. The offset of the zone changes on few days, so it is that of the day before or of the day behind.
 */
function instantOf(midnight: number, zone: string): number {
  const [first, second] = [-DAY_MS, DAY_MS]
    .map((distance) => midnight - offsetOf(zone, midnight + distance))
    .toSorted((a, b) => a - b) as [number, number]
  return first + offsetOf(zone, first) >= midnight ? first : second
}

/** How far the clock of a zone is ahead of UTC. */
function offsetOf(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? []
  const ahead = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * 1_000
  return sign === '-' ? -ahead : ahead
}
