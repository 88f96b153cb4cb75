import { DAY_MS } from '../../../core/values/durations.ts'
import { dayOf, monthOf } from './calendar.ts'
import type { Interpreted } from './interpret.ts'

/** The score of an item of the time that a query names is multiplied by this. */
export const INSIDE_FACTOR = 1.5
/** What happened is often told some days later: on one of these days after it the factor is less. */
export const FOLLOWING_FACTOR = 1.3
export const FOLLOWING_DAYS = 8

/** A time of one year, or the same time of every year. */
export type DateKind = 'once' | 'yearly'

export const dateKind = ({ yearly }: Interpreted): DateKind => (yearly ? 'yearly' : 'once')

/** Has the days that every year has. */
const COMMON_YEAR = 2023

/** The values of `DATE_FACTOR`: instants, and `mmdd` of the days of every year. */
export function dateParams({ after, before, yearly, offsetMs }: Interpreted) {
  if (!yearly) return { date_after: after, date_before: before, date_following: before + FOLLOWING_DAYS * DAY_MS }
  const { month, day } = yearly
  const first = monthAndDay(after + offsetMs)
  const { until } = (day === null ? null : dayOf(COMMON_YEAR, month, day)) ?? monthOf(COMMON_YEAR, month)
  const last = day === null ? monthAndDay(until - DAY_MS) : first
  // In a leap year, the 29th is in February and follows the 28th.
  const endsFebruary = last === '0228'
  return {
    date_first: first,
    date_last: endsFebruary && day === null ? '0229' : last,
    date_following_first: endsFebruary && day !== null ? '0229' : monthAndDay(until),
    date_following_last: monthAndDay(until + (FOLLOWING_DAYS - 1) * DAY_MS),
    date_offset: offsetMs,
  }
}

const monthAndDay = (at: number): string => new Date(at).toISOString().slice(5, 10).replace('-', '')

const MONTH_AND_DAY = "strftime('%m%d', (occurrence + :date_offset) / 1000.0, 'unixepoch')"

/** SQL: what the score of a row with `occurrence` is multiplied by. */
export const DATE_FACTOR: Record<DateKind, string> = {
  once: `case when occurrence >= :date_after and occurrence < :date_before then ${INSIDE_FACTOR}
    when occurrence >= :date_before and occurrence < :date_following then ${FOLLOWING_FACTOR} else 1 end`,
  // The days after December are in January.
  yearly: `case when ${MONTH_AND_DAY} between :date_first and :date_last then ${INSIDE_FACTOR}
    when iif(:date_following_first <= :date_following_last, ${MONTH_AND_DAY} between :date_following_first and :date_following_last,
      ${MONTH_AND_DAY} >= :date_following_first or ${MONTH_AND_DAY} <= :date_following_last) then ${FOLLOWING_FACTOR} else 1 end`,
}
