import type { AuthContext } from '../../core/context.ts'
import { guardOf, memberOfProject, permits, type Guard } from '../../identity/index.ts'
import type { projects } from '../../identity/table.ts'

/** `[project or null, item or null]` by operation; an item stands for its project. */
const GUARDS = `select e.key as number, p.id, p.guard from json_each(:places) e
  cross join projects p on p.id = coalesce(e.value ->> 0, (select project_id from memory_items where id = e.value ->> 1))
    and p.tenant_id = :tenant and p.deleted_at is null
  ${memberOfProject(':caller')}`

type GuardRow = Pick<typeof projects.$inferSelect, 'id' | 'guard'> & { number: number }

/** Where an operation writes. */
export interface Target {
  projectId: string | null
  itemId: string | null
}

/** The guard of the project of each target, in one statement; null where the caller does not see the project. */
export async function guardsOf({ db, principal }: AuthContext, targets: readonly Target[]): Promise<(Guard | null)[]> {
  const rows = await db.all<GuardRow>(GUARDS, {
    places: JSON.stringify(targets.map(({ projectId, itemId }) => [projectId, itemId])),
    tenant: principal.tenantId,
    caller: principal.userId,
  })
  const guards: (Guard | null)[] = targets.map(() => null)
  for (const { number, id, guard } of rows) {
    if (permits(principal, id, 'read')) guards[number] = guardOf(guard)
  }
  return guards
}
