import type { Statement } from '../../core/database/database.ts'
import { slices } from '../../core/database/slices.ts'
import { memoryEventsStatement, eventAccessStatement } from '../../events/index.ts'
import { keywordIndexStatements } from '../keyword/keyword-index.ts'
import type { Change } from './plan/change.ts'
import { existed, itemAtBase, type Commit } from './commit-items.ts'
import { DELETE_GRANTS, DELETE_TAGS, INSERT_GRANTS, INSERT_TAGS } from './commit-sql.ts'
import { eventSource } from './event-source-sql.ts'
import { INSERT_TURNS } from './turns.ts'
import { INSERT_VERSIONS, TRIM_VERSIONS } from './versions.ts'

/** Statements on the tags, grants, turns, earlier texts and words of the items that the commit stamped. */
export function dependents(commit: Commit): Statement[] {
  const kept = commit.changes.filter((change) => !change.deleted)
  return [
    ...tags(commit, kept),
    ...grants(commit, kept),
    ...turns(commit, kept),
    ...earlierTexts(commit, kept),
    ...keywordIndexStatements(commit.ctx.db, commit.writeId, [...commit.keywordEntries.values()]),
  ]
}

/** One statement for each type of event that occurs, of all items that have it; it returns `OutboxRow`s. */
export function events({ ctx, writeId, changes }: Commit, expired: readonly string[]): Statement[] {
  const all = [
    ...changes.flatMap(({ row, events: own }) => own.map((event) => ({ id: row.id, ...event, reason: null }))),
    ...expired.map((id) => ({ id, type: 'memory.deleted' as const, version: null, reason: 'expired' })),
  ]
  return (['memory.created', 'memory.updated', 'memory.deleted'] as const).flatMap((type) => {
    const rows = all.filter((event) => event.type === type)
    if (rows.length === 0) return []
    const event = { type, actor: ctx.principal.userId }
    return [memoryEventsStatement(ctx, event, eventSource(JSON.stringify(rows), writeId))]
  })
}

function tags(commit: Commit, kept: readonly Change[]): Statement[] {
  const items = kept.filter((change) => change.tagsChanged).map(itemAtBase)
  return [...onStamped(commit, DELETE_TAGS, items.filter(existed)), ...onStamped(commit, INSERT_TAGS, items)]
}

/** With the events for users who may read an item from now on, or may no longer. */
function grants(commit: Commit, kept: readonly Change[]): Statement[] {
  const regranted = kept.filter((change) => change.grantsChanged)
  const before = regranted.filter(existed).map(itemAtBase)
  const now = regranted.map(({ row }) => ({ id: row.id, permissions: JSON.parse(row.permissions ?? '[]') }))
  return [
    ...onStamped(commit, DELETE_GRANTS, before),
    ...onStamped(commit, INSERT_GRANTS, now),
    ...slices(before).map((json) => eventAccessStatement(commit.ctx, eventSource(json, commit.writeId))),
  ]
}

function turns(commit: Commit, kept: readonly Change[]): Statement[] {
  const rows = kept.flatMap(({ row, turn }) => (turn ? [{ id: row.id, key: turn.key, part: turn.part }] : []))
  return onStamped(commit, INSERT_TURNS, rows)
}

function earlierTexts(commit: Commit, kept: readonly Change[]): Statement[] {
  const replaced = kept.filter((change) => change.earlierTexts.length > 0)
  const texts = replaced.flatMap(({ row, earlierTexts: own }) => own.map((text) => ({ id: row.id, ...text })))
  return [...onStamped(commit, INSERT_VERSIONS, texts), ...onStamped(commit, TRIM_VERSIONS, replaced.map(itemAtBase))]
}

const onStamped = ({ ctx, writeId }: Commit, statement: string, rows: readonly unknown[]): Statement[] =>
  slices(rows).map((json) => ctx.db.statement(statement, { items: json, write_id: writeId }))
