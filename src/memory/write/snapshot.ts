import type { AuthContext, Principal } from '../../core/context.ts'
import type { SqlValue, Statement } from '../../core/database/database.ts'
import { memberOfProject } from '../../identity/index.ts'
import type { Role } from '../../identity/table.ts'
import { ACCESS_JOINS, accessValues, alive, manageable, readableBy, writable } from '../access.ts'
import { DEFAULT_NAMESPACE, ITEM_COLUMNS } from '../item.ts'
import type { Operation, PlannedRow } from './operation.ts'

/** An item as it was found, and what the caller may do with it. */
export interface SnapshotItem {
  row: PlannedRow
  readable: boolean
  writable: boolean
  /** Decides who else may reach it. */
  manageable: boolean
  expired: boolean
}

/** What a list of operations needs to know before it is planned. */
export interface Snapshot {
  /** By project. Null: taken for granted, since the commit checks it; see `needsNothing`. */
  roles: ReadonlyMap<string, Role> | null
  /** By id: items that are named, hold a `custom_id`, or have an equal text. */
  items: ReadonlyMap<string, SnapshotItem>
  /** Members of the projects where grants are given: `memberKey(project, user)`. */
  members: ReadonlySet<string>
  /** Live items of the tenant; null where there is no quota. */
  usage: number | null
}

export const EMPTY_SNAPSHOT: Snapshot = { roles: null, items: new Map(), members: new Set(), usage: null }

export const memberKey = (projectId: string, userId: string): string => `${projectId} ${userId}`

/** A plain store: the guards of its own commit say all that there is to know, which saves a round trip. */
export const needsNothing = (operations: readonly Operation[]): boolean =>
  operations.every(
    (o) => o.op === 'store' && o.input.custom_id == null && !o.input.deduplicate && o.input.permissions === undefined,
  )

const columnsFor = (
  principal: Principal,
): string => `${ITEM_COLUMNS}, i.text_hash, i.text_version, i.text_by, i.text_at, i.vector_version,
  i.updated_by, (i.expires_at is not null and i.expires_at <= ?3) as is_expired, ${readableBy(principal)} as is_readable,
  ${writable()} as is_writable, ${manageable()} as is_manageable`

const found =
  (joins: string) =>
  (principal: Principal): string =>
    `select ${columnsFor(principal)} from json_each(?5) e ${joins} and i.deleted_at is null ${ACCESS_JOINS}`

const byId = found('cross join memory_items i on i.id = e.value')
const byCustomId = found(`cross join memory_items i on i.project_id = e.value ->> 0
  and i.namespace = e.value ->> 1 and i.custom_id = e.value ->> 2`)
/** One item each, however often a text is there, and none that an operation names: it may take that one away (?5, ?6). */
const byText = (principal: Principal): string => `select ${columnsFor(principal)} from json_each(?7) e
  cross join projects p on p.id = e.value ->> 0 and p.tenant_id = ?2 and p.deleted_at is null ${memberOfProject('?1')}
  cross join memory_items i on i.row = (select d.row from memory_items d
    where d.project_id = p.id and d.namespace = e.value ->> 1 and d.text_hash = e.value ->> 2
      and d.id not in (select value from json_each(?5))
      and (d.custom_id is null or not exists (select 1 from json_each(?6) n
        where n.value ->> 0 = d.project_id and n.value ->> 1 = d.namespace and n.value ->> 2 = d.custom_id))
      and ${alive('d')} and ${readableBy(principal, 'd')} limit 1)`
/** Who holds the `custom_id` that an update would bring its item under. */
const byMove = found(`cross join memory_items o on o.id = e.value ->> 0
  cross join memory_items i on i.project_id = o.project_id and i.namespace = coalesce(e.value ->> 1, o.namespace)
  and i.custom_id = coalesce(e.value ->> 2, o.custom_id) and i.row <> o.row`)

const ROLES = `select p.id, m.role from json_each(?3) e
  cross join projects p on p.id = e.value and p.tenant_id = ?2 and p.deleted_at is null ${memberOfProject('?1')}`

/** Of `[project or null, item or null, user]`. */
const MEMBERS = `select p.id as project_id, m.user_id from json_each(?2) e
  cross join projects p on p.tenant_id = ?1
    and p.id = coalesce(e.value ->> 0, (select project_id from memory_items where id = e.value ->> 1))
  cross join workspace_members m on m.workspace_id = p.workspace_id and m.user_id = e.value ->> 2`

