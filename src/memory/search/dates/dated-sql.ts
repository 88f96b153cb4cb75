import { DAY_MS } from '../../../core/values/durations.ts'
import type { Interpreted } from './interpret.ts'

/** The score of an item of the time that a query names is multiplied by this. */
export const INSIDE_FACTOR = 1.5
/** What happened is often told some days later: on one of these days after it the factor is less. */
export const FOLLOWING_FACTOR = 1.3
export const FOLLOWING_DAYS = 8

/** A time of one year, or the same time of every year. */
export type DateKind = 'once' | 'yearly'

export const dateKind = ({ yearly }: Interpreted): DateKind => (yearly ? 'yearly' : 'once')

/** The values of `dateFactor`: instants, and `mmdd` of the days of every year. */
export function dateParams({ after, before, yearly, offsetMs }: Interpreted) {
  if (!yearly) return { date_after: after, date_before: before, date_following: before + FOLLOWING_DAYS * DAY_MS }
  const day = (at: number): string => new Date(at + offsetMs).toISOString().slice(5, 10).replace('-', '')
  return {
    date_first: day(after),
    // February ends on the 29th here, so leap years count.
    date_last: yearly.month === 1 && yearly.day === null ? '0229' : day(before - DAY_MS),
    date_following_first: day(before),
    date_following_last: day(before + (FOLLOWING_DAYS - 1) * DAY_MS),
    date_offset: offsetMs,
  }
}

const MONTH_AND_DAY = "strftime('%m%d', (i.occurrence + :date_offset) / 1000.0, 'unixepoch')"

const FACTOR: Record<DateKind, string> = {
  once: `case when i.occurrence >= :date_after and i.occurrence < :date_before then ${INSIDE_FACTOR}
    when i.occurrence >= :date_before and i.occurrence < :date_following then ${FOLLOWING_FACTOR} else 1 end`,
  // The days after December are in January.
  yearly: `case when ${MONTH_AND_DAY} between :date_first and :date_last then ${INSIDE_FACTOR}
    when iif(:date_following_first <= :date_following_last, ${MONTH_AND_DAY} between :date_following_first and :date_following_last,
      ${MONTH_AND_DAY} >= :date_following_first or ${MONTH_AND_DAY} <= :date_following_last) then ${FOLLOWING_FACTOR} else 1 end`,
}

/** SQL: what the score of the item of a row of `f` is multiplied by. */
export const dateFactor = (kind: DateKind): string => `(select ${FACTOR[kind]} from memory_items i where i.row = f.row)`
