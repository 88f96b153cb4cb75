import type { Database } from '../../core/database/database.ts'
import { slices } from '../../core/database/slices.ts'
import type { ItemRecord } from '../item.ts'
import { FORM, KEYED_FORM } from '../keyword/index-form.ts'
import { speakerKey } from './speaker-key.ts'

const MAX_ROWS = 500

/** SQL: an earlier version of the service wrote or changed the item, without the key of its speaker. */
export const lacksSpeaker = (item: string): string =>
  `${item}.deleted_at is null and ${item}.conversation_id is not null and (${item}.speaker_key is null or ${item}.indexed_by < ${KEYED_FORM})`

type DueItem = Pick<ItemRecord, 'row' | 'write_id' | 'conversation_id' | 'speaker' | 'text'>

const DUE = `
  select i.row, i.write_id, i.conversation_id, i.speaker, substr(i.text, 1, 128) as text
  from memory_items i indexed by memory_items_to_key where ${lacksSpeaker('i')} limit ${MAX_ROWS}`

/** It leaves items that were written since they were read, and those whose words are due. */
const FILE = `
  update memory_items set speaker_key = s.name, indexed_by = ${KEYED_FORM}
  from (select i.row as item, e.value ->> 'name' as name from json_each(:items) e
    cross join memory_items i on i.row = e.value ->> 'row'
    where i.write_id = e.value ->> 'write_id' and i.indexed_by >= ${FORM} and ${lacksSpeaker('i')} limit -1) s
  where memory_items.row = s.item`

/** Gives the next items that lack it the key of their speaker. False: none was left. */
export async function fileSpeakers(db: Database): Promise<boolean> {
  const due = await db.all<DueItem>(DUE)
  if (due.length === 0) return false
  const named = due.map((item) => ({ row: item.row, write_id: item.write_id, name: speakerKey(item) }))
  await db.batch(slices(named).map((items) => db.statement(FILE, { items })))
  return true
}
