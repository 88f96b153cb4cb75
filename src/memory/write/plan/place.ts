import type { Principal } from '../../../core/context.ts'
import { invalid, notFound } from '../../../core/errors.ts'
import { forbidden, noDefaultProject, permits, ROLES_THAT } from '../../../identity/index.ts'
import type { Role } from '../../../identity/table.ts'
import type { Drafts } from './drafts.ts'
import type { PlannedRow } from './planned-row.ts'
import { memberKey, type Snapshot } from '../snapshot.ts'

/** Where an item stands or is to stand. `named`: the request names the project or the namespace. */
interface Place {
  projectId: string
  namespace: string
  named: boolean
}

/** Refuses a place that is hidden (404, for a default project 422) or that the caller may only read (403). */
export function requirePlace(
  principal: Principal,
  { roles }: Snapshot,
  drafts: Drafts,
  { projectId, namespace, named }: Place,
): void {
  const role = roles?.get(projectId)
  const hidden = roles !== null && role === undefined && !drafts.holdItemsOf(projectId)
  if (hidden || !permits(principal, projectId, 'read')) {
    throw named ? notFound('project', projectId) : noDefaultProject()
  }
  requireWriteIn(principal, { projectId, namespace }, role)
}

/**
 * In a project that the caller sees: refuses a namespace that is hidden (404), and what the caller may only read (403).
 * Without a namespace it is the whole project. `role` undefined: it is not known here.
 */
export function requireWriteIn(
  principal: Principal,
  { projectId, namespace }: { projectId: string; namespace?: string },
  role: Role | undefined,
): void {
  if (!permits(principal, projectId, 'read', namespace)) throw notFound('namespace')
  if (role !== undefined && !ROLES_THAT.write.includes(role)) throw forbidden('Your role in this project cannot write.')
  if (!permits(principal, projectId, 'write', namespace)) throw forbidden('This key can only read this project.')
}

/** Refuses times that only those who administer the project may set. */
export function requireManaged({ roles }: Snapshot, projectId: string): void {
  const role = roles?.get(projectId)
  if (!role || !ROLES_THAT.manage.includes(role)) throw forbidden('You no longer administer this project.')
}

export function requireMembers(
  { members }: Snapshot,
  row: PlannedRow,
  permissions: { user_id: string }[] | undefined,
): void {
  permissions?.forEach(({ user_id }, index) => {
    if (members.has(memberKey(row.project_id, user_id))) return
    throw invalid(`permissions.${index}.user_id`, 'unknown_member', 'Only members of the project can be given access.')
  })
}
