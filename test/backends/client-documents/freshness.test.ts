import { expect, test } from 'vitest'
import { freshFor } from '../../../src/backends/client-documents/freshness.ts'

const NOW = Date.UTC(2026, 10, 22)
const WEEK_MS = 7 * 24 * 3_600_000

test.each<[Record<string, string>, number]>([
  [{}, 0],
  [{ 'cache-control': 'max-age=600' }, 600_000],
  [{ 'cache-control': 'public, MAX-AGE="600"' }, 600_000],
  [{ 'cache-control': 'max-age=600, s-maxage=60' }, 60_000],
  [{ 'cache-control': 'max-age=600', age: '100' }, 500_000],
  [{ 'cache-control': 'max-age=600', age: '900' }, 0],
  [{ 'cache-control': 'max-age=600, no-store' }, 0],
  [{ 'cache-control': 'no-cache' }, 0],
  [{ 'cache-control': 'private, max-age=600' }, 0],
  [{ 'cache-control': 'max-age=-5' }, 0],
  [{ 'cache-control': 'max-age=soon' }, 0],
  [{ 'cache-control': 'max-age=9999999999' }, WEEK_MS],
  [{ expires: 'Sun, 22 Nov 2026 01:00:00 GMT' }, 3_600_000],
  [{ expires: 'Sun, 22 Nov 2026 01:00:00 GMT', date: 'Sun, 22 Nov 2026 00:30:00 GMT' }, 1_800_000],
  [{ expires: '0' }, 0],
  [{ expires: 'Fri, 01 Jan 2100 00:00:00 GMT' }, WEEK_MS],
  [{ 'cache-control': 'max-age=60', expires: 'Fri, 01 Jan 2100 00:00:00 GMT' }, 60_000],
])('RFC 9111 §4.2: %j is fresh for %d ms', (headers, fresh) => {
  expect(freshFor(new Headers(headers), NOW)).toBe(fresh)
})
