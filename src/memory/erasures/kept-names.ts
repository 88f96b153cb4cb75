import type { Database } from '../../core/database/database.ts'
import type { Kept } from './erasure.ts'
import type { ErasurePlace } from './place.ts'

const KEYS = `
  select k.id from users u cross join api_keys k on k.user_id = u.id
  where u.tenant_id = :tenant and k.revoked_at is null and k.permissions is not null and exists (
    select 1 from json_each(k.permissions) p cross join json_each(p.value, '$.namespaces') n where n.value = :name and p.value ->> 'project_id' in (select value from json_each(:project_ids))) order by k.id`

const SUBSCRIPTIONS = `
  select s.id from subscriptions s where s.tenant_id = :tenant and s.deleted_at is null
    and exists (select 1 from json_each(s.filters) f where f.value = :name)
    and exists (select 1 from json_each(:project_ids) c cross join projects p on p.id = c.value
      cross join workspace_members m on m.workspace_id = p.workspace_id and m.user_id = s.user_id
      where coalesce(s.filters ->> 'project_id', p.id) = p.id and coalesce(s.filters ->> 'workspace_id', p.workspace_id) = p.workspace_id)
  order by s.id`

/** Keys, and subscriptions of members of these projects, that name what is erased. An erasure changes neither: it names them, for a person to change. */
export async function keptNames(db: Database, { tenantId, name, projectIds }: ErasurePlace): Promise<Kept> {
  const params = { tenant: tenantId, name, project_ids: JSON.stringify(projectIds) }
  const [keys, subscriptions] = await db.batch<[{ id: string }, { id: string }]>([
    db.statement(KEYS, params),
    db.statement(SUBSCRIPTIONS, params),
  ])
  return { key_ids: keys.map(({ id }) => id), subscription_ids: subscriptions.map(({ id }) => id) }
}