/** Live items of a tenant (an SQL parameter), from the counts of the keyword index; expired ones count until the sweep. */
export const itemsOf = (tenant: string): string => `select coalesce(sum(c.items), 0) as items from workspaces s
  cross join projects q on q.workspace_id = s.id and q.deleted_at is null
  cross join project_words c on c.project_id = q.id where s.tenant_id = ${tenant}`

type FoundRow = PlannedRow & { is_expired: 0 | 1; is_readable: 0 | 1; is_writable: 0 | 1; is_manageable: 0 | 1 }

/** Reads what the operations touch, in one round trip. `hashOf` knows the hash of each stored text. */
export async function loadSnapshot(
  ctx: AuthContext,
  operations: readonly Operation[],
  hashOf: ReadonlyMap<string, string>,
): Promise<Snapshot> {
  const { db, principal } = ctx
  const asked = askedBy(ctx, operations, hashOf)
  const items = new Map<string, SnapshotItem>()
  const roles = new Map<string, Role>()
  const members = new Set<string>()
  let usage: number | null = null

  const keep = (rows: FoundRow[]): void => {
    for (const { is_expired, is_readable, is_writable, is_manageable, ...row } of rows) {
      const may = { readable: is_readable === 1, writable: is_writable === 1, manageable: is_manageable === 1 }
      items.set(row.id, { row, ...may, expired: is_expired === 1 })
    }
  }
  const reads: { statement: Statement; take: (rows: never[]) => void }[] = []
  /** What has nothing to ask is left out. */
  const ask = (keys: readonly unknown[], sql: string, take: (rows: never[]) => void, values: SqlValue[]): void => {
    if (keys.length > 0) reads.push({ statement: db.statement(sql, ...values, JSON.stringify(keys)), take })
  }
  const user = [principal.userId, principal.tenantId]
  const keepRoles = (rows: { id: string; role: Role }[]): void => rows.forEach((row) => roles.set(row.id, row.role))
  ask(asked.projects, ROLES, keepRoles, user)
  ask(asked.ids, byId(principal), keep, accessValues(ctx))
  ask(asked.customIds, byCustomId(principal), keep, accessValues(ctx))
  ask(asked.texts, byText(principal), keep, [
    ...accessValues(ctx),
    JSON.stringify(asked.ids),
    JSON.stringify(asked.customIds),
  ])
  ask(asked.moves, byMove(principal), keep, accessValues(ctx))
  const keepMembers = (rows: { project_id: string; user_id: string }[]): void =>
    rows.forEach((row) => members.add(memberKey(row.project_id, row.user_id)))
  ask(asked.grantees, MEMBERS, keepMembers, [principal.tenantId])
  if (ctx.config.quotas.items !== null) {
    reads.push({
      statement: db.statement(itemsOf('?2'), ...user),
      take: ([row]: { items: number }[]) => {
        usage = row?.items ?? 0
      },
    })
  }
  if (reads.length > 0) {
    const results = await db.batch<never[]>(reads.map(({ statement }) => statement))
    reads.forEach(({ take }, index) => take(results[index] ?? []))
  }
  return { roles, items, members, usage }
}

type Key = [projectId: string, namespace: string, value: string | undefined]

/** What to look up, as the JSON lists that the statements above take. */
function askedBy(ctx: AuthContext, operations: readonly Operation[], hashOf: ReadonlyMap<string, string>) {
  const ids = new Set<string>()
  const projects = new Set<string>()
  const customIds: Key[] = []
  const texts: Key[] = []
  const moves: [id: string, namespace: string | null, customId: string | null][] = []
  const grantees: [projectId: string | null, itemId: string | null, userId: string][] = []
  for (const operation of operations) {
    if (operation.op !== 'store') ids.add(operation.id)
    if (operation.op === 'update') {
      const { id, input } = operation
      if (input.custom_id != null || input.context?.namespace !== undefined)
        moves.push([id, input.context?.namespace ?? null, input.custom_id ?? null])
      for (const grant of input.permissions ?? []) grantees.push([null, id, grant.user_id])
    }
    if (operation.op !== 'store') continue
    const { input } = operation
    const projectId = input.context?.project_id ?? ctx.principal.defaultProjectId
    if (projectId === null) continue
    const namespace = input.context?.namespace ?? DEFAULT_NAMESPACE
    projects.add(projectId)
    if (input.custom_id != null) customIds.push([projectId, namespace, input.custom_id])
    if (input.deduplicate) texts.push([projectId, namespace, hashOf.get(input.content.text)])
    for (const grant of input.permissions ?? []) grantees.push([projectId, null, grant.user_id])
  }
  return { ids: [...ids], projects: [...projects], customIds, texts, moves, grantees }
}
