import { EXIT } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { ImportLine } from './line.ts'
import type { Format } from './source.ts'

/** The sources whose records say when they were written. */
const WITH_TIMES: readonly Format[] = ['chatgpt', 'claude', 'claude-code', 'codex', 'mem0', 'supermemory']

export const BEFORE_SINCE = 'before --since'

export function requireTimes(format: Format): void {
  if (WITH_TIMES.includes(format)) return
  throw new Failure(
    EXIT.usage,
    `--since does not apply to --from ${format}, because some of its records have no time.`,
    {
      hint: `It applies to ${WITH_TIMES.join(', ')}.`,
    },
  )
}

/** Whether a record was written before an instant. One that does not say when is not. */
export function isBefore({ occurred_at, created_at }: Partial<ImportLine>, since: number | null): boolean {
  const at = occurred_at ?? created_at
  return since !== null && typeof at === 'string' && Date.parse(at) < since
}
