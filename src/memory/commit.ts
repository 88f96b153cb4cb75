import { auditRow, auditSetStatement } from '../audit/index.ts'
import { shardOf } from '../auth/index.ts'
import type { Ctx } from '../core/context.ts'
import type { Statement } from '../core/db.ts'
import { committedKey, type StoredKey } from '../core/idempotency.ts'
import {
  enqueueEventsJoined,
  memoryEventsStatement,
  regrantEventsStatement,
  unsettled,
  type OutboxRow,
} from '../events/index.ts'
import { accessValues } from './access.ts'
import * as sql from './commit-sql.ts'
import { enqueueEmbedding, RESEND_AFTER_MS } from './jobs.ts'
import type { Change, Plan, PlannedRow } from './operation.ts'
import { slices } from './slices.ts'
import { indexedWords } from './indexed-words.ts'
import { wordIndexStatements, type WordEntry } from './word-index.ts'

type EmbeddingState = Pick<PlannedRow, 'id' | 'embedding_status' | 'embedding_model' | 'embedding_error'>

export interface Committed {
  /** What became of the embedding of each item that was written; an item that is missing lost a race. */
  written: ReadonlyMap<string, EmbeddingState>
  /** The idempotency key as it stands now, where one was asked for. */
  key: StoredKey | null
}

export interface CommitOptions {
  /** All changes or none: throws where one of them lost a race. */
  atomic?: boolean
  /** Kept under the request's idempotency key, together with the effect. */
  outcome?: { status: number; itemId: string }
  /** Audit rows of the changes: which item, and the row that tells of it. */
  audit: readonly { itemId: string; action: string; projectId: string }[]
}

