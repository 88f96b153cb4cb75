import { HOUR_MS, MINUTE_MS } from '../../core/values/durations.ts'

/** The top of the scale: a round number of at least 2. */
export function niceTop(highest: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(highest))
  const factor = [1, 2, 4, 5, 10].find((one) => one * magnitude >= highest) ?? 10
  return Math.max(2, factor * magnitude)
}

export const compact = (value: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value)

/** A duration as a person reads it: `80 ms`, `1.5 s`, `3 min`, `2 h`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  const [size, unit] = ms < MINUTE_MS ? [1_000, 's'] : ms < HOUR_MS ? [MINUTE_MS, 'min'] : [HOUR_MS, 'h']
  return `${Math.round((ms / size) * 10) / 10} ${unit}`
}
