import { z } from 'zod'
import type { System } from '../../core/context.ts'
import type { Database } from '../../core/database/database.ts'
import { sql, type Sql } from '../../core/database/sql.ts'
import type { ObjectStore } from '../../core/ports.ts'
import { shardSweep } from '../../core/queue.ts'
import { sendWork } from '../../core/work.ts'
import { namesOfEvents } from '../../events/index.ts'
import { NO_DIGEST } from './digest.ts'
import { nameMatcher } from './name-hmac.ts'
import { ERASURES, type RunErasure } from './queue.ts'
import { receiptPrefix, STORED_COLUMNS, type StoredReceipt } from './store-receipts.ts'
import { ERASURE_KINDS, ERASURE_STATUSES, type ErasureKind } from './table.ts'

/** Receipts between two notes of the progress, since each may be compared with all names of its tenant. */
const RECEIPTS_A_PORTION = 20
/** Names that one look compares with a receipt. */
const NAMES_A_LOOK = 2_000

const instant = z.number().nullable()
const Receipt: z.ZodType<StoredReceipt> = z.object({
  id: z.string(),
  tenant_id: z.string(),
  kind: z.enum(ERASURE_KINDS),
  name_hmac: z.string(),
  project_ids: z.string(),
  whole_tenant: z.number(),
  status: z.enum(ERASURE_STATUSES),
  requested_by: z.string(),
  requested_at: z.number(),
  items: z.number(),
  retired: z.number(),
  versions: z.number(),
  vectors: z.number(),
  events: z.number(),
  deliveries: z.number(),
  digest: z.string(),
  emptied_at: instant,
  kept: z.string().nullable(),
  erased_at: instant,
  index_rewritten_at: instant,
})

interface Run {
  started_at: number
  after_key: string
}

type Outcome = 'known' | 'repeated' | 'restored' | 'unreadable'

/** Names that have items, by the kind of what was erased. */
const NAMES: Record<ErasureKind, string> = {
  namespace: `select namespace as name from memory_classes
    where project_id in (select value from json_each(:projects)) and namespace > :after
    union select namespace from memory_items indexed by memory_items_retired_by_namespace
    where retired_at is not null and project_id in (select value from json_each(:projects)) and namespace > :after
    order by 1 limit ${NAMES_A_LOOK}`,
  subject: `select distinct subject as name from memory_items indexed by memory_items_by_subject
    where project_id in (select value from json_each(:projects)) and subject > :after order by 1 limit ${NAMES_A_LOOK}`,
}

const PUT_BACK = `insert into erasures (${STORED_COLUMNS.join(', ')})
  select ${STORED_COLUMNS.map((name) => `:${name}`).join(', ')}
  where exists (select 1 from tenants where id = :tenant_id) on conflict (id) do nothing returning id`

/** As it was requested: it erases what is there now, and its receipt counts that. */
const RUN_AGAIN = `
  insert into erasures (id, tenant_id, kind, name, name_hmac, project_ids, whole_tenant, status, requested_by, requested_at, digest)
  select :id, :tenant, :kind, :name, :name_hmac, :project_ids, :whole_tenant, 'running', :requested_by, :requested_at, '${NO_DIGEST}'
  where exists (select 1 from tenants where id = :tenant) on conflict (id) do nothing returning id`

/**
 * Goes on with the run that `npm run erase-again` has asked for in this shard: compares receipts in the bucket with what
 * lives, such as after Time Travel. It may be broken off anywhere, and run twice at once. Answers whether there is more.
 */
export async function repeatErasures(system: System, db: Database): Promise<boolean> {
  const { auditObjects: objects } = system
  if (objects === null) return false
  let run = await db.first<Run>(
    'select started_at, after_key from erasure_repeats where finished_at is null order by started_at limit 1',
  )
  while (run !== null && !db.isSpent) run = await repeatPortion(system, objects, db, run)
  return run !== null
}

