import { wholeOrShort } from '../core/http/written.ts'
import { MemoryItemSchema, type MemoryItem } from './item.ts'

const WRITTEN = [
  'id',
  'version',
  'created_at',
  'updated_at',
  'embedding_status',
  'status',
  'warnings',
  'warnings_omitted',
] as const satisfies (keyof MemoryItem)[]
export type MemoryItemWritten = Pick<MemoryItem, (typeof WRITTEN)[number]>
/** What a write answers of an item. */
export const MemoryItemOrWritten = wholeOrShort('MemoryItem', MemoryItemSchema, WRITTEN)
