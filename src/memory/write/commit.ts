import { auditRow, auditSetStatement } from '../../audit/index.ts'
import { shardOf } from '../../auth/index.ts'
import type { AuthContext } from '../../core/context.ts'
import type { Statement } from '../../core/database/database.ts'
import { committedKey, type StoredKey } from '../../core/http/idempotency.ts'
import { enqueueEventsJoined, unsettled, type OutboxRow } from '../../events/index.ts'
import { accessValues } from '../access.ts'
import { events, followers } from './commit-followers.ts'
import { deletions, expirations, insertions, releases, updates, wordsOf, type Write } from './commit-items.ts'
import * as sql from './commit-sql.ts'
import { enqueueEmbedding } from '../embedding/queue.ts'
import type { Plan, PlannedRow } from './operation.ts'

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
export async function commit(ctx: AuthContext, plan: Plan, options: CommitOptions): Promise<Committed> {
  const write = writeOf(ctx, plan, options)
  const key = keyStatements(write, options)
  const items: EmbeddingState[] = []
  const outbox: OutboxRow[] = []
  const keys: StoredKey[] = []
  await run(write, options, [
    [key.take],
    [expirations(write, plan.expired)],
    [deletions(write), items],
    [releases(write, plan.released)],
    [updates(write), items],
    [insertions(write), items],
    [followers(write)],
    [events(write, plan.expired), outbox],
    [auditStatements(write, options)],
    [options.atomic ? [allOrNothing(write)] : []],
    [key.free],
    [key.read, keys],
  ])
  const written = new Map(items.map((row) => [row.id, row]))
  enqueue(write, written, outbox)
  return { written, key: keys[0] ?? null }
}

function writeOf(ctx: AuthContext, plan: Plan, { outcome }: CommitOptions): Write {
  const changes = [...plan.changes.values()]
  return {
    ctx,
    // A request may commit more than once (import, what lost a race): each commit follows its own stamp.
    id: outcome ? ctx.requestId : ctx.newId('req'),
    access: accessValues(ctx),
    changes,
    words: wordsOf(changes),
    claim: outcome ? ctx.idempotency : null,
  }
}

/** Characters of a text up to which its commit may be shared: 25 of them are no more than one batch of its own. */
const MAX_SHARED_LENGTH = 8_192

/** Statements of a batch, and the list that takes the rows which they return. */
type Part = [statements: Statement[], into?: unknown[]]

async function run({ ctx, changes }: Write, { atomic }: CommitOptions, parts: readonly Part[]): Promise<void> {
  // What is small, and does not fail on purpose, shares its commit with that of other requests.
  const [only] = changes.length === 1 && !atomic ? changes : []
  const shared = only !== undefined && only.row.text.length <= MAX_SHARED_LENGTH
  const results = await ctx.db.batch<unknown[]>(
    parts.flatMap(([statements]) => statements),
    shared ? ctx : undefined,
  )
  let from = 0
  for (const [{ length }, into] of parts) {
    into?.push(...results.slice(from, from + length).flat())
    from += length
  }
}

/** The idempotency key: taken first, freed where nothing came of it, read last. */
function keyStatements({ ctx, id, claim, changes }: Write, { outcome }: CommitOptions) {
  if (!claim || !outcome) return { take: [], free: [], read: [] }
  const { userId, tenantId } = ctx.principal
  const { take, read } = committedKey(ctx, claim, outcome.status, outcome.itemId)
  const free = ctx.db.statement(sql.RELEASE_KEY, userId, tenantId, claim.path, claim.key, id, outcome.itemId)
  return { take: [take], free: changes.length > 0 ? [free] : [], read: [read] }
}

function auditStatements({ ctx, id }: Write, { audit }: CommitOptions): Statement[] {
  const { principal, requestId } = ctx
  const rows = audit.map(({ itemId, action, projectId }) => ({
    key: itemId,
    row: auditRow(ctx, {
      principal,
      action,
      outcome: 'success',
      requestId,
      trail: { resourceIds: [itemId], projectId, workspaceId: null },
    }),
  }))
  return rows.length > 0 ? [auditSetStatement(ctx, rows, sql.IS_STAMPED, id)] : []
}

function allOrNothing({ ctx, id, changes }: Write): Statement {
  const ids = JSON.stringify(changes.map(({ row }) => row.id))
  return ctx.db.statement(sql.ALL_OR_NOTHING, ids, changes.length, id)
}

function enqueue({ ctx, changes }: Write, written: Committed['written'], outbox: readonly OutboxRow[]): void {
  const toEmbed = changes
    .filter(({ row, reembedded, deleted }) => reembedded && !deleted && written.has(row.id))
    .map(({ row }) => row.id)
  const shard = shardOf(ctx.principal.routingId)
  enqueueEmbedding(ctx, shard, toEmbed)
  enqueueEventsJoined(ctx, shard, unsettled(outbox))
}
