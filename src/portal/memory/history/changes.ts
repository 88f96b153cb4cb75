import type { AuditRow } from '../../../audit/index.ts'
import type { Page } from '../../../core/http/cursor.ts'
import type { MemoryItem, Version } from '../../../memory/index.ts'
import { attempt } from '../../form.ts'
import type { PageContext } from '../../page-context.ts'
import type { Versions } from './versions.ts'

/** What became of a memory, as the audit log has it. */
export interface Change {
  kind: 'retired' | 'restored' | 'updated'
  at: string
  by: string
  /** As `text_via` of an item. */
  via: string
}

const KINDS: Record<string, Change['kind']> = {
  'memory.retire': 'retired',
  'memory.restore': 'restored',
  'memory.update': 'updated',
}

/** Rows that one page reads: those of the reads by agents stand among them. */
const MAX_ROWS = 100
/** The log has the time at which a change was committed, which is shortly after that of the item. */
const COMMIT_MS = 1_000
/** Memories that one store supersedes (contract §3). */
const MAX_SHOWN_SUPERSEDED = 10

type Reader = Pick<PageContext, 'api'>

/** The changes of a memory in the log, newest first, as far as the user may see them. Without the log there are none. */
export async function readChanges(ctx: Reader, { id, created_at }: MemoryItem): Promise<Change[]> {
  const rows = await readLog(ctx, { resource_id: id, since: created_at })
  return rows.flatMap(({ action, at, actor, credential }) => {
    const kind = KINDS[action]
    const via = credential.kind === 'session' ? 'session' : (credential.app_id ?? credential.id)
    return kind === undefined ? [] : [{ kind, at, by: actor, via }]
  })
}

/** The memories that this one superseded when it was stored. The log has their retirements in the same commit. */
export async function readSuperseded(ctx: Reader, item: MemoryItem): Promise<MemoryItem[]> {
  const until = new Date(Date.parse(item.created_at) + COMMIT_MS).toISOString()
  const { project_id } = item.context
  const rows = await readLog(ctx, { action: 'memory.retire', project_id, since: item.created_at, until })
  const ids = new Set(rows.flatMap(({ resource_ids }) => resource_ids))
  const found = await Promise.all(
    [...ids]
      .slice(-MAX_SHOWN_SUPERSEDED)
      .map((id) => attempt(ctx.api.get<MemoryItem>(`/v1/memory/items/${id}`), [404, 503])),
  )
  return found.flatMap((one) => (one.ok && one.value.superseded_by === item.id ? [one.value] : []))
}

async function readLog(ctx: Reader, filter: Record<string, string>): Promise<AuditRow[]> {
  const query = { ...filter, outcome: 'success', page_reads: 'exclude', limit: MAX_ROWS }
  const rows = await attempt(ctx.api.get<Page<AuditRow>>('/v1/audit', query), [503])
  return rows.ok ? rows.value.data : []
}

/** The changes of one page of a history, each told once. */
export interface PageChanges {
  /** That which brought the current text; null where the log does not say for certain. */
  ofText: Change | null
  /** That which retired the item as it is now. */
  ofRetirement: Change | null
  /** Those that no earlier text and neither of the above tells. */
  further: Change[]
}

/** What the log adds to a page of earlier texts. Without `item`, the page is not the first one. */
export function changesOnPage(
  all: readonly Change[],
  { shown, beyond, next }: Versions,
  item: MemoryItem | null,
): PageChanges {
  const further = [...all]
  const take = (kind: Change['kind'], instant: string): Change | null => {
    const index = further.findLastIndex((change) => change.kind === kind && isOf(change, instant))
    return further.splice(index, index === -1 ? 0 : 1)[0] ?? null
  }
  for (const { version, written_at } of [...shown, ...(beyond ? [beyond] : [])])
    if (version > 1) take('updated', written_at)
  const [newest] = shown
  const ofText = item && newest ? changeOfText(further, newest, item) : null
  const ofRetirement = item?.retired_at === undefined ? null : take('retired', item.retired_at)
  const from = next === null ? '' : (beyond?.written_at ?? newest?.written_at ?? '')
  const isHere = ({ at }: Change) => at >= from && (item !== null || at < (newest?.written_at ?? ''))
  return { ofText, ofRetirement, further: further.filter((change) => change !== ofText && isHere(change)) }
}

/** Whether a row of the log is of what happened at an instant of the item. */
function isOf({ at }: Change, instant: string): boolean {
  const later = Date.parse(at) - Date.parse(instant)
  return later >= 0 && later < COMMIT_MS
}

/** Each change raises the version by one. So the log has all of them, and one of these alone can have changed the text. */
function changeOfText(changes: readonly Change[], newest: Version, { version }: MemoryItem): Change | null {
  const since = changes.filter(({ at }) => at >= newest.written_at)
  const updates = since.filter(({ kind }) => kind === 'updated')
  return since.length === version - newest.version && updates.length === 1 ? (updates[0] ?? null) : null
}
