import { z } from '@hono/zod-openapi'
import { idOf, timestamp } from '../../core/http/fields.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'
import { iso } from '../../core/values/clock.ts'
import { DAY_MS } from '../../core/values/durations.ts'
import { ERASURE_KINDS, ERASURE_STATUSES, type erasures } from './table.ts'

/** Point-in-time recovery of D1 reaches back this far. */
const RESTORABLE_MS = 30 * DAY_MS

export const CountsSchema = z
  .object({
    items: z.int().meta({ description: 'Of everybody, private ones too.' }),
    retired: z.int().meta({ description: 'Those of them that were retired.' }),
    versions: z.int().meta({ description: 'Earlier texts.' }),
    vectors: z.int(),
    events: z.int().meta({ description: 'Events that lost their data, or namespace and conversation.' }),
    deliveries: z.int().meta({ description: 'Deliveries of these events that were still waiting.' }),
  })
  .openapi('ErasureCounts')
export type Counts = z.infer<typeof CountsSchema>

export const CoversSchema = z
  .object({
    project_ids: z.array(idOf('prj')),
    whole_tenant: z.boolean().meta({ description: 'Whether these were all projects of the tenant.' }),
  })
  .openapi('ErasureCovers')

export const KeptSchema = z.object({ key_ids: z.array(idOf('key')), subscription_ids: z.array(idOf('sub')) })
export type Kept = z.infer<typeof KeptSchema>

export const ErasureSchema = z
  .object({
    id: idOf('ers'),
    status: z.enum(ERASURE_STATUSES).meta({
      description:
        '`running`; `erased`: no answer, row or vector holds it; `completed`: the keyword index has been rewritten too.',
    }),
    kind: z.enum(ERASURE_KINDS),
    name: z.string().nullable().meta({ description: 'What is erased, while it runs; then null.' }),
    name_hmac: z.string().meta({ description: 'HMAC-SHA-256 of the name under a key of the service.' }),
    covers: CoversSchema,
    counts: CountsSchema,
    digest: z.string().meta({
      description:
        'Over the erased items: from 32 zero bytes, for each id in ascending order SHA-256(digest ‖ id), in hexadecimal.',
    }),
    kept: KeptSchema.nullable().meta({
      description: 'Keys and subscriptions that name what was erased: change them yourself. Null while items are left.',
    }),
    requested_by: z.string(),
    requested_at: timestamp,
    erased_at: timestamp.nullable(),
    index_rewritten_at: timestamp
      .nullable()
      .meta({ description: 'From then on no part of the keyword index holds a word of it.' }),
    restorable_until: timestamp.nullable().meta({
      description: 'Until then a restore of the database can bring it back. Backups of your own are unknown.',
    }),
  })
  .openapi('Erasure')
export type Erasure = z.infer<typeof ErasureSchema>

export type ErasureRecord = typeof erasures.$inferSelect

/** The columns that a receipt shows. */
export const RECEIPT_COLUMNS = [
  'id',
  'status',
  'kind',
  'name',
  'name_hmac',
  'project_ids',
  'whole_tenant',
  'items',
  'retired',
  'versions',
  'vectors',
  'events',
  'deliveries',
  'digest',
  'kept',
  'requested_by',
  'requested_at',
  'erased_at',
  'index_rewritten_at',
] as const satisfies (keyof ErasureRecord)[]
export type ReceiptRow = Pick<ErasureRecord, (typeof RECEIPT_COLUMNS)[number]>

export const toErasure = (row: ReceiptRow): Erasure => ({
  id: row.id,
  status: row.status,
  kind: row.kind,
  name: row.name,
  name_hmac: row.name_hmac,
  covers: { project_ids: JSON.parse(row.project_ids) as string[], whole_tenant: row.whole_tenant === 1 },
  counts: {
    items: row.items,
    retired: row.retired,
    versions: row.versions,
    vectors: row.vectors,
    events: row.events,
    deliveries: row.deliveries,
  },
  digest: row.digest,
  kept: row.kept === null ? null : (JSON.parse(row.kept) as Kept),
  requested_by: row.requested_by,
  requested_at: iso(row.requested_at),
  erased_at: isoOrNull(row.erased_at),
  index_rewritten_at: isoOrNull(row.index_rewritten_at),
  restorable_until: row.erased_at === null ? null : iso(row.erased_at + RESTORABLE_MS),
})

const isoOrNull = (instant: number | null): string | null => (instant === null ? null : iso(instant))

export const SAMPLE_ERASURE: Erasure = {
  id: SAMPLE_IDS.erasure,
  status: 'running',
  kind: 'subject',
  name: 'Ada Lovelace',
  name_hmac: 'k1.6vYfk0PtYKk6jYQ6sJr1yT2b3cZ0a9m8n7l6k5j4h3g',
  covers: { project_ids: [SAMPLE_IDS.defaultProject], whole_tenant: true },
  counts: { items: 0, retired: 0, versions: 0, vectors: 0, events: 0, deliveries: 0 },
  digest: '00'.repeat(32),
  kept: null,
  requested_by: SAMPLE_IDS.ada,
  requested_at: SAMPLE_TIME,
  erased_at: null,
  index_rewritten_at: null,
  restorable_until: null,
}
