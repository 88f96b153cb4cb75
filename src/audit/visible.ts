import { HOUR_MS, MINUTE_MS } from '../core/values/durations.ts'
import { isId, timeOfId, type IdPrefix } from '../core/values/ids.ts'
import type { AuditRow } from './record.ts'

/** The rows of a tenant that a caller may see: those of this user, credential, and workspaces and projects. */
export interface AuditVisibility {
  tenantId: string
  /** null: of no user. */
  actor: string | null
  credentialId: string
  workspaceIds: readonly string[]
  projectIds: readonly string[]
}

export interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  resource_id?: string | undefined
  project_id?: string | undefined
  credential_id?: string | undefined
  /** The `client_id` of an application. */
  app_id?: string | undefined
  outcome?: string | undefined
  request_id?: string | undefined
  /** Milliseconds since 1970; `since` included, `until` not. */
  since?: number | undefined
  until?: number | undefined
  /** `exclude`: without what the portal read to show its pages. */
  page_reads?: 'include' | 'exclude' | undefined
}

/** The last day with a year of four digits, so that texts compare like times. */
const MAX_DATE_MS = Date.UTC(9999, 11, 31)

/** A row can bear a time that is this much before that of an id in it: another machine made the id. */
const MAX_CLOCK_SKEW_MS = MINUTE_MS
/** A request leaves its row before its answer begins, and its body, waits and commits take minutes at most. */
const MAX_REQUEST_MS = HOUR_MS

/** What a filter can name that is made before the first row with it. */
const NAMED_AFTER: readonly IdPrefix[] = ['key', 'ses', 'tok', 'app', 'req']

/** The time of a filter, in milliseconds. A search for an id skips what is older, and for a request what is newer too. */
export function timeOf({ since = 0, until = MAX_DATE_MS, ...filter }: AuditFilter): { since: number; until: number } {
  const asked = madeAt(filter.request_id)
  const made = [asked, madeAt(filter.credential_id), madeAt(filter.app_id)].map((at) => (at ?? 0) - MAX_CLOCK_SKEW_MS)
  return {
    since: Math.min(Math.max(since, ...made), MAX_DATE_MS),
    until: asked === null ? until : Math.min(until, asked + MAX_REQUEST_MS),
  }
}

/** The time in an id; null for what has none, such as the address of an application. */
const madeAt = (id: string | undefined): number | null =>
  id !== undefined && NAMED_AFTER.some((prefix) => isId(prefix, id)) ? timeOfId(id) : null

/** SQL: whether row `r` may be seen and is asked for. Its values are `visibleValues`. */
export const VISIBLE = `
  (r.value ->> 'actor' = :visible_actor or r.value ->> '$.credential.id' = :visible_credential
    or r.value ->> 'workspace_id' in (select value from json_each(:visible_workspaces))
    or r.value ->> 'project_id' in (select value from json_each(:visible_projects)))
  and (:actor is null or r.value ->> 'actor' = :actor) and (:action is null or r.value ->> 'action' = :action)
  and (:resource is null or exists (select 1 from json_each(r.value, '$.resource_ids') i where i.value = :resource))
  and (:project is null or r.value ->> 'project_id' = :project)
  and (:credential is null or r.value ->> '$.credential.id' = :credential)
  and (:app is null or r.value ->> '$.credential.app_id' = :app)
  and (:outcome is null or r.value ->> 'outcome' = :outcome) and (:request is null or r.value ->> 'request_id' = :request)
  and r.value ->> 'at' >= :at_from and r.value ->> 'at' < :at_until
  and (:no_page_reads = 0 or r.value ->> 'page_read' is null)`

export function visibleValues(visibility: AuditVisibility, filter: AuditFilter) {
  const { since, until } = timeOf(filter)
  return {
    visible_actor: visibility.actor,
    visible_credential: visibility.credentialId,
    visible_workspaces: JSON.stringify(visibility.workspaceIds),
    visible_projects: JSON.stringify(visibility.projectIds),
    actor: filter.actor ?? null,
    action: filter.action ?? null,
    resource: filter.resource_id ?? null,
    project: filter.project_id ?? null,
    credential: filter.credential_id ?? null,
    app: filter.app_id ?? null,
    outcome: filter.outcome ?? null,
    request: filter.request_id ?? null,
    at_from: new Date(since).toISOString(),
    at_until: new Date(until).toISOString(),
    no_page_reads: filter.page_reads === 'exclude' ? 1 : 0,
  }
}

/** The same as `VISIBLE`, for a row that is in an object. */
export function isVisible(visibility: AuditVisibility, filter: AuditFilter): (row: AuditRow) => boolean {
  const { actor, action, resource_id, project_id, credential_id, app_id, outcome, request_id } = filter
  const { since, until } = timeOf(filter)
  const [from, to] = [new Date(since).toISOString(), new Date(until).toISOString()]
  const isOneOf = (ids: readonly string[]) => {
    const all = new Set(ids)
    return (id: string | null) => id !== null && all.has(id)
  }
  const [inWorkspace, inProject] = [isOneOf(visibility.workspaceIds), isOneOf(visibility.projectIds)]
  return (row) =>
    (row.actor === visibility.actor ||
      row.credential.id === visibility.credentialId ||
      inWorkspace(row.workspace_id) ||
      inProject(row.project_id)) &&
    (actor === undefined || row.actor === actor) &&
    (action === undefined || row.action === action) &&
    (resource_id === undefined || row.resource_ids.includes(resource_id)) &&
    (project_id === undefined || row.project_id === project_id) &&
    (credential_id === undefined || row.credential.id === credential_id) &&
    (app_id === undefined || row.credential.app_id === app_id) &&
    (outcome === undefined || row.outcome === outcome) &&
    (request_id === undefined || row.request_id === request_id) &&
    row.at >= from &&
    row.at < to &&
    (filter.page_reads !== 'exclude' || row.page_read === undefined)
}
