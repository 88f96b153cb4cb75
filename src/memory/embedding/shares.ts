import type { ItemRecord } from '../item.ts'

/** Who wrote items that are due: a user in one project. */
export type Author = Pick<ItemRecord, 'tenant_id' | 'project_id' | 'text_by'>

/**
 * How many items of each author are taken: each tenant has the same share of `most`, and so has each author of a tenant.
 * Where a tenant has more authors than items, the first authors have one each.
 */
export function sharesOf(authors: readonly Author[], most: number): (Author & { share: number })[] {
  const tenants = [...Map.groupBy(authors, ({ tenant_id }) => tenant_id).values()]
  const ofTenant = Math.floor(most / Math.max(1, tenants.length))
  return tenants.flatMap((all) => {
    const own = all.slice(0, ofTenant)
    return own.map((author) => ({ ...author, share: Math.floor(ofTenant / own.length) }))
  })
}
