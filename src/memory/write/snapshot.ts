import type { AuthContext } from '../../core/context.ts'
import type { Statement } from '../../core/database/database.ts'
import type { Params } from '../../core/database/sql.ts'
import type { projects, Role, workspace_members } from '../../identity/table.ts'
import { selectRunning, toRunning, type RunningErasure, type RunningRow } from '../erasures/being-erased.ts'
import { runParts } from './batch-parts.ts'
import type { Operation } from './operation.ts'
import type { PlannedTurn } from './plan/change.ts'
import type { PlannedRow } from './plan/planned-row.ts'
import { itemCountOf } from './quota.ts'
import { keysOf, type Hashed } from './snapshot-keys.ts'
import { itemStatements, MEMBERS, ROLES } from './snapshot-sql.ts'
import { storedCosts } from './stored-costs.ts'
import { readTexts } from './stored-texts.ts'

/** An item as it stands in the database, and what the caller may do with it. */
export interface SnapshotItem {
  row: PlannedRow
  readable: boolean
  writable: boolean
  /** The caller decides who else may read and change it. */
  manageable: boolean
  expired: boolean
  /** What identifies a turn. */
  turn: Pick<PlannedTurn, 'key' | 'part'> | null
}

/** The rows on which a list of operations is planned, as the database held them. */
export interface Snapshot {
  kind: 'snapshot'
  /** The caller's role by project; null where only the commit checks it (`needsNoSnapshot`). */
  roles: ReadonlyMap<string, Role> | null
  /** By id: items that an operation names, that hold its `custom_id`, or that have its text. */
  items: ReadonlyMap<string, SnapshotItem>
  /** Members of the projects whose items get grants, by `memberKey`. */
  members: ReadonlySet<string>
  /** Items of the tenant; null where there is no quota. */
  usage: number | null
  /** Erasures that run in the tenant; none where the commit alone checks them. */
  erasing: readonly RunningErasure[]
}

/** The items that operations touch cost more to read and write than one commit may. Their texts were not read. */
export interface TooMuch {
  kind: 'too_much'
  /** Of each operation, in bytes. */
  costs: number[]
}

/** An item changed while the texts were read in parts. */
interface Outdated {
  kind: 'outdated'
}

export const EMPTY_SNAPSHOT: Snapshot = {
  kind: 'snapshot',
  roles: null,
  items: new Map(),
  members: new Set(),
  usage: null,
  erasing: [],
}

export const memberKey = (projectId: string, userId: string): string => `${projectId} ${userId}`

/** Plain stores. The guards of their commit check all that a snapshot would tell, which saves a round trip. */
export const needsNoSnapshot = (operations: readonly Operation[]): boolean =>
  operations.every(
    (o) =>
      o.op === 'store' &&
      (!o.turn || o.turn.newAt !== undefined) &&
      !o.times &&
      !o.input.supersedes &&
      o.input.custom_id == null &&
      !o.input.deduplicate &&
      o.input.permissions === undefined,
  )

type RoleRow = Pick<typeof projects.$inferSelect, 'id'> & Pick<typeof workspace_members.$inferSelect, 'role'>
type MemberRow = Pick<typeof workspace_members.$inferSelect, 'user_id'> & { project_id: string }
type Flags = Record<'is_expired' | 'is_readable' | 'is_writable' | 'is_manageable' | 'fit', 0 | 1>
type FoundRow = PlannedRow & Flags & { cost: number; turn: string | null }

/** How much a snapshot reads. */
export interface Reading {
  maxCost: number | null
  beforeEachRead?: (() => Promise<void>) | undefined
  /** The operations lost a race, which may be one against an erasure. */
  withErasures: boolean
}

/**
 * Reads what the operations touch, in one round trip. `maxCost` bounds the items that they touch, in bytes (`STORED_COST`);
 * null: they are read whatever they cost. With `beforeEachRead` their texts are read in parts, in further round trips.
 */
export async function loadSnapshot(
  ctx: AuthContext,
  operations: readonly Operation[],
  hashed: Hashed,
  { maxCost, beforeEachRead, withErasures }: Reading,
): Promise<Snapshot | TooMuch | Outdated> {
  const { db, principal, config } = ctx
  const keys = keysOf(ctx, operations, hashed)
  const hasQuota = config.quotas.items !== null
  const { userId: caller, tenantId: tenant } = principal
  /** A look-up without keys is left out. */
  const lookUp = (text: string, list: readonly unknown[], params: Params): Statement[] =>
    list.length > 0 ? [db.statement(text, params)] : []

  const roles: RoleRow[] = []
  const items: FoundRow[] = []
  const members: MemberRow[] = []
  const counts: { items: number }[] = []
  const running: RunningRow[] = []
  await runParts(db, [
    [lookUp(ROLES, keys.projects, { projects: JSON.stringify(keys.projects), caller, tenant }), roles],
    [itemStatements(ctx, keys, beforeEachRead ? 0 : maxCost), items],
    [lookUp(MEMBERS, keys.grantees, { grantees: JSON.stringify(keys.grantees), tenant }), members],
    [hasQuota ? [db.statement(itemCountOf(':tenant'), { tenant })] : [], counts],
    [withErasures ? [selectRunning(db, tenant)] : [], running],
  ])
  if (items[0]?.fit === 0) {
    if (!beforeEachRead) return { kind: 'too_much', costs: storedCosts(principal, operations, items) }
    if (!(await readTexts(ctx, items, beforeEachRead))) return { kind: 'outdated' }
  }
  return {
    kind: 'snapshot',
    roles: new Map(roles.map(({ id, role }) => [id, role])),
    items: new Map(items.map((row) => [row.id, toSnapshotItem(row)])),
    members: new Set(members.map((row) => memberKey(row.project_id, row.user_id))),
    usage: hasQuota ? (counts[0]?.items ?? 0) : null,
    erasing: running.map(toRunning),
  }
}

function toSnapshotItem(found: FoundRow): SnapshotItem {
  const { is_expired, is_readable, is_writable, is_manageable, fit: _fit, cost: _cost, turn, ...row } = found
  return {
    row,
    readable: is_readable === 1,
    writable: is_writable === 1,
    manageable: is_manageable === 1,
    expired: is_expired === 1,
    turn: turn === null ? null : (JSON.parse(turn) as SnapshotItem['turn']),
  }
}