/** Writes a plan in one atomic batch: items, tags, grants, words, versions, audit, events, idempotency key. */
export async function commit(
  ctx: Ctx,
  { changes, expired, released }: Plan,
  options: CommitOptions,
): Promise<Committed> {
  const { db } = ctx
  // A request may commit more than once (import, what lost a race): each commit follows its own stamp.
  const writeId = options.outcome ? ctx.requestId : ctx.newId('req')
  const all = [...changes.values()]
  const steps: { statement: Statement; take?: (rows: unknown[]) => void }[] = []
  const add = (statement: Statement, take?: (rows: never[]) => void): void => {
    steps.push(take ? { statement, take: take as (rows: unknown[]) => void } : { statement })
  }
  const written = new Map<string, EmbeddingState>()
  const note = (rows: EmbeddingState[]): void => rows.forEach((row) => written.set(row.id, row))
  const events: OutboxRow[] = []
  let key: StoredKey | null = null

  const claim = options.outcome ? ctx.idempotency : null
  const held =
    claim && options.outcome ? committedKey(ctx, claim, options.outcome.status, options.outcome.itemId) : null
  if (held) add(held.take)
  const at = accessValues(ctx)
  const guard = [writeId, claim?.path ?? null, claim?.key ?? null] as const
  const words = wordsOf(all)
  const after = ctx.now() + RESEND_AFTER_MS

  if (expired.length > 0) {
    const ids = expired.map((id) => ({ id }))
    add(db.statement(sql.TOMBSTONE, ctx.now(), writeId, JSON.stringify(ids), 'expired'))
  }
  const gone = all.filter((change) => change.deleted && change.base > 0)
  if (gone.length > 0) add(db.statement(sql.DELETE, ...at, JSON.stringify(gone.map(target)), ...guard), note)
  const changed = all.filter((change) => !change.deleted && change.base > 0)
  const passing = changed.filter(({ row }) => released.includes(row.id)).map(target)
  if (passing.length > 0) add(db.statement(sql.RELEASE_CUSTOM_IDS, ...at, JSON.stringify(passing), ...guard))
  for (const json of slices(changed.map((change) => updateOf(change, words, after)))) {
    add(db.statement(sql.UPDATE, ...at, json, ...guard), note)
  }
  const fresh = all.filter((change) => change.base === 0)
  for (const json of slices(fresh.map((change) => insertOf(change, words, after, ctx.now())))) {
    add(db.statement(sql.INSERT, ...at, json, ...guard, ctx.config.quotas.items), note)
  }

  const kept = all.filter((change) => !change.deleted)
  const follow = (statement: string, rows: unknown[]): void => {
    for (const json of slices(rows)) add(db.statement(statement, json, writeId))
  }
  const retagged = kept.filter((change) => change.retagged).map(target)
  follow(
    sql.CLEAR_TAGS,
    retagged.filter(({ base }) => base > 0),
  )
  follow(sql.ADD_TAGS, retagged)
  const regranted = kept.filter((change) => change.regranted)
  follow(sql.CLEAR_GRANTS, regranted.filter(({ base }) => base > 0).map(target))
  follow(
    sql.ADD_GRANTS,
    regranted.map(({ row }) => ({ id: row.id, permissions: JSON.parse(row.permissions ?? '[]') })),
  )
  for (const json of slices(regranted.filter(({ base }) => base > 0).map(target))) {
    add(regrantEventsStatement(ctx, sql.EVENT_SOURCE, json, writeId))
  }
  const earlier = kept.filter((change) => change.earlier.length > 0)
  follow(
    sql.ADD_VERSIONS,
    earlier.flatMap(({ row, earlier: texts }) => texts.map((text) => ({ id: row.id, ...text }))),
  )
  follow(sql.TRIM_VERSIONS, earlier.map(target))
  for (const statement of wordIndexStatements(db, writeId, [...words.values()])) add(statement)

  const changesTold = all.flatMap(({ row, events: told }) =>
    told.map((event) => ({ id: row.id, ...event, reason: null })),
  )
  const ended = expired.map((id) => ({ id, type: 'memory.deleted' as const, version: null, reason: 'expired' }))
  for (const type of ['memory.created', 'memory.updated', 'memory.deleted'] as const) {
    const rows = [...changesTold, ...ended].filter((event) => event.type === type)
    if (rows.length === 0) continue
    const event = { type, actor: ctx.principal.userId }
    add(memoryEventsStatement(ctx, event, sql.EVENT_SOURCE, JSON.stringify(rows), writeId), (committed: OutboxRow[]) =>
      events.push(...committed),
    )
  }
  if (options.audit.length > 0) add(auditOf(ctx, options.audit, writeId))
  if (options.atomic) {
    const ids = JSON.stringify(all.map(({ row }) => row.id))
    add(db.statement(sql.ALL_OR_NOTHING, ids, all.length, writeId))
  }
  if (claim && held && options.outcome) {
    const { userId, tenantId } = ctx.principal
    if (all.length > 0)
      add(db.statement(sql.RELEASE_KEY, userId, tenantId, claim.path, claim.key, writeId, options.outcome.itemId))
    add(held.read, ([row]: StoredKey[]) => {
      key = row ?? null
    })
  }

  const results = await db.batch<unknown[]>(steps.map(({ statement }) => statement))
  steps.forEach(({ take }, index) => take?.(results[index] ?? []))
  const toEmbed = kept.filter(({ row, reembedded }) => reembedded && written.has(row.id)).map(({ row }) => row.id)
  const shard = shardOf(ctx.principal.routingId)
  enqueueEmbedding(ctx, shard, toEmbed)
  enqueueEventsJoined(ctx, shard, unsettled(events))
  return { written, key }
}

const target = ({ row, base }: Change): { id: string; base: number } => ({ id: row.id, base })

type Words = ReadonlyMap<string, WordEntry & { count: number }>

const wordsOf = (changes: readonly Change[]): Words =>
  new Map(
    changes
      .filter((change) => change.reworded && !change.deleted)
      .map(({ row, base }) => [row.id, { id: row.id, isNew: base === 0, ...indexedWords(row.text) }]),
  )

const updateOf = ({ row, base, reembedded }: Change, words: Words, after: number) => ({
  ...row,
  base,
  reembedded,
  next_attempt_at: after,
  word_count: words.get(row.id)?.count ?? null,
})

const insertOf = ({ row, deleted, deduplicate }: Change, words: Words, after: number, now: number) => ({
  ...row,
  deduplicate,
  next_attempt_at: after,
  word_count: words.get(row.id)?.count ?? 0,
  deleted_at: deleted ? now : null,
  delete_reason: deleted ? 'deleted' : null,
})

function auditOf(ctx: Ctx, rows: CommitOptions['audit'], writeId: string): Statement {
  const { principal, requestId } = ctx
  return auditSetStatement(
    ctx,
    rows.map(({ itemId, action, projectId }) => ({
      key: itemId,
      row: auditRow(ctx, {
        principal,
        action,
        outcome: 'success',
        requestId,
        trail: { resourceIds: [itemId], projectId, workspaceId: null },
      }),
    })),
    sql.IS_STAMPED,
    writeId,
  )
}
