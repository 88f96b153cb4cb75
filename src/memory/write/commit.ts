import { auditRow, auditSetStatement } from '../../audit/index.ts'
import { shardOf } from '../../core/shards.ts'
import type { AuthContext, DoneOperation } from '../../core/context.ts'
import { isAborted } from '../../core/database/abort.ts'
import type { Statement } from '../../core/database/database.ts'
import { sql } from '../../core/database/sql.ts'
import { progressStatement } from '../../core/idempotency/done-operations.ts'
import { committedKey, readKey, type StoredKey } from '../../core/idempotency/claim.ts'
import { enqueueEventsCoalesced, unsettled, type OutboxRow } from '../../events/index.ts'
import { enqueueEmbedding } from '../embedding/queue.ts'
import { isLong, mergeBehind } from '../keyword/merge-segments.ts'
import { abortUnlessAllWritten } from './all-or-nothing.ts'
import { requireFewTerms } from './atomic-limit.ts'
import { runParts, withoutMerges, type Part } from './batch-parts.ts'
import type { Plan } from './plan/change.ts'
import { dependents, events } from './commit-dependents.ts'
import {
  customIdReleases,
  deletions,
  existed,
  expirations,
  insertions,
  isCurrent,
  keywordEntriesOf,
  restores,
  retirements,
  successorStamps,
  updates,
  type Commit,
} from './commit-items.ts'
import { isDone, isStamped, type WrittenRow } from './commit-sql.ts'

export interface Committed {
  /** By id, the items that were written. A changed item that is missing lost a race. */
  written: ReadonlyMap<string, WrittenRow>
  /** The idempotency key as it stands now, where the commit takes or needs one. */
  key: StoredKey | null
}

export interface CommitOptions {
  /** All changes or none. */
  atomic: boolean
  /** The caller asked for one commit, so contract §3 limits its words. */
  limited?: boolean
  /** The answer that the request's idempotency key keeps; the key commits together with the effect. */
  answer?: { status: number; itemId: string }
  /** For a commit that is a part of its request: the idempotency key must be held, and keeps which operations are done. */
  progress?: readonly DoneOperation[]
  /** Audit rows, one for each operation that writes. */
  audit: readonly { itemId: string; action: string; projectId: string }[]
}

/**
 * Writes a plan in one atomic batch: items, tags, grants, words, versions, audit, events, idempotency key. Null where an
 * atomic plan lost a race: then nothing was written.
 */
export async function commitPlan(ctx: AuthContext, plan: Plan, options: CommitOptions): Promise<Committed | null> {
  const commit = commitOf(ctx, plan, options)
  if (options.limited) requireFewTerms(commit.keywordEntries.values())
  const key = keyStatements(commit, options)
  const items: WrittenRow[] = []
  const outbox: OutboxRow[] = []
  const keys: StoredKey[] = []
  const parts: Part[] = [
    [key.take],
    [expirations(commit, plan.expired)],
    [deletions(commit), items],
    [restores(commit)],
    [customIdReleases(commit, plan.released)],
    [updates(commit), items],
    [insertions(commit), items],
    [successorStamps(commit, plan.successors), items],
    [retirements(commit), items],
    [dependents(commit)],
    [events(commit, plan.expired), outbox],
    [auditStatements(commit, options)],
    [options.atomic ? [abortUnlessAllWritten(ctx.db, stampedIdsOf(plan), commit.writeId)] : []],
    [key.record],
    [key.free],
    [key.read, keys],
  ]
  try {
    await runParts(
      ctx.db,
      commit.isLong ? withoutMerges(ctx.db, parts) : parts,
      isBrief(commit, options) ? 'brief' : 'alone',
    )
  } catch (error) {
    if (options.atomic && isAborted(error)) return null
    throw error
  }
  const written = new Map(items.map((row) => [row.id, row]))
  enqueue(commit, written, outbox)
  return { written, key: keys[0] ?? null }
}

const stampedIdsOf = ({ changes, successors }: Plan): string[] => [...changes.keys(), ...successors.keys()]

function commitOf(ctx: AuthContext, plan: Plan, { answer, progress }: CommitOptions): Commit {
  const changes = [...plan.changes.values()]
  const keywordEntries = keywordEntriesOf(changes, ctx.vocabulary)
  const deleted = plan.expired.length + changes.filter((change) => !isCurrent(change) && existed(change)).length
  return {
    ctx,
    // A request may commit more than once (an import, a lost race), so each commit has a stamp of its own.
    writeId: answer ? ctx.requestId : ctx.newId('req'),
    changes,
    keywordEntries,
    isLong: isLong([...keywordEntries.values()], deleted),
    claim: answer || progress ? ctx.idempotency : null,
  }
}

/** A commit of one text up to this many characters is brief: 25 of them are no larger than the longest text. */
const MAX_BRIEF_LENGTH = 2_560

/** An atomic commit may fail on purpose, and would take along those that share its batch. */
function isBrief({ changes }: Commit, { atomic }: CommitOptions): boolean {
  const [only] = changes.length === 1 && !atomic ? changes : []
  return only !== undefined && only.row.text.length <= MAX_BRIEF_LENGTH
}

/**
 * A commit that is the whole effect of its request takes the idempotency key first, frees it where nothing was written,
 * and reads it last. One that is a part of the effect records what it did, and reads the key.
 */
function keyStatements({ ctx, writeId, claim, changes }: Commit, { answer, progress }: CommitOptions) {
  const none = { take: [], record: [], free: [], read: [] }
  if (!claim) return none
  if (progress) {
    const done = { id: writeId, operations: progress }
    return { ...none, record: [progressStatement(ctx, claim, done, isDone(writeId))], read: [readKey(ctx, claim)] }
  }
  if (!answer) return none
  const key = committedKey(ctx, claim, answer.status, answer.itemId)
  const written = sql('exists (select 1 from memory_items where id = :id and write_id = :write_id)', {
    id: answer.itemId,
    write_id: writeId,
  })
  return {
    ...none,
    take: [key.take],
    free: changes.length > 0 ? [key.free(written)] : [],
    read: [key.read],
  }
}

function auditStatements({ ctx, writeId }: Commit, { audit }: CommitOptions): Statement[] {
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
  return rows.length > 0 ? [auditSetStatement(ctx, rows, isStamped(writeId))] : []
}

function enqueue(commit: Commit, written: Committed['written'], outbox: readonly OutboxRow[]): void {
  const { ctx, changes, keywordEntries } = commit
  const toEmbed = changes
    .filter((change) => change.toEmbed && isCurrent(change) && written.has(change.row.id))
    .map(({ row }) => row.id)
  const shard = shardOf(ctx.principal.routingId)
  enqueueEmbedding(ctx, shard, toEmbed)
  enqueueEventsCoalesced(ctx, shard, unsettled(outbox))
  if (commit.isLong && keywordEntries.size > 0) ctx.waitUntil(mergeBehind(ctx.db))
}
