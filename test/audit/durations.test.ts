import { expect, test } from 'vitest'
import { BUCKETS, bucketOf, DURATION_BOUNDS_MS, eachBucket } from '../../src/audit/durations.ts'

test('a bound belongs to its own bucket, and a millisecond more to the next', () => {
  for (const [bucket, bound] of DURATION_BOUNDS_MS.entries())
    expect([bucketOf(bound), bucketOf(bound + 1)]).toEqual([bucket, bucket + 1])
})

test.each([
  [0, 0],
  [0.4, 0],
  [-1, 0],
  [5_001, 10],
  [Number.MAX_SAFE_INTEGER, 10],
  [Infinity, 10],
])('%d ms are in bucket %d', (durationMs, bucket) => expect(bucketOf(durationMs)).toBe(bucket))

test('the bounds rise, so that each duration has one bucket', () => {
  expect(DURATION_BOUNDS_MS).toEqual([...DURATION_BOUNDS_MS].toSorted((a, b) => a - b))
  expect(new Set(DURATION_BOUNDS_MS).size).toBe(BUCKETS - 1)
})

test('each bucket has a column, in order', () => {
  const columns = eachBucket((column, bucket) => `${column}=${bucket}`).split(', ')
  expect(columns).toHaveLength(BUCKETS)
  expect([columns[0], columns.at(-1)]).toEqual(['d0=0', 'd10=10'])
})
