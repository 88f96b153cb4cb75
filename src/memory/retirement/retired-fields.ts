import { z } from '@hono/zod-openapi'
import { text, timestamp } from '../../core/http/fields.ts'
import { iso } from '../../core/values/clock.ts'
import { ITEM_STATUSES, type memory_items } from '../table.ts'

export const MAX_REASON_CHARACTERS = 256

export const RetiredReason = text(1, MAX_REASON_CHARACTERS)

/** `superseded_by` where the successor was erased. */
export const GONE = 'gone'

export type RetiredColumns = Pick<typeof memory_items.$inferSelect, 'retired_at' | 'retired_reason' | 'superseded_by'>

/** Of an item that is current. */
export const NOT_RETIRED: RetiredColumns = { retired_at: null, retired_reason: null, superseded_by: null }

/** Members of an item on the wire: its status, and those that only a retired one has. */
export const retiredFields = {
  status: z.enum(ITEM_STATUSES).meta({
    description:
      'A `retired` item is no longer true. No search finds it, and a read by its id and a list by `status` show it.',
  }),
  retired_at: timestamp.optional().meta({ description: 'Only on retired items, like the next two fields.' }),
  retired_reason: z.string().nullable().optional(),
  superseded_by: z.string().nullable().optional().meta({
    description:
      'The id of the item that superseded this one; `gone` if that was erased; null if there is none or you cannot read it.',
  }),
}
const RetiredFields = z.object(retiredFields)

/** A current item is read without these columns. */
export function retiredFieldsOf(row: Partial<RetiredColumns>): z.infer<typeof RetiredFields> {
  const { retired_at = null, retired_reason = null, superseded_by = null } = row
  if (retired_at === null) return { status: 'current' }
  return { status: 'retired', retired_at: iso(retired_at), retired_reason, superseded_by }
}
