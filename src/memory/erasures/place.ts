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

const itemsOf = (index: string, column: ErasureKind): string => `json_each(:project_ids) c
  cross join memory_items i indexed by ${index} on i.project_id = c.value and i.${column} = :name and i.deleted_at is null`

/** SQL: the items of a place as `memory_items i`. */
export const ITEMS_OF: Record<ErasureKind, string> = {
  namespace: itemsOf('memory_items_by_namespace', 'namespace'),
  subject: itemsOf('memory_items_by_subject', 'subject'),
}
