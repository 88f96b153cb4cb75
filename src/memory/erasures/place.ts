import { held } from '../access.ts'
import type { ErasureKind } from './table.ts'

/** What an erasure covers: a name in some projects of a tenant. */
export interface ErasurePlace {
  tenantId: string
  kind: ErasureKind
  name: string
  projectIds: readonly string[]
}

/** The values of the statements over a place. */
export const placeParams = ({ name, projectIds }: ErasurePlace) => ({ name, project_ids: JSON.stringify(projectIds) })

const itemsAlong = (index: string, column: ErasureKind, status: string): string => `
  select x.row from json_each(:project_ids) c
  cross join memory_items x indexed by ${index} on x.project_id = c.value and x.${column} = :name and ${status}`

/** SQL: the items of a place as `memory_items i`, current and retired. The subjects of both are in one index. */
export const ITEMS_OF: Record<ErasureKind, string> = {
  namespace: `(${itemsAlong('memory_items_by_namespace', 'namespace', 'x.deleted_at is null')}
    union all ${itemsAlong('memory_items_retired_by_namespace', 'namespace', 'x.retired_at is not null')}) found
    cross join memory_items i on i.row = found.row`,
  subject: `(${itemsAlong('memory_items_by_subject', 'subject', held('x'))}) found
    cross join memory_items i on i.row = found.row`,
}
