import type { KeyPermission } from '../../core/context.ts'
import type { CredentialRow } from './credential.ts'

/** The default project of a credential. For a key that is limited to one project it is that project (contract §3). */
export function defaultProjectOf(
  row: Pick<CredentialRow, 'default_project_id'>,
  permissions: readonly KeyPermission[] | null,
): string | null {
  const only = permissions?.length === 1 ? permissions[0] : undefined
  return only?.project_id ?? row.default_project_id
}
