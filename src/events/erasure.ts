import type { Database } from '../core/database/database.ts'
import { NAMED, NAMED_PRIVATE, NOTICE, PUBLISHED } from './table.ts'

/** What was erased, as its id. */
export interface Erased {
  kind: 'project' | 'workspace' | 'user'
  id: string
}

/** The service's notices about one member of their data; what members of a workspace publish has a workspace. */
const noticesAbout = (member: string, is: string): string =>
  `e.tenant_id = s.tenant_id and ${NOTICE} and e.workspace_id is null and (e.data ->> '${member}' = s.id or ${is})`

const eventsOf = (table: string, conditions: readonly string[]): string =>
  conditions
    .map(
      (condition) =>
        `select e.rowid as row, e.settled_at, e.created_at, s.deleted_at from ${table} s cross join events e
         on ${condition} where s.id = :erased and s.deleted_at is not null`,
    )
    .join(' union all ')

/** The events that still hold what somebody wrote, of one that was erased. */
const HELD: Record<Erased['kind'], string> = {
  project: eventsOf('projects', [`e.workspace_id = s.workspace_id and e.project_id = s.id and ${NAMED}`]),
  workspace: eventsOf('workspaces', [
    `e.workspace_id = s.id and e.project_id is null and ${NAMED}`,
    noticesAbout('workspace_id', 'false'),
  ]),
  user: eventsOf('users', [
    `e.actor = s.id and ${PUBLISHED}`,
    `e.creator = s.id and ${NAMED_PRIVATE}`,
    noticesAbout('user_id', 'e.targets = json_array(s.id)'),
  ]),
}

/** SQL: no event holds what the erased `:erased` wrote. */
export const holdsNoEventOf = (kind: Erased['kind']): string => `not exists (${HELD[kind]})`

/** SQL of `update events set`: a memory event loses what its writer chose, any other all that it says and its recipients. */
export const EMPTIED_COLUMNS = `namespace = null, conversation_id = null, scope = case channel when 'memory' then scope end,
  data = case channel when 'memory' then json_remove(json_set(data, '$.namespace', ''), '$.conversation_id', '$.occurred_at')
    else '{}' end,
  targets = case channel when 'memory' then targets else '[]' end`

/** SQL: the event has been emptied. */
export const isEmptied = (event: string): string =>
  `(case ${event}.channel when 'memory' then ${event}.data ->> 'namespace' = ''
    else ${event}.data = '{}' and ${event}.targets is '[]' end)`

const emptyPortion = (kind: Erased['kind'], rows: number): string => `
  update events set ${EMPTIED_COLUMNS}
  where rowid in (select h.row from (${HELD[kind]}) h
    where h.settled_at is not null and h.created_at <= max(h.deleted_at, :fanned_out_by) limit ${rows}) returning 1`

/**
 * Empties up to `rows` events of what was erased, and answers how many. A memory event keeps its ids and goes on; any other
 * has no recipient from then on. An event that is younger than the erasure waits until `fannedOutBy`, so that those who may
 * know of a deletion learn of it first.
 */
export async function emptyEvents(
  db: Database,
  { kind, id }: Erased,
  { rows, fannedOutBy }: { rows: number; fannedOutBy: number },
): Promise<number> {
  const emptied = await db.write(emptyPortion(kind, rows), { erased: id, fanned_out_by: fannedOutBy })
  return emptied.length
}
