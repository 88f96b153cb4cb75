import { FIRST_SHARD } from '../core/shards.ts'
import type { AuditRow } from './record.ts'

/** How a request ended, as `/v1/usage` counts it. `refused` is any 4xx but 429, which is `limited`. */
export type RequestOutcome = 'ok' | 'refused' | 'limited' | 'failed'

/** One message of the audit queue: what one isolate buffered within a window. */
export interface AuditMessage {
  /** A message that is delivered twice is stored once under this id. */
  id: string
  /** Of the tenants whose requests it is about. A version with one shard named none. */
  shard?: string
  /** Reads and refusals. */
  rows: AuditRow[]
  /** Last use by credential id. */
  uses: Record<string, { kind: 'key' | 'session'; shard: string; at: number }>
  /** Requests by `tenant user operation outcome step`. */
  counts: Record<string, number>
  /** By `tenant hour user operation credential project outcome`: milliseconds, then requests by bucket of duration. */
  hours?: Record<string, number[]>
  /** For `GET /metrics`, where somebody may read it: sums by `family label label …`, and when the newest was gathered. */
  figures?: { at: number; sums: Record<string, number[]> }
  /** Shards in whose outbox rows were committed. */
  moves: string[]
}

export const emptyMessage = (shard = FIRST_SHARD): AuditMessage => ({
  id: '',
  shard,
  rows: [],
  uses: {},
  counts: {},
  moves: [],
})
