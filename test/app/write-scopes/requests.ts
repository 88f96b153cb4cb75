import type { Planted } from '../../support/canaries.ts'
import type { Answer } from '../../support/world.ts'

/** The id of nothing. */
export const NEVER = 'mem_01K8E3Z4T7Q9V6N2M5B8C1D0FG'

export interface Sent {
  status: number
  params?: Record<string, string>
  query?: string
  body?: unknown
  /** JSON lines. */
  raw?: string
  headers?: Record<string, string>
  /** The member of the workspace asks, instead of its owner. */
  byMember?: true
  /** What somebody with all scopes does before. */
  before?: () => Promise<unknown>
}

/** A request that is sent twice under one idempotency key: first with all scopes. `inBetween` happens in between. */
export type Replayed = Omit<Sent, 'before' | 'headers'> & { inBetween?: (first: Answer) => Promise<unknown> }

/** Requests to operations with a scope to write, unhappy ones too, by operation. */
export type Requests = Record<string, (planted: Planted, replays: (sent: Replayed) => Sent) => Sent[]>
