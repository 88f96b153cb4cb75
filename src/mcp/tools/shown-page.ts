import { newestFirst, type Page } from '../../core/http/cursor.ts'
import { costOf } from '../budget/cost.ts'
import { shownOf, type Showable, type Shown } from '../budget/shown.ts'

/** A page of a list within a budget. Where not all of it fits, the next page begins after what is shown. */
export function shownPage<Row extends { id: string; created_at: string }>(
  name: string,
  { data, has_more, next_cursor }: Page<Row>,
  toShowable: (row: Row) => Showable,
  maxCost: number,
): Shown {
  const cursors = data.map(({ id, created_at }) => newestFirst.cursorOf({ id, created_at: Date.parse(created_at) }))
  const frame = costOf({ [name]: [], has_more: false, next_cursor: cursors.at(-1) ?? next_cursor })
  const shown = shownOf(data.map(toShowable), maxCost - frame)
  return shown.length === data.length
    ? { [name]: shown, has_more, next_cursor }
    : { [name]: shown, has_more: true, next_cursor: cursors[shown.length - 1] ?? null }
}