async function repeatPortion(system: System, objects: ObjectStore, db: Database, run: Run): Promise<Run | null> {
  const listed = await objects.list(receiptPrefix(db.shard), run.after_key)
  const keys = listed.keys.slice(0, RECEIPTS_A_PORTION)
  const hasMore = listed.hasMore || keys.length < listed.keys.length
  const counts: Record<Outcome, number> = { known: 0, repeated: 0, restored: 0, unreadable: 0 }
  let [afterKey, looked] = [run.after_key, 0]
  for (const { key } of keys) {
    if (db.isSpent) break
    counts[await repeat(system, objects, db, key)] += 1
    afterKey = key
    looked += 1
  }
  const isDone = looked === keys.length && !hasMore
  await db.write(
    `update erasure_repeats set after_key = :after_key, finished_at = :finished_at, receipts = receipts + :looked,
       repeated = repeated + :repeated, restored = restored + :restored, unreadable = unreadable + :unreadable
     where started_at = :started_at and after_key = :after_key_before`,
    {
      after_key: afterKey,
      finished_at: isDone ? system.now() : null,
      looked,
      repeated: counts.repeated,
      restored: counts.restored,
      unreadable: counts.unreadable,
      started_at: run.started_at,
      after_key_before: run.after_key,
    },
  )
  return isDone ? null : { started_at: run.started_at, after_key: afterKey }
}

/** A row that is there goes on by itself, or has ended with what is there. */
async function repeat(system: System, objects: ObjectStore, db: Database, key: string): Promise<Outcome> {
  const receipt = await readReceipt(objects, key)
  if (receipt === null || !system.dataKeys.some(({ id }) => receipt.name_hmac.startsWith(`${id}.`))) {
    system.log.error({ event: 'erasures.receipt_unreadable', alert: true, key })
    return 'unreadable'
  }
  if (await db.first('select 1 from erasures where id = :id', { id: receipt.id })) return 'known'
  const name = await livingName(system, db, receipt)
  if (name === null) {
    // The index that was restored may hold its words again, so the sweep rewrites it once more.
    const again = { ...receipt, status: 'erased', index_rewritten_at: null }
    await db.write(PUT_BACK, Object.fromEntries(STORED_COLUMNS.map((column) => [column, again[column]])))
    return 'restored'
  }
  const { id, tenant_id: tenant, kind, name_hmac, project_ids, whole_tenant, requested_by, requested_at } = receipt
  await db.write(RUN_AGAIN, {
    id,
    tenant,
    kind,
    name,
    name_hmac,
    project_ids,
    whole_tenant,
    requested_by,
    requested_at,
  })
  await sendWork(system, {
    kind: ERASURES,
    messages: [{ kind: 'erasure', shard: db.shard, erasure_id: id } satisfies RunErasure],
  })
  return 'repeated'
}

async function readReceipt(objects: ObjectStore, key: string): Promise<StoredReceipt | null> {
  const bytes = await objects.get(key)
  if (bytes === null) return null
  try {
    return Receipt.parse(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return null
  }
}

type NamesAfter = (receipt: StoredReceipt, after: string) => Sql

const namesOfItems: NamesAfter = ({ kind, project_ids }, after) => sql(NAMES[kind], { projects: project_ids, after })
const namesInEvents: NamesAfter = ({ kind, project_ids: projectIds }, after) =>
  namesOfEvents({ kind, projectIds, after, limit: NAMES_A_LOOK })

/** The name of the receipt among those that items or events have now; null: it is none of them. */
async function livingName(system: System, db: Database, receipt: StoredReceipt): Promise<string | null> {
  const { tenant_id: tenantId, kind } = receipt
  const isName = await nameMatcher(system, receipt.name_hmac)
  for (const names of [namesOfItems, namesInEvents]) {
    for (let after: string | undefined = ''; after !== undefined;) {
      const { sql: text, params } = names(receipt, after)
      const rows = await db.all<{ name: string }>(text, params)
      for (const { name: stored } of rows) {
        // A receipt has the normal form, and what is published any form.
        const name = stored.normalize('NFC')
        if (await isName({ tenantId, kind, name })) return name
      }
      after = rows.length < NAMES_A_LOOK ? undefined : rows.at(-1)?.name
    }
  }
  return null
}

export const repeatSweep = shardSweep('memory.erase_again', 1, repeatErasures)
