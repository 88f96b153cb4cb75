import { alive, readerOf } from '../access.ts'
import type { ReadScope } from '../filter/read-scope.ts'

/** The score of an item is multiplied by this if the query names its speaker. */
export const SPEAKER_FACTOR = 1.3

const NAMED = `i.speaker_key = w.value and i.speaker_key > ''`

/**
 * SQL that follows `from`: items of the speaker `w`, of the classes that count. It looks into no other class: with a plus the
 * index, whose expression has no affinity, bounds the reader too.
 */
function itemsOfSpeaker({ places, ownClasses }: ReadScope): string {
  const items = 'memory_items i indexed by memory_items_by_speaker'
  return places === null
    ? `(${ownClasses('i.namespace, i.reader')}) c cross join ${items}
        where i.project_id = :project and ${NAMED} and ${readerOf('i')} = +c.reader and i.namespace = c.namespace and ${alive()}`
    : `${items} where ${places} and ${NAMED} and ${readerOf('i')} in ('', :caller) and ${alive()}`
}

/**
 * `named_speaker` is the speaker whom the query names: the one word of `:names` that is a speaker, among the items that the rarity of words
 * counts. No row where none or several are. So what a caller may not read moves no score.
 */
export const namedSpeaker = (scope: ReadScope): string => `
  select min(w.value) as name from m cross join json_each(:names) w
  where exists (select 1 from ${itemsOfSpeaker(scope)}) having count(*) = 1`

/** SQL: the query names the speaker of a row with `speaker_key`. */
export const IS_NAMED = 'speaker_key = (select name from named_speaker)'
