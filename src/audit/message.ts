import type { AuditRow } from './record.ts'

/** How a request ended, as `/v1/usage` counts it. `refused` is any 4xx but 429, which is `limited`. */
export type RequestOutcome = 'ok' | 'refused' | 'limited' | 'failed'

/** One message of the audit queue: what one isolate buffered within a window. */
export interface AuditMessage {
  /** A message that is delivered twice is stored once under this id. */
  id: string
  /** Reads and refusals. */
  rows: AuditRow[]
  /** Last use by credential id. */
  uses: Record<string, { kind: 'key' | 'session'; shard: string; at: number }>
  /** Requests by `tenant user operation outcome step`. */
  counts: Record<string, number>
  /** Shards in whose outbox rows were committed. */
  moves: string[]
}

export const emptyMessage = (): AuditMessage => ({ id: '', rows: [], uses: {}, counts: {}, moves: [] })
