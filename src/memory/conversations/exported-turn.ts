import type { AuthContext } from '../../core/context.ts'
import type { RowOf } from '../../core/database/row.ts'
import type { MemoryItem } from '../item.ts'
import type { memory_turns } from './table.ts'
import { messageIdOf } from './turn.ts'

const TURNS = `select i.id, t.message_key, t.part from json_each(:ids) e
  cross join memory_items i on i.id = e.value and i.project_id = :project cross join memory_turns t on t.item_row = i.row`

type Found = RowOf<typeof memory_turns, 'message_key' | 'part'> & Pick<MemoryItem, 'id'>

/** The items of one project, each turn with `turn`, as an import takes it. */
export async function withTurns(ctx: AuthContext, items: readonly MemoryItem[]): Promise<object[]> {
  const ids = items.filter(({ kind }) => kind === 'turn').map(({ id }) => id)
  if (ids.length === 0) return [...items]
  const rows = await ctx.db.all<Found>(TURNS, { ids: JSON.stringify(ids), project: ctx.trail.projectId })
  const found = new Map(rows.map((row) => [row.id, row]))
  return items.map((item) => {
    const row = found.get(item.id)
    if (!row) return item
    const { role, speaker } = item
    return { ...item, turn: { role, speaker, message_id: messageIdOf(row.message_key), part: row.part } }
  })
}
