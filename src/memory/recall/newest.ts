import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import type { ReadScope } from '../filter/read-scope.ts'
import { MAX_ANSWER_BYTES, scan, type ScanInput } from '../filter/scan.ts'
import { ITEM_COLUMNS } from '../item-columns.ts'
import type { ItemRow } from '../item.ts'
import { itemTurn, newestExchanges, noteCandidate } from './candidates.ts'
import type { Candidate } from './text.ts'

/** The tag of notes that a recall without a query begins with. */
export const PINNED = 'pinned'

const MAX_PINNED = 50
const MAX_TURNS = 100
/** Items that are looked at for each of them. */
const MAX_LOOKED_AT = 1_000
/** The same where a conversation is left out: the model sees it, so its turns are the newest. */
const MAX_LOOKED_AT_BESIDE = 10_000

const NEWEST = [Number.MAX_SAFE_INTEGER, ''] as const

const PINNED_NOTES: Partial<ScanInput> = {
  from: sql(
    'memory_tags g cross join memory_items i on g.project_id = :project and g.tag = :pinned and i.row = g.item_row',
    { pinned: PINNED },
  ),
  where: 'i.role is null',
  wanted: MAX_PINNED,
}
const NEWEST_TURNS: Partial<ScanInput> = {
  by: 'occurred_at',
  where: 'i.conversation_id is not null',
  wanted: MAX_TURNS,
}

/** The pinned notes, and behind them the newest exchanges. null: the caller may not see the project. */
export async function newestOf(
  ctx: AuthContext,
  asked: ReadScope,
  { besideAnother }: { besideAnother: boolean },
): Promise<Candidate[] | null> {
  const scope = { ...asked, sliceItems: Math.min(asked.sliceItems ?? MAX_LOOKED_AT, MAX_LOOKED_AT) }
  const read = async (input: Partial<ScanInput>): Promise<ItemRow[] | null> => {
    const found = await scan<ItemRow>(ctx, scope, {
      columns: ITEM_COLUMNS,
      ascending: false,
      after: NEWEST,
      wanted: 0,
      maxItems: besideAnother ? MAX_LOOKED_AT_BESIDE : MAX_LOOKED_AT,
      maxSlice: MAX_LOOKED_AT,
      maxFilled: MAX_ANSWER_BYTES,
      ...input,
    })
    return found?.rows ?? null
  }
  const [notes, turns] = await Promise.all([read(PINNED_NOTES), read(NEWEST_TURNS)])
  if (!notes || !turns) return null
  return [...notes.map(itemTurn).map(noteCandidate), ...newestExchanges(turns.map(itemTurn))]
}
