import { AppError } from '../../core/errors.ts'
import type { Database, Statement } from '../../core/database/database.ts'
import type { ItemRecord } from '../item.ts'
import type { ErasureKind } from './table.ts'

/** SQL of the values of an item that tell what it belongs to. */
interface Place {
  tenant: string
  project: string
  namespace: string
  subject: string
}

/** SQL: an erasure runs that covers an item of this place. One look into an index that is nearly always empty. */
export const beingErased = ({ tenant, project, namespace, subject }: Place): string => `exists (
  select 1 from erasures x indexed by erasures_running where x.tenant_id = ${tenant} and x.status = 'running'
    and x.name = case x.kind when 'namespace' then ${namespace} else ${subject} end
    and ${project} in (select value from json_each(x.project_ids)))`

/** The same of a stored item. */
export const itemBeingErased = (item = 'i'): string =>
  beingErased({
    tenant: `${item}.tenant_id`,
    project: `${item}.project_id`,
    namespace: `${item}.namespace`,
    subject: `${item}.subject`,
  })

/** What is erased while a plan is made. */
export interface RunningErasure {
  kind: ErasureKind
  name: string
  projectIds: ReadonlySet<string>
}

export interface RunningRow {
  kind: ErasureKind
  name: string
  project_ids: string
}

export const selectRunning = (db: Database, tenant: string): Statement =>
  db.statement(
    `select kind, name, project_ids from erasures indexed by erasures_running where tenant_id = :tenant and status = 'running'`,
    { tenant },
  )

export const toRunning = ({ kind, name, project_ids }: RunningRow): RunningErasure => ({
  kind,
  name,
  projectIds: new Set(JSON.parse(project_ids) as string[]),
})

/** 409 where an item belongs to what is being erased, or is to belong to it. */
export function requireNotErased(
  running: readonly RunningErasure[],
  ...places: readonly Pick<ItemRecord, 'project_id' | 'namespace' | 'subject'>[]
): void {
  const found = running.find(({ kind, name, projectIds }) =>
    places.some((place) => place[kind] === name && projectIds.has(place.project_id)),
  )
  if (found) throw erasedNow(found.kind)
}

export const erasedNow = (what: ErasureKind | 'item'): AppError =>
  new AppError('conflict', { detail: `This ${what} is being erased. Try again when its erasure has ended.` })
