import { z } from '@hono/zod-openapi'
import { DAY_MS } from '../../core/values/durations.ts'

export const MIN_HALF_LIFE_DAYS = 0.001
export const MAX_HALF_LIFE_DAYS = 36_500

/** The weight of an item's age in its score. */
export const Recency = z
  .strictObject({
    half_life_days: z.number().min(MIN_HALF_LIFE_DAYS).max(MAX_HALF_LIFE_DAYS),
    weight: z.number().min(0).max(1),
  })
  .meta({
    description:
      'Blends age into the score: (1 − weight) · score + weight · 0.5^(age / half_life_days), by `occurred_at`, else ' +
      '`created_at`. An item in the future has age 0.',
  })
export type Recency = z.output<typeof Recency>

/** The values of `blended`, besides `:now`. */
export const recencyParams = ({ weight, half_life_days: days }: Recency) => ({
  recency_weight: weight,
  half_life_ms: days * DAY_MS,
})

/** SQL: `lent` blended with age: `recency` goes from 1, now or later, to 0, long ago. `told`: further columns. */
export const blended = (told: readonly string[]): string => `
  select row, passes, total, hits, gain, ${told.join(', ')}, recency,
    (1 - :recency_weight) * unblended + :recency_weight * recency as score
  from (
    select *, score as unblended, (
      select pow(0.5, max(0, :now - i.occurrence) / (:half_life_ms * 1.0)) from memory_items i where i.row = lent.row) as recency
    from lent)`

/** The same columns where age does not count. */
export const NOT_BLENDED = 'select *, null as recency from lent'
