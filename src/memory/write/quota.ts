import { AppError } from '../../core/errors.ts'

/**
 * SQL that counts the items of a tenant, which is SQL such as `:tenant`, current and retired. It reads the counts of the
 * keyword index, so an expired item counts until the sweep deletes it.
 */
export const itemCountOf = (
  tenant: string,
): string => `select coalesce(sum(c.items + c.retired), 0) as items from workspaces s
  cross join projects q on q.workspace_id = s.id and q.deleted_at is null
  cross join project_words c on c.project_id = q.id where s.tenant_id = ${tenant}`

/** Throws 403 where one more item would pass the quota. `items` is null where the plan adds none. */
export function requireQuota(quota: number | null, items: number | null): void {
  if (quota === null || items === null || items < quota) return
  throw new AppError('quota_exceeded', { detail: `This account has reached its limit of ${quota} memory items.` })
}
