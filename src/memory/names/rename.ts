import type { Database, Statement } from '../../core/database/database.ts'
import { slices } from '../../core/database/slices.ts'
import { held } from '../access.ts'
import { normalNames, renamings, type NamedItem, type Renaming } from './normal-names.ts'

export const NAMED_COLUMNS = [
  'row',
  'id',
  'write_id',
  'project_id',
  'namespace',
  'updated_at',
  'retired_at',
  'custom_id',
  'conversation_id',
  'document_id',
  'session_id',
  'tags',
] as const satisfies (keyof NamedItem)[]

/** Items that have a `custom_id` in NFC which an item of the sweep has in another form. */
const HOLDERS = `select ${NAMED_COLUMNS.map((name) => `i.${name}`).join(', ')} from json_each(:custom_ids) e
  cross join memory_items i on i.project_id = e.value ->> 'project_id' and i.namespace = e.value ->> 'namespace'
    and i.custom_id = e.value ->> 'custom_id' and ${held()}`

/** What has to be renamed, so that the names of all these items are in NFC. */
export async function renamingsOf(db: Database, items: readonly NamedItem[]): Promise<Renaming[]> {
  const wanted = items.flatMap((item) => {
    const { custom_id } = normalNames(item)
    return custom_id === item.custom_id ? [] : [{ project_id: item.project_id, namespace: item.namespace, custom_id }]
  })
  const holders: NamedItem[] = []
  for (const custom_ids of slices(wanted)) holders.push(...(await db.all<NamedItem>(HOLDERS, { custom_ids })))
  return renamings(items, holders)
}

const AS_READ = `i.write_id = e.value ->> 'write_id' and ${held()} and (e.value ->> 'instead_of' is null
  or exists (select 1 from memory_items o where o.id = e.value ->> '$.instead_of.id'
    and o.write_id = e.value ->> '$.instead_of.write_id' and ${held('o')}))`
const RENAMED = `from json_each(:items) e cross join memory_items i on i.id = e.value ->> 'id' where ${AS_READ}`

/** An item gives its name up, but a third item already has the name that it would get. */
const OTHER_NAME_TAKEN = `s.v ->> 'instead_of' is not null and exists (select 1 from memory_items o
  where o.project_id = memory_items.project_id and o.namespace = memory_items.namespace
    and o.custom_id = s.v ->> 'custom_id' and ${held('o')})`

/** `or ignore` leaves out an item whose new `custom_id` another item has got since. It stays due. */
const RENAME = `
  update or ignore memory_items set custom_id = iif(${OTHER_NAME_TAKEN}, null, s.v ->> 'custom_id'), conversation_id = s.v ->> 'conversation_id',
    document_id = s.v ->> 'document_id', session_id = s.v ->> 'session_id', tags = s.v ->> 'tags'
  from (select i.row as item, e.value as v ${RENAMED} limit -1) s where memory_items.row = s.item`
const DELETE_TAGS = `delete from memory_tags where item_row in (select i.row ${RENAMED})`
const INSERT_TAGS = `insert or ignore into memory_tags (item_row, project_id, tag)
  select i.row, i.project_id, t.value from json_each(:items) e cross join memory_items i on i.id = e.value ->> 'id'
    cross join json_each(i.tags) t where ${AS_READ}`

/** They belong into one batch. Items that give a name up come first. No version, time or event tells of it: no client changed them. */
export function renameStatements(db: Database, all: readonly Renaming[]): Statement[] {
  const [giving, taking] = [all.filter(({ instead_of }) => instead_of), all.filter(({ instead_of }) => !instead_of)]
  return [giving, taking].flatMap((some) =>
    slices(some).flatMap((items) => [RENAME, DELETE_TAGS, INSERT_TAGS].map((text) => db.statement(text, { items }))),
  )
}
