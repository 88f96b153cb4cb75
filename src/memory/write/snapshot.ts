import type { AuthContext, Principal } from '../../core/context.ts'
import type { Statement } from '../../core/database/database.ts'
import { joined, sql, type Params } from '../../core/database/sql.ts'
import { storedForms } from '../../core/values/normal-form.ts'
import { memberOfProject } from '../../identity/index.ts'
import type { projects, Role, workspace_members } from '../../identity/table.ts'
import { ACCESS_JOINS, accessParams, alive, held, manageable, readableBy, writable } from '../access.ts'
import { itemColumnsIf } from '../item.ts'
import { selectRunning, toRunning, type RunningErasure, type RunningRow } from '../erasures/being-erased.ts'
import { anyItemColumns } from '../retirement/any-item-columns.ts'
import type { PlannedTurn } from './plan/change.ts'
import { keyEnd } from '../conversations/turn.ts'
import { byTurn, TURN_OF_ITEM } from '../conversations/turn-sql.ts'
import { movesOf } from './plan/custom-ids.ts'
import { destinationOf, type Operation } from './operation.ts'
import { runParts } from './batch-parts.ts'
import { storedCosts, STORED_COST } from './stored-costs.ts'
import { readTexts } from './stored-texts.ts'
import type { PlannedRow } from './plan/planned-row.ts'
import { itemCountOf } from './quota.ts'

