import { iso } from '../core/values/clock.ts'
import type { events } from './table.ts'

export type EventRow = typeof events.$inferSelect

/** The message of contract §5, everywhere the same. */
export interface EventMessage {
  id: string
  type: string
  channel: string
  timestamp: string
  data: Record<string, unknown>
}

/** The message as JSON text, with the stored bytes of `data`. */
export const toMessageText = (row: Pick<EventRow, 'id' | 'type' | 'channel' | 'created_at' | 'data'>): string =>
  `{"id":${JSON.stringify(row.id)},"type":${JSON.stringify(row.type)},"channel":${JSON.stringify(row.channel)},` +
  `"timestamp":"${iso(row.created_at)}","data":${row.data}}`
