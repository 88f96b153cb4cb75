import type { System } from '../core/context.ts'
import type { Database } from '../core/database/database.ts'
import { isDue, isUnfiled, lacksSpeaker, otherModels, OUTDATED, UNEMBEDDED } from '../memory/index.ts'
import { NEVER_ERASED } from '../memory/table.ts'

/** A larger backlog is reported as this number. Its oldest entry is then the oldest of the entries that were counted. */
export const COUNTED_TO = 1_000

/** Work that is due, with `since` when. Each condition is that of a partial index, so an idle shard reads no rows. */
const DUE = {
  embedding: `select i.updated_at as since from ${UNEMBEDDED} union all select null from ${OUTDATED}`,
  reindexing: `select null as since from memory_items i indexed by memory_items_to_index where ${isDue('i')}
    union all select null from memory_items i indexed by memory_items_to_key where ${lacksSpeaker('i')}`,
  filing: `select null as since from memory_items i indexed by memory_items_to_file where ${isUnfiled('i')}`,
  expiry: `select expires_at as since from memory_items
    where expires_at is not null and deleted_at is null and expires_at <= :now
    union all select expires_at from memory_items
    where expires_at is not null and retired_at is not null and expires_at <= :now`,
  // Tombstones, then retired items whose vectors are still there.
  purge: `select deleted_at as since from memory_items where deleted_at is not null and vectors_purged_at is null
    union all select deleted_at from memory_items where deleted_at is not null and vectors_purged_at < ${NEVER_ERASED}
    union all select deleted_at from memory_items where unpurged_version is not null`,
  erasures: `select requested_at as since from erasures where status = 'running'`,
  events: `select created_at as since from events where settled_at is null`,
  deliveries: `select resend_at as since from deliveries where status in ('pending', 'sending') and resend_at <= :now`,
  audit: `select created_at as since from audit_outbox`,
  revocations: `select ends_at as since from pending_denials`,
}
export type BacklogKind = keyof typeof DUE
export const BACKLOG_KINDS = Object.keys(DUE) as BacklogKind[]

export interface Backlog {
  kind: BacklogKind
  /** Counted up to `COUNTED_TO`. */
  waiting: number
  /** Since when the oldest of them is due, in milliseconds since 1970; null: nothing says when. */
  oldest_at: number | null
}

/** A column of each kind has a JSON array, since D1 takes five terms of a compound select. `:dimension` null: unknown. */
const COUNT = `with ${otherModels(':model', ':dimension')} select ${Object.entries(DUE)
  .map(
    ([kind, due]) =>
      `(select json_array(count(*), min(since)) from (select since from (${due}) limit ${COUNTED_TO})) as ${kind}`,
  )
  .join(', ')}`

/** The work of a shard that is due, each kind once. */
export async function countBacklogs(system: System, db: Database): Promise<Backlog[]> {
  const dimension = await system.embedder.readDimension()
  const row = await db.first<Record<BacklogKind, string>>(COUNT, {
    now: system.now(),
    model: system.embedder.model,
    dimension,
  })
  return BACKLOG_KINDS.map((kind) => {
    const [waiting, oldest_at]: [number, number | null] = JSON.parse(row?.[kind] ?? '[0,null]')
    return { kind, waiting, oldest_at }
  })
}
