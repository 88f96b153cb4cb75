import { expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { BUCKETS, FIGURE_LABELS } from '../../../src/audit/index.ts'
import { firstShards, MAX_SHARDS } from '../../../src/core/shards.ts'
import { BACKLOG_KINDS } from '../../../src/reference/backlogs.ts'
import { GAUGE_LABELS } from '../../../src/reference/metrics/gauges.ts'
import { metricsOf } from '../../../src/reference/metrics/metrics-of.ts'
import { MAX_SERIES, print, type Metric } from '../../../src/reference/metrics/openmetrics.ts'
import { declaredRoutes } from '../../../src/request-figures.ts'
import { newIsolate, scrape } from '../../support/metrics.ts'
import { until } from '../../support/until.ts'

const STATUS_CLASSES = 5
/** The lines of a histogram: its buckets, its count and its sum. */
const HISTOGRAM = BUCKETS + 2

test('a histogram has at most twelve buckets', () => {
  expect(BUCKETS).toBeLessThanOrEqual(12)
})

test('security 81: all routes with all classes of status, of a hundred shards, stay below 6,000 series', () => {
  const routes = [...declaredRoutes(createApp()), 'other other']
  const figure = (family: string, labels: string) => ({
    family,
    labels,
    at: 1,
    count: 1,
    total_ms: 1,
    buckets: JSON.stringify(Array.from({ length: BUCKETS }, () => 1)),
  })
  const values = new Map<string, readonly string[]>(
    Object.entries({
      shard: firstShards(MAX_SHARDS),
      kind: BACKLOG_KINDS,
      database: ['main', 'audit'],
      queue: ['embed', 'purge', 'events', 'delivery', 'audit'],
      purpose: ['query', 'document'],
      // More than any family has.
      outcome: ['completed', 'failed', 'refused', 'no_model', 'no_vectors', 'too_long'],
      status_class: ['1xx', '2xx', '3xx', '4xx', '5xx'],
    }),
  )
  /** All values of these labels together. */
  const product = (names: readonly string[]): string[] =>
    names.reduce<string[]>(
      (all, name) => all.flatMap((before) => (values.get(name) ?? []).map((value) => `${before} ${value}`.trim())),
      [''],
    )
  const names = [...Object.values(FIGURE_LABELS), ...Object.values(GAUGE_LABELS)].flat()
  expect(names.filter((name) => name !== 'method' && name !== 'route' && !values.has(name))).toEqual([])
  const rows = {
    figures: Object.entries(FIGURE_LABELS).flatMap(([family, names]) =>
      family === 'request'
        ? routes.flatMap((route) => product(['status_class']).map((status) => figure(family, `${route} ${status}`)))
        : product(names).map((labels) => figure(family, labels)),
    ),
    gauges: Object.entries(GAUGE_LABELS).flatMap(([family, names]) =>
      product(names).map((labels) => ({ family, labels, at: 1, value: 1 })),
    ),
  }
  const { series, leftOut } = print(metricsOf(rows, 1))
  expect(series).toBeGreaterThan(routes.length * STATUS_CLASSES)
  expect([leftOut, series <= MAX_SERIES]).toEqual([0, true])
})

test('no more than 6,000 series are printed, and a histogram is whole or left out', () => {
  const samples = Array.from({ length: 1_000 }, (_, nth) => ({
    labels: { nth: String(nth) },
    value: { buckets: Array.from({ length: BUCKETS }, () => 1), totalMs: 1 },
  }))
  const metric: Metric = { name: 'm', type: 'histogram', help: 'Many.', samples }
  const { text, series, leftOut } = print([metric])
  const whole = Math.floor(MAX_SERIES / HISTOGRAM)
  expect([series, leftOut]).toEqual([whole * HISTOGRAM, (1_000 - whole) * HISTOGRAM])
  expect(text.match(/m_count/g)).toHaveLength(whole)
})

test('security 81: whatever paths and methods a client asks for, its requests make one series', async () => {
  const wait = vi.spyOn(scheduler, 'wait').mockResolvedValue(undefined)
  onTestFinished(() => wait.mockRestore())
  const other = 'recollect_requests_total{method="other",route="other",status_class="4xx"}'
  const isolate = newIsolate()
  const asked = [
    ['GET', '/no/such/path-18'],
    ['GET', '/v1/projects/a/b/c/d-18'],
    ['PUT', '/health?x=18'],
    ['PROPFIND', '/api/memory/store'],
    ['GET', '/%22%7D%0Arecollect_requests_total%7Bmethod=%22x%22%7D%201'],
    ['PATCH', '/metrics'],
  ] as const
  const before = (await scrape()).get(other) ?? 0
  for (const [method, path] of asked) expect((await isolate.send(path, { method })).status).toBeGreaterThanOrEqual(400)
  await until(async () => expect((await scrape()).get(other)).toBe(before + asked.length))
  const declared = declaredRoutes(createApp())
  for (const series of (await scrape()).keys()) {
    const [, method, route] = /^recollect_requests_total\{method="([^"]*)",route="([^"]*)"/.exec(series) ?? []
    if (route === undefined || route.startsWith('/test/')) continue
    expect(route === 'other' || declared.has(`${method} ${route}`), series).toBe(true)
  }
})
