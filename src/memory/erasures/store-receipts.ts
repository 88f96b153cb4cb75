import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import type { ObjectStore } from '../../core/ports.ts'
import { shardSweep } from '../../core/queue.ts'
import { toHex, utf8 } from '../../core/values/encoding.ts'
import type { ErasureRecord } from './erasure.ts'

/** Objects of one run. */
const RECEIPTS_A_RUN = 50

/** The columns that an object keeps, by which an erasure can be found and done again. */
export const STORED_COLUMNS = [
  'id',
  'tenant_id',
  'kind',
  'name_hmac',
  'project_ids',
  'whole_tenant',
  'status',
  'requested_by',
  'requested_at',
  'items',
  'retired',
  'versions',
  'vectors',
  'events',
  'deliveries',
  'digest',
  'emptied_at',
  'kept',
  'erased_at',
  'index_rewritten_at',
] as const satisfies (keyof ErasureRecord)[]
export type StoredReceipt = Pick<ErasureRecord, (typeof STORED_COLUMNS)[number]>

const TO_STORE = `select ${STORED_COLUMNS.join(', ')} from erasures indexed by erasures_to_store
  where erased_at is not null and stored_at is null order by erased_at limit ${RECEIPTS_A_RUN}`
const STORED = `update erasures set stored_at = :now where id = :id and status = :status`

/** Beside the pages of the audit log, whose keys begin with their shard. */
export const receiptPrefix = (shard: string): string => `erasures/${shard}/`
const keyOf = (shard: string, { tenant_id, id }: StoredReceipt): string =>
  `${receiptPrefix(shard)}${tenant_id}/${id}.json`

/** Puts receipts of erasures that ended into the audit bucket, where a restore of the database finds them. */
export async function storeReceipts(system: System, db: Database): Promise<boolean> {
  const { auditObjects: objects } = system
  if (objects === null) return false
  const receipts = await db.all<StoredReceipt>(TO_STORE)
  for (const receipt of receipts) {
    if (db.isSpent) return true
    await putReceipt(objects, db.shard, receipt)
    await db.write(STORED, { id: receipt.id, status: receipt.status, now: system.now() })
  }
  return receipts.length === RECEIPTS_A_RUN
}

async function putReceipt(objects: ObjectStore, shard: string, receipt: StoredReceipt): Promise<void> {
  const bytes = utf8(JSON.stringify(receipt))
  const sha256 = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  await objects.put(keyOf(shard, receipt), bytes, sha256)
}

export const receiptSweep = shardSweep('memory.store_receipts', 1, storeReceipts)
