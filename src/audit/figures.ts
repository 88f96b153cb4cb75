import type { System } from '../core/context.ts'
import type { Database, Statement } from '../core/database/database.ts'
import { FIRST_SHARD } from '../core/shards.ts'
import { slices } from '../core/database/slices.ts'
import { BUCKETS, eachBucket } from './durations.ts'
import type { AuditMessage } from './message.ts'
import { addDuration } from './request-hours.ts'

/** What is counted for `GET /metrics`, with the names of its labels. No label names a tenant, a user or an id. */
export const FIGURE_LABELS = {
  /** `route` is the pattern of the router, `other` where a client asked for something that no route declares. */
  request: ['method', 'route', 'status_class'],
  embedding: ['outcome'],
  model_call: ['purpose', 'outcome'],
  delivery: ['outcome'],
  audit_object: ['shard'],
  /** Compressed. */
  audit_object_bytes: ['shard'],
  audit_object_rows: ['shard'],
} as const
export type FigureFamily = keyof typeof FIGURE_LABELS

/** Events of one kind that took place. Values of labels hold no space. */
export interface Figure {
  family: FigureFamily
  /** In the order of `FIGURE_LABELS`. */
  labels: readonly string[]
  /** The duration of one timed event. */
  durationMs?: number
  /** The number of untimed events; default 1. */
  events?: number
}

export interface FigureRow {
  family: string
  labels: string
  /** The instant at which its newest event was gathered. */
  at: number
  count: number
  total_ms: number
  /** JSON array: events by bucket of duration. */
  buckets: string
}

/** All figures are in one place, so that a scrape is one round trip however many shards there are. */
export const figuresDatabase = (system: Pick<System, 'auditDatabase'>): Database => system.auditDatabase(FIRST_SHARD)

export const figureKey = ({ family, labels }: Figure): string => [family, ...labels].join(' ')

/** Adds events to the sums under their key; answers whether the key is new. Untimed events are one number. */
export function addFigure(sums: Record<string, number[]>, key: string, figure: Figure): boolean {
  const { durationMs, events = 1 } = figure
  if (durationMs !== undefined) return addDuration(sums, key, Math.max(0, durationMs))
  const before = sums[key]
  sums[key] = [(before?.[0] ?? 0) + events]
  return before === undefined
}

const ADD = `
  insert into figures (family, labels, at, count, total_ms, ${eachBucket((column) => column)})
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4,
    ${eachBucket((_, bucket) => `value ->> ${5 + bucket}`)} from json_each(:rows) where true
  on conflict (family, labels) do update set at = max(at, excluded.at), count = count + excluded.count,
    total_ms = total_ms + excluded.total_ms, ${eachBucket((column) => `${column} = ${column} + excluded.${column}`)}`

/** Statements that add the figures of messages. Run them in the commit that stores the ids of the messages. */
export const figureStatements = (db: Database, messages: readonly AuditMessage[]): Statement[] =>
  slices(messages.flatMap(rowsOf)).map((rows) => db.statement(ADD, { rows }))

const UNTIMED = Array.from({ length: BUCKETS }, () => 0)

const rowsOf = ({ figures }: AuditMessage): (string | number)[][] =>
  Object.entries(figures?.sums ?? {}).map(([key, [first = 0, ...buckets]]) => {
    const [family = '', ...labels] = key.split(' ')
    const timed = buckets.length > 0
    const events = timed ? buckets.reduce((sum, one) => sum + one, 0) : first
    const row = timed ? [first, ...buckets] : [0, ...UNTIMED]
    return [family, labels.join(' '), figures?.at ?? 0, events, ...row]
  })

const READ = `select family, labels, at, count, total_ms, json_array(${eachBucket((column) => column)}) as buckets
  from figures order by family, labels`

/** All figures, for a batch with others. */
export const readFigures = (db: Database): Statement => db.statement(READ)
