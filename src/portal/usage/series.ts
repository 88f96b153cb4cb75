import { iso } from '../../core/values/clock.ts'
import type { DeliverySeries } from '../../events/index.ts'
import type { UsageSeries } from '../../identity/index.ts'
import { MAX_SERIES, type Series } from '../charts/plot.tsx'
import { addHistograms, quantile } from '../charts/quantile.ts'
import { SPANS, type SpanName } from './page.ts'

/** The starts of the steps of a span that ends now, oldest first. */
export function stepsOf(name: SpanName, now: number): string[] {
  const { steps, stepMs } = SPANS[name]
  const last = now - (now % stepMs)
  return Array.from({ length: steps }, (_, step) => iso(last - (steps - 1 - step) * stepMs))
}

/** Fewer steps would be drawn as blocks. */
const MIN_STEPS = 6

/** The steps from the first one with a datum. */
export function fromFirst(steps: readonly string[], data: readonly { at: string }[]): string[] {
  const seen = new Set(data.map(({ at }) => at))
  const first = steps.findIndex((at) => seen.has(at))
  return steps.slice(Math.max(0, Math.min(first < 0 ? steps.length : first, steps.length - MIN_STEPS)))
}

type Point = UsageSeries['data'][number]
type DeliveryPoint = DeliverySeries['data'][number]

/** Requests of each name, most first; names beyond the number of colours are summed in the last series. */
export function requestsBy(
  steps: readonly string[],
  points: readonly Point[],
  label = (name: string): string => name,
): Series[] {
  const named = [...Map.groupBy(points, ({ name }) => name)]
    .map(([name, own]) => ({ name, own, sum: own.reduce((sum, { requests }) => sum + requests, 0) }))
    .sort(
      (a, b) => Number(a.name === 'other') - Number(b.name === 'other') || b.sum - a.sum || (a.name < b.name ? -1 : 1),
    )
  const fits = named.length <= MAX_SERIES
  const shown = fits ? named : named.slice(0, MAX_SERIES - 1)
  const rest = fits ? [] : named.slice(MAX_SERIES - 1).flatMap(({ own }) => own)
  return [
    ...shown.map(({ name, own }) => ({ name: label(name), values: sumsOf(steps, own, ({ requests }) => requests) })),
    ...(fits ? [] : [{ name: 'All others', values: sumsOf(steps, rest, ({ requests }) => requests) }]),
  ]
}

/** Searches and stores, also where there were none. */
export const searchesAndStores = (steps: readonly string[], points: readonly Point[]): Series[] =>
  (
    [
      ['Searches', 'memory.search'],
      ['Stores', 'memory.store'],
    ] as const
  ).map(([name, operation]) => {
    const own = points.filter((point) => point.name === operation)
    return { name, values: sumsOf(steps, own, ({ requests }) => requests) }
  })

/** The middle and the 95th of a hundred durations; null in a step without any. */
export const latency = (
  steps: readonly string[],
  bounds: readonly number[],
  points: readonly { at: string; histogram: readonly number[] }[],
): Series[] => {
  const byStep = Map.groupBy(points, ({ at }) => at)
  return (
    [
      ['Half take at most', 0.5],
      ['95 of 100 take at most', 0.95],
    ] as const
  ).map(([name, share]) => ({
    name,
    values: steps.map((at) =>
      quantile(bounds, addHistograms((byStep.get(at) ?? []).map((one) => one.histogram)), share),
    ),
  }))
}

/** The highest backlog of each step; null where nobody looked. */
export function backlog(steps: readonly string[], points: NonNullable<UsageSeries['embedding_backlog']>): Series {
  const byStep = new Map(points.map((point) => [point.at, point]))
  return {
    name: 'Waiting to be embedded',
    values: steps.map((at) => byStep.get(at)?.waiting ?? null),
    atLeast: steps.map((at) => byStep.get(at)?.truncated === true),
  }
}

const OUTCOMES = [
  ['Delivered', 'delivered'],
  ['Open', 'open'],
  ['Failed', 'failed'],
  ['Expired', 'expired'],
] as const

export const deliveriesByOutcome = (steps: readonly string[], points: readonly DeliveryPoint[]): Series[] =>
  OUTCOMES.map(([name, outcome]) => ({ name, values: sumsOf(steps, points, (point) => point[outcome]) }))

function sumsOf<P extends { at: string }>(
  steps: readonly string[],
  points: readonly P[],
  valueOf: (point: P) => number,
): number[] {
  const byStep = Map.groupBy(points, ({ at }) => at)
  return steps.map((at) => (byStep.get(at) ?? []).reduce((sum, point) => sum + valueOf(point), 0))
}
