import { sql, type Sql } from '../../core/database/sql.ts'
import { member } from './commit-sql.ts'

/** Source of events: one row for each `{id, version, reason?, change?, superseded_by?}` of the JSON. */
const source = (named: string): string => `
  select i.id as memory_id, i.project_id, ${named}, i.scope, i.kind, coalesce(${member('version')}, i.version) as version,
    i.visibility, i.created_by as creator, ${member('reason')} as reason, ${member('change')} as change, ${member('superseded_by')} as superseded_by,
    (select json_group_array(g.user_id) from memory_grants g where g.item_row = i.row) as readers
  from json_each(:items) e cross join memory_items i on i.id = ${member('id')} where i.write_id = :write_id`
const EVENT_SOURCE = source('i.namespace, i.conversation_id, i.occurred_at')
const ERASED_SOURCE = source(`'' as namespace, null as conversation_id, null as occurred_at`)
export const eventSource = (items: string, writeId: string): Sql => sql(EVENT_SOURCE, { items, write_id: writeId })
/** The same, without what the writers of the items chose. */
export const erasedSource = (items: string, writeId: string): Sql => sql(ERASED_SOURCE, { items, write_id: writeId })
