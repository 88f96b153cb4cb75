import { z } from '@hono/zod-openapi'
import { invalid } from '../core/errors.ts'
import { DAY_MS } from '../core/values/durations.ts'

/** One answer has at most this many steps: a day in five minutes, sixteen days in hours, a year in days. */
const MAX_STEPS = 400

const instant = z.iso
  .datetime({ offset: true })
  .transform((at) => Date.parse(at))
  .optional()
  .openapi({ type: 'string', format: 'date-time' })

/** The time of which figures are asked; by default the last 24 hours. */
export const rangeFields = { since: instant, until: instant }

/** Why a range is refused (`EndpointSpec.refusals`). */
export const RANGE_REFUSALS = {
  empty_range: '`since` is not before `until`',
  too_many_steps: `the range has more than ${MAX_STEPS} steps`,
}

/** `since` included and `until` not, in milliseconds. 422 where the range is empty or has too many steps. */
export function rangeOf(
  input: { since?: number | undefined; until?: number | undefined },
  now: number,
  stepMs: number,
): { since: number; until: number; stepMs: number } {
  const until = input.until ?? now
  const since = input.since ?? until - DAY_MS
  if (since >= until) throw invalid('since', 'empty_range', 'since must be before until.')
  if ((until - since) / stepMs > MAX_STEPS)
    throw invalid('step', 'too_many_steps', `A response has at most ${MAX_STEPS} steps: choose a longer step.`)
  return { since, until, stepMs }
}
