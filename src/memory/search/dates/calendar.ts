import { DAY_MS } from '../../../core/values/durations.ts'

/** Days of a calendar: their midnights as if the calendar were that of UTC. `until` is the first day after them. */
export interface Days {
  from: number
  until: number
}

/** The same days of every year. `month` counts from 0; without `day` it is the whole month. */
export interface Yearly {
  month: number
  day: number | null
}

export const UNITS = ['day', 'week', 'month', 'year'] as const
export type Unit = (typeof UNITS)[number]

const MONTHS = 12
const DAYS_OF_WEEK = 7
/** A year that has every day. */
const LEAP_YEAR = 2024

export const yearOf = (year: number): Days => ({ from: Date.UTC(year, 0, 1), until: Date.UTC(year + 1, 0, 1) })

export const monthOf = (year: number, month: number): Days => ({
  from: Date.UTC(year, month, 1),
  until: Date.UTC(year, month + 1, 1),
})

/** null: the calendar does not have this day. */
export function dayOf(year: number, month: number, day: number): Days | null {
  const from = Date.UTC(year, month, day)
  const exists = day > 0 && month < MONTHS && new Date(from).getUTCDate() === day
  return exists ? { from, until: from + DAY_MS } : null
}

/** null: no year has this day. */
export const everyYear = (month: number, day: number | null): Yearly | null =>
  day === null || dayOf(LEAP_YEAR, month, day) ? { month, day } : null

/** null: there is no such day or month. */
export function daysOf(month: number, day: number | null, year: number | null): Days | Yearly | null {
  if (month < 0 || month >= MONTHS) return null
  if (year === null) return everyYear(month, day)
  return day === null ? monthOf(year, month) : dayOf(year, month, day)
}

/** The day, week, month or year that many units before `today`. A week begins on Monday, as in ISO 8601. */
export function daysAgo(today: number, unit: Unit, count: number): Days {
  const date = new Date(today)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (unit === 'year') return yearOf(year - count)
  if (unit === 'month') return monthOf(year, month - count)
  if (unit === 'day') return { from: today - count * DAY_MS, until: today - (count - 1) * DAY_MS }
  const sinceMonday = (date.getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK
  const from = today - (sinceMonday + count * DAYS_OF_WEEK) * DAY_MS
  return { from, until: from + DAYS_OF_WEEK * DAY_MS }
}

/** The latest of them that begins by `today`. */
export function latestOf({ month, day }: Yearly, today: number): Days {
  const year = new Date(today).getUTCFullYear()
  for (let candidate = year; ; candidate--) {
    const days = day === null ? monthOf(candidate, month) : dayOf(candidate, month, day)
    if (days && days.from <= today) return days
  }
}
