import type { Statement } from '../../core/database/database.ts'
import { memoryEventsStatement, regrantEventsStatement } from '../../events/index.ts'
import { existed, target, type Write } from './commit-items.ts'
import * as sql from './commit-sql.ts'
import type { Change } from './operation.ts'
import { slices } from '../../core/database/slices.ts'
import { keywordIndexStatements } from '../keyword/keyword-index.ts'

/** What belongs to the items and follows their stamp: tags, grants, earlier texts, words. */
export function followers(write: Write): Statement[] {
  const kept = write.changes.filter((change) => !change.deleted)
  return [
    ...tags(write, kept),
    ...grants(write, kept),
    ...earlierTexts(write, kept),
    ...keywordIndexStatements(write.ctx.db, write.id, [...write.words.values()]),
  ]
}

/** One statement for each type of event, of all items that it happened to; it returns `OutboxRow`s. */
export function events({ ctx, id: writeId, changes }: Write, expired: readonly string[]): Statement[] {
  const happened = [
    ...changes.flatMap(({ row, events: own }) => own.map((event) => ({ id: row.id, ...event, reason: null }))),
    ...expired.map((id) => ({ id, type: 'memory.deleted' as const, version: null, reason: 'expired' })),
  ]
  return (['memory.created', 'memory.updated', 'memory.deleted'] as const).flatMap((type) => {
    const rows = happened.filter((event) => event.type === type)
    if (rows.length === 0) return []
    const event = { type, actor: ctx.principal.userId }
    return [memoryEventsStatement(ctx, event, sql.EVENT_SOURCE, JSON.stringify(rows), writeId)]
  })
}

function tags(write: Write, kept: readonly Change[]): Statement[] {
  const retagged = kept.filter((change) => change.retagged).map(target)
  return [...following(write, sql.CLEAR_TAGS, retagged.filter(existed)), ...following(write, sql.ADD_TAGS, retagged)]
}

/** With the events for those who may read an item since, or may no longer. */
function grants(write: Write, kept: readonly Change[]): Statement[] {
  const regranted = kept.filter((change) => change.regranted)
  const before = regranted.filter(existed).map(target)
  const now = regranted.map(({ row }) => ({ id: row.id, permissions: JSON.parse(row.permissions ?? '[]') }))
  return [
    ...following(write, sql.CLEAR_GRANTS, before),
    ...following(write, sql.ADD_GRANTS, now),
    ...slices(before).map((json) => regrantEventsStatement(write.ctx, sql.EVENT_SOURCE, json, write.id)),
  ]
}

function earlierTexts(write: Write, kept: readonly Change[]): Statement[] {
  const replaced = kept.filter((change) => change.earlier.length > 0)
  const texts = replaced.flatMap(({ row, earlier }) => earlier.map((text) => ({ id: row.id, ...text })))
  return [...following(write, sql.ADD_VERSIONS, texts), ...following(write, sql.TRIM_VERSIONS, replaced.map(target))]
}

const following = ({ ctx, id }: Write, statement: string, rows: readonly unknown[]): Statement[] =>
  slices(rows).map((json) => ctx.db.statement(statement, json, id))
