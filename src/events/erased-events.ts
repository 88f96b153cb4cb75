import type { Database, Statement } from '../core/database/database.ts'
import { joined, sql, type Sql } from '../core/database/sql.ts'
import { storedForms } from '../core/values/normal-form.ts'
import { OPEN } from './deliveries/delivery.ts'
import { EMPTIED_COLUMNS, isEmptied } from './erasure.ts'
import { NAMED } from './table.ts'

/** Sources select the `id` of events that still hold what is erased. */

/** Memory events of the items of `items`, JSON of `{id}` each. */
export const eventsOfItems = (items: string): Sql =>
  // `+` removes the affinity, because the index of an expression has none.
  sql(
    `select e.id from json_each(:event_items) j
     cross join events e on e.channel = 'memory' and e.data ->> 'memory_id' = +(j.value ->> 'id') where not ${isEmptied('e')}`,
    { event_items: items },
  )

type NameKind = 'namespace' | 'subject'

/** What is erased: a namespace or a subject of some projects (a JSON array), and some of their conversations. */
interface ErasedNames {
  kind: NameKind
  name: string
  projectIds: string
  /** Selects `project_id, conversation_id`. */
  conversations: Sql
}

const NAMES = {
  namespace: 'e.namespace in (select value from json_each(:event_names))',
  // What is published keeps the form in which it came.
  subject: `e.channel <> 'memory' and e.data ->> 'subject' in (select value from json_each(:event_names))`,
}

/** Events of the projects that hold what a user wrote. */
const OF_PROJECTS = `
  select e.id from json_each(:event_projects) c cross join projects q on q.id = c.value
  cross join events e indexed by events_named on e.workspace_id = q.workspace_id and e.project_id = q.id and ${NAMED}`

/** Events of a whole workspace, where each project of it is one of those. */
const OF_WORKSPACES = `
  select e.id from workspaces w cross join events e indexed by events_named
    on e.workspace_id = w.id and e.project_id is null and ${NAMED}
  where w.id in (select workspace_id from projects where id in (select value from json_each(:event_projects)))
    and not exists (select 1 from projects o where o.workspace_id = w.id and o.deleted_at is null
      and o.id not in (select value from json_each(:event_projects)))`

/** Events that name what is erased, and what was published in one of the conversations. */
export const eventsNaming = ({ kind, name, projectIds, conversations }: ErasedNames): Sql =>
  sql(
    `${OF_PROJECTS}
     where (${NAMES[kind]}) or (e.channel <> 'memory' and (e.project_id, e.conversation_id) in (${conversations.sql}))
     union all ${OF_WORKSPACES} and (${NAMES[kind]})`,
    joined({ event_projects: projectIds, event_names: JSON.stringify(storedForms(name)) }, conversations.params),
  )

const NAME: Record<NameKind, string> = {
  namespace: 'e.namespace',
  subject: `iif(e.channel <> 'memory' and json_type(e.data, '$.subject') = 'text', e.data ->> 'subject', null)`,
}
/** No name of an erasure is longer, in any form. What is published may have any length. */
const LONGEST_NAME = 1_024

interface NamesAfter {
  kind: NameKind
  /** A JSON array. */
  projectIds: string
  after: string
  limit: number
}

/** The names in ascending order by which `eventsNaming` finds events of some projects. */
export const namesOfEvents = ({ kind, projectIds, after, limit }: NamesAfter): Sql =>
  sql(
    `select distinct ${NAME[kind]} as name from (${OF_PROJECTS} union all ${OF_WORKSPACES}) x cross join events e on e.id = x.id
     where name > :event_after and length(name) <= ${LONGEST_NAME} order by name limit :event_limit`,
    { event_projects: projectIds, event_after: after, event_limit: limit },
  )

const named = (ids: string): Sql =>
  sql(`select e.id from json_each(:event_ids) j cross join events e on e.id = j.value where not ${isEmptied('e')}`, {
    event_ids: ids,
  })

/** Deliveries `d` of the events `e` of a source. */
const deliveriesOf = (source: string, columns: string): string => `
  select ${columns} from (${source}) x cross join events e on e.id = x.id
  cross join subscriptions s on s.tenant_id = e.tenant_id
  cross join deliveries d on d.subscription_id = s.id and d.event_id = e.id`

const expires = (column: string): string => `e.channel <> 'memory' and d.${column}`

/** Counts the `events` of a source, and those of their `deliveries` that wait. */
export const countedBy = ({ sql: source, params }: Sql): Sql =>
  sql(
    `select (select count(*) from (${source})) as events,
       (${deliveriesOf(source, 'count(*)')} where ${expires(OPEN)}) as deliveries`,
    params,
  )

/**
 * Empties the events of a source: a memory event keeps its ids and goes on, any other has no recipient from then on, and
 * what waits of it expires. What receivers answered goes too.
 */
export const emptyStatements = (db: Database, { sql: source, params }: Sql): Statement[] =>
  [
    `update delivery_attempts set response = '' where response <> '' and delivery_id in (${deliveriesOf(source, 'd.id')})`,
    `update deliveries set status = 'expired', lease_id = null
     where id in (${deliveriesOf(source, 'd.id')} where ${expires(OPEN)})`,
    `update events set ${EMPTIED_COLUMNS} where id in (${source})`,
  ].map((text) => db.statement(text, params))

/** Up to so many events of a source, as the source of a portion; null where there is none. */
export async function portionOf(db: Database, { sql: source, params }: Sql, rows: number): Promise<Sql | null> {
  const found = await db.all<{ id: string }>(`select id from (${source}) limit :event_rows`, {
    ...params,
    event_rows: rows,
  })
  return found.length === 0 ? null : named(JSON.stringify(found.map(({ id }) => id)))
}