/** An item as it stands in the database, and what the caller may do with it. */
export interface SnapshotItem {
  row: PlannedRow
  readable: boolean
  writable: boolean
  /** The caller decides who else may read and change it. */
  manageable: boolean
  expired: boolean
  /** By what a turn is known again. */
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

const byIds = (ids: string, named: 0 | 1): string =>
  `select i.row, ${named} as named from json_each(${ids}) e cross join memory_items i on i.id = e.value and ${held()}`
/** Items that an operation names by id, and those that a store supersedes, whose texts stay as they are. */
const [BY_ID, BY_SUPERSEDED] = [byIds(':ids', 1), byIds(':superseded', 0)]
/** Items that hold the `custom_id` of a store. */
const BY_CUSTOM_ID = `select i.row, 1 as named from json_each(:custom_ids) e cross join memory_items i on i.project_id = e.value ->> 0
  and i.namespace = e.value ->> 1 and i.custom_id = e.value ->> 2 and ${held()}`
/**
 * One item for each text. It leaves out items that an operation names by id or by `custom_id`, since that operation may
 * change their text.
 */
const byText = (principal: Principal): string => `select i.row, 1 as named from json_each(:texts) e
  cross join projects p on p.id = e.value ->> 0 and p.tenant_id = :tenant and p.deleted_at is null
  ${memberOfProject(':caller')}
  cross join memory_items i on i.row = (select d.row from memory_items d
    where d.project_id = p.id and d.namespace = e.value ->> 1 and d.text_hash = e.value ->> 2 and d.subject is e.value ->> 3
      and d.id not in (select value from json_each(:ids))
      and (d.custom_id is null or not exists (select 1 from json_each(:custom_ids) n
        where n.value ->> 0 = d.project_id and n.value ->> 1 = d.namespace and n.value ->> 2 = d.custom_id))
      and ${alive('d')} and ${readableBy(principal, 'd')} limit 1)`
/** The items that hold the custom ids which updates would give to other items. Nobody sees or changes their texts. */
const BY_MOVE = `select i.row, 0 as named from json_each(:moves) e cross join memory_items o on o.id = e.value ->> 0
  cross join memory_items i on i.project_id = o.project_id and i.namespace = coalesce(e.value ->> 1, o.namespace)
  and i.custom_id = coalesce(e.value ->> 2, o.custom_id) and i.row <> o.row and ${held()}`

/**
 * The items that the look-ups find, each once. Where they cost more than `:max_cost` together (null: no bound), all come
 * without their texts and metadata. So does one that the caller may not read, and one that no operation names.
 */
const itemsOf = (principal: Principal, lookUps: readonly string[]): string => `
  with found as materialized (select row, max(named) as named from (${lookUps.join(' union all ')}) group by row),
  stored as materialized (
    select i.row, ${readableBy(principal)} as is_readable, ${writable()} as is_writable, ${manageable()} as is_manageable,
      named, ${STORED_COST} as bytes
    from found cross join memory_items i on i.row = found.row ${ACCESS_JOINS}),
  together as materialized (
    select :max_cost is null or coalesce(sum(bytes) filter (where is_readable and named), 0) <= :max_cost as fit from stored)
  select ${anyItemColumns(principal, itemColumnsIf('fit and is_readable and named'))}, i.text_hash, i.text_version, i.text_by, i.text_at, i.vector_version,
    i.updated_by, ${TURN_OF_ITEM} as turn, (i.expires_at is not null and i.expires_at <= :now) as is_expired, is_readable, is_writable, is_manageable,
    iif(is_readable and named, bytes, 0) as cost, fit
  from stored cross join together cross join memory_items i on i.row = stored.row ${ACCESS_JOINS}`

const ROLES = `select p.id, m.role from json_each(:projects) e
  cross join projects p on p.id = e.value and p.tenant_id = :tenant and p.deleted_at is null ${memberOfProject(':caller')}`

/** Members among `[project or null, item or null, user]`; an item stands for its project. */
const MEMBERS = `select p.id as project_id, m.user_id from json_each(:grantees) e
  cross join projects p on p.tenant_id = :tenant
    and p.id = coalesce(e.value ->> 0, (select project_id from memory_items where id = e.value ->> 1))
  cross join workspace_members m on m.workspace_id = p.workspace_id and m.user_id = e.value ->> 2`

type RoleRow = Pick<typeof projects.$inferSelect, 'id'> & Pick<typeof workspace_members.$inferSelect, 'role'>
type MemberRow = Pick<typeof workspace_members.$inferSelect, 'user_id'> & { project_id: string }
type Flags = Record<'is_expired' | 'is_readable' | 'is_writable' | 'is_manageable' | 'fit', 0 | 1>
type FoundRow = PlannedRow & Flags & { cost: number; turn: string | null }

/** What was made of the texts of a request. */
export interface Hashed {
  /** The hash of each text. */
  hashes: ReadonlyMap<string, string>
  /** By what the turn of an operation is known again. */
  turnKeys: ReadonlyMap<Operation, string>
}

/** How much a snapshot reads. */
export interface Reading {
  maxCost: number | null
  beforeEachRead?: (() => Promise<void>) | undefined
  /** The operations lost a race, which may be one against an erasure. */
  withErasures: boolean
}

/**
 * Reads what the operations touch, in one round trip. `maxCost` bounds the
 * items that they touch, in bytes (`STORED_COST`); null: they are read whatever they cost. With `beforeEachRead` their
 * texts are read in parts, in further round trips.
 */
export async function loadSnapshot(
  ctx: AuthContext,
  operations: readonly Operation[],
  { hashes, turnKeys }: Hashed,
  { maxCost, beforeEachRead, withErasures }: Reading,
): Promise<Snapshot | TooMuch | Outdated> {
  const { db, principal, config } = ctx
  const keys = keysOf(ctx, operations, { hashes, turnKeys })
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

/** One statement, or none where the operations touch no item. */
function itemStatements(ctx: AuthContext, keys: Keys, maxCost: number | null): Statement[] {
  const { db, principal } = ctx
  // A text that is stored anew is not compared with those of superseded items, which the same commit retires.
  const ids = JSON.stringify(keys.texts.length > 0 ? [...keys.ids, ...keys.superseded] : keys.ids)
  const custom_ids = JSON.stringify(keys.customIds)
  const lookUps = [
    ...(ids !== '[]' ? [sql(BY_ID, { ids })] : []),
    ...(keys.superseded.length > 0 ? [sql(BY_SUPERSEDED, { superseded: JSON.stringify(keys.superseded) })] : []),
    ...(keys.customIds.length > 0 ? [sql(BY_CUSTOM_ID, { custom_ids })] : []),
    ...(keys.turns.length > 0 ? [sql(byTurn(held()), { turns: JSON.stringify(keys.turns) })] : []),
    ...(keys.texts.length > 0 ? [sql(byText(principal), { texts: JSON.stringify(keys.texts), ids, custom_ids })] : []),
    ...(keys.moves.length > 0 ? [sql(BY_MOVE, { moves: JSON.stringify(keys.moves) })] : []),
  ]
  if (lookUps.length === 0) return []
  const text = itemsOf(
    principal,
    lookUps.map((lookUp) => lookUp.sql),
  )
  return [db.statement(text, joined(accessParams(ctx), { max_cost: maxCost }, ...lookUps.map(({ params }) => params)))]
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

type Keys = ReturnType<typeof keysOf>
type PlaceKey = [projectId: string, namespace: string, value: string | undefined]

/** The keys of each look-up, as the JSON lists that the statements above take. */
function keysOf(ctx: AuthContext, operations: readonly Operation[], { hashes, turnKeys }: Hashed) {
  const ids = new Set<string>()
  const superseded = new Set<string>()
  const projects = new Set<string>()
  const customIds: PlaceKey[] = []
  const turns: [...PlaceKey, from: string, to: string, part: number][] = []
  const texts: [...PlaceKey, subject: string | null][] = []
  const moves: [id: string, namespace: string | null, customId: string | null][] = []
  const grantees: [projectId: string | null, itemId: string | null, userId: string][] = []
  const movesByOperation = movesOf(operations)
  for (const [index, operation] of operations.entries()) {
    if (operation.op !== 'store') ids.add(operation.id)
    if (operation.op === 'update') {
      const { id, input } = operation
      for (const { namespace, customId } of movesByOperation[index] ?? [])
        for (const form of customId == null ? [customId] : storedForms(customId))
          if (form !== null) moves.push([id, namespace ?? null, form ?? null])
      for (const grant of input.permissions ?? []) grantees.push([null, id, grant.user_id])
    }
    if (operation.op !== 'store') continue
    const { input } = operation
    const { projectId, namespace, subject } = destinationOf(ctx.principal, input)
    if (projectId === null) continue
    projects.add(projectId)
    for (const { id } of input.supersedes ?? []) superseded.add(id)
    if (input.custom_id != null)
      for (const form of storedForms(input.custom_id)) customIds.push([projectId, namespace, form])
    const turnKey = turnKeys.get(operation)
    if (operation.turn && turnKey !== undefined) {
      const conversationId = input.context?.conversation_id ?? undefined
      turns.push([projectId, namespace, conversationId, turnKey, keyEnd(turnKey), operation.turn.part])
    }
    if (input.deduplicate) texts.push([projectId, namespace, hashes.get(input.content.text), subject])
    for (const grant of input.permissions ?? []) grantees.push([projectId, null, grant.user_id])
  }
  return {
    ids: [...ids],
    superseded: [...superseded],
    projects: [...projects],
    customIds,
    turns,
    texts,
    moves,
    grantees,
  }
}
