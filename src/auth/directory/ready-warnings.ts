import type { System } from '../../core/context.ts'
import { directoryDatabase } from './accounts.ts'
import type { shard_states } from './table.ts'

export const DIRECTORY_WARNINGS = ['tenants_missing'] as const

export interface DirectoryWarning {
  name: (typeof DIRECTORY_WARNINGS)[number]
  shard: string
  detail: string
}

/** What `/ready` warns about for the directory: shards with fewer tenants than it knows there, as a sweep counted them. */
export async function directoryWarnings(system: Pick<System, 'database'>): Promise<DirectoryWarning[]> {
  const rows = await directoryDatabase(system).all<Pick<typeof shard_states.$inferSelect, 'shard' | 'missing_tenants'>>(
    'select shard, missing_tenants from shard_states where missing_tenants > 0',
  )
  return rows.map(({ shard, missing_tenants }) => ({
    name: 'tenants_missing',
    shard,
    detail: `The directory lists ${missing_tenants} more ${missing_tenants === 1 ? 'tenant' : 'tenants'} than the database has. Was the database restored to a time before their sign-up, or is another database bound?`,
  }))
}
