import { directoryDatabase } from '../../auth/index.ts'
import type { Signups } from '../../core/config.ts'
import type { System } from '../../core/context.ts'

/** The directory knows the tenants of the other shards. */
const ANY_TENANT = 'select 1 where exists (select 1 from tenants) or exists (select 1 from tenant_directory)'

/**
 * Who may register now without an invitation (contract §2). `first` is answered until there is a tenant, and never again:
 * no tenant is ever deleted, also not by the deletion of its last account.
 */
export async function signUpsOf(system: System): Promise<Signups> {
  const { signups } = system.config
  if (signups !== 'first') return signups
  return (await directoryDatabase(system).first(ANY_TENANT)) ? 'closed' : 'first'
}
