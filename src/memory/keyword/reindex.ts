import { shardSweep } from '../../core/queue.ts'
import type { ItemRecord } from '../item.ts'
import type { NamedItem } from '../names/normal-names.ts'
import { NAMED_COLUMNS, renameStatements, renamingsOf } from '../names/rename.ts'
import { fileSpeakers } from '../speakers/file-speakers.ts'
import { speakerKey } from '../speakers/speaker-key.ts'
import { isDue } from './index-form.ts'
import { indexAgainStatements } from './keyword-index.ts'
import { postingsOf } from './postings.ts'

/** Of one portion, which is one batch. */
const REINDEXED_ROWS = 200
const REINDEXED_BYTES = 128 * 1024
/** Portions of one run. */
const MAX_PORTIONS = 50

type DueItem = NamedItem & Pick<ItemRecord, 'text' | 'occurred_at' | 'speaker'>

/** Newest first, of one project after the other: the partial index holds nothing else. */
const DUE = `
  select ${NAMED_COLUMNS.map((name) => `i.${name}`).join(', ')}, i.text, i.occurred_at, i.speaker from (
    select row, sum(size) over (order by row desc) - size as before from (
      select d.row, octet_length(d.text) as size from memory_items d indexed by memory_items_to_index
      where d.project_id = (select f.project_id from memory_items f indexed by memory_items_to_index where ${isDue('f')} limit 1)
        and ${isDue('d')} order by d.row desc limit ${REINDEXED_ROWS})) portion
  cross join memory_items i on i.row = portion.row
  where portion.before < ${REINDEXED_BYTES}`

/**
 * Indexes again what an earlier version of the service indexed, or wrote after a rollback, and brings its names to the form NFC.
 * Items that are indexed and lack the key of their speaker get it, and are not indexed again.
 * A batch leaves items that were written since it read them: those are due no longer, or again.
 */
export const reindexSweep = shardSweep('memory.reindex', 1, async ({ vocabulary }, db) => {
  for (let portion = 0; portion < MAX_PORTIONS && !(portion > 0 && db.isSpent); portion++) {
    const due = await db.all<DueItem>(DUE)
    if (due.length === 0) {
      if (await fileSpeakers(db)) continue
      return false
    }
    const renamed = await renamingsOf(db, due)
    const customIds = new Map(renamed.map(({ id, custom_id }) => [id, custom_id]))
    const entries = due.map(({ id, write_id, custom_id, conversation_id, speaker, text, occurred_at }) => ({
      id,
      write_id,
      custom_id: customIds.get(id) ?? custom_id,
      speaker_key: speakerKey({ conversation_id, speaker, text }),
      ...postingsOf(text, occurred_at, vocabulary),
    }))
    await db.batch([...renameStatements(db, renamed), ...indexAgainStatements(db, entries)])
  }
  return true
})
