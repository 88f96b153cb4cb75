/** Upper bounds of the buckets of duration, in milliseconds; one more bucket holds what took longer. */
export const DURATION_BOUNDS_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000] as const

export const BUCKETS = DURATION_BOUNDS_MS.length + 1

/** A bound belongs to its own bucket, as in OpenMetrics. */
export function bucketOf(durationMs: number): number {
  const bucket = DURATION_BOUNDS_MS.findIndex((bound) => durationMs <= bound)
  return bucket === -1 ? DURATION_BOUNDS_MS.length : bucket
}

const COLUMNS = Array.from({ length: BUCKETS }, (_, bucket) => `d${bucket}`)

/** SQL of each bucket's column, as a list. */
export const eachBucket = (sql: (column: string, bucket: number) => string): string => COLUMNS.map(sql).join(', ')
