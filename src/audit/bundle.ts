import type { AuditRow } from './record.ts'

/** How a request ended, as `/v1/usage` tells it. `refused`: any 4xx but 429, which is `limited`. */
export const OUTCOMES = ['ok', 'refused', 'limited', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What one isolate gathered within a window: one message of the audit queue. */
export interface AuditBundle {
  /** Names the message, so that what is delivered twice is stored once. */
  id: string
  /** Reads and refusals. */
  rows: AuditRow[]
  /** Last use by credential id. */
  uses: Record<string, { kind: 'key' | 'session'; shard: string; at: number }>
  /** Requests by `tenant user operation outcome bucket`. */
  counts: Record<string, number>
  /** Shards in whose outbox rows were committed. */
  moves: string[]
}

export const emptyBundle = (): AuditBundle => ({ id: '', rows: [], uses: {}, counts: {}, moves: [] })

export const isEmpty = (bundle: AuditBundle): boolean =>
  bundle.rows.length === 0 && Object.keys(bundle.counts).length === 0

/** Both in one; of uses the later wins, counts add up. */
export function mergeBundles(earlier: AuditBundle, later: AuditBundle): AuditBundle {
  const counts = { ...earlier.counts }
  for (const [key, count] of Object.entries(later.counts)) counts[key] = (counts[key] ?? 0) + count
  return {
    id: later.id,
    rows: [...earlier.rows, ...later.rows],
    uses: { ...earlier.uses, ...later.uses },
    counts,
    moves: [...new Set([...earlier.moves, ...later.moves])],
  }
}
