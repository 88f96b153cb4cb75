import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext, Principal } from '../../core/context.ts'
import { encodeCursor, listOrder, pageOf, PageQuery, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { notFound } from '../../core/errors.ts'
import { IdParams, timestamp } from '../../core/http/fields.ts'
import { SAMPLE_IDS, SAMPLE_TIME, SAMPLE_TEXT, samplePage } from '../../core/sample.ts'
import { ACCESS_JOINS, present, readableBy, readerParams } from '../access.ts'
import { via, type ItemRecord } from '../item.ts'
import type { EarlierText } from '../write/plan/change.ts'

const VersionSchema = z
  .object({
    version: z.int().meta({ description: 'The version that introduced this text.' }),
    text: z.string(),
    written_by: z.string(),
    written_at: timestamp,
    written_via: via.meta({ description: 'What wrote it, as in `text_via` of the item.' }),
  })
  .openapi('MemoryVersion')
export type Version = z.infer<typeof VersionSchema>

/** Texts of one page (contract §3). Usual versions are short, so a full page is far dearer than one of them. */
const MAX_VERSIONS_BYTES = 1024 * 1024

/** An item that the caller may read has one row at least. Its version is null where the item has no earlier text. */
type VersionRow = Pick<ItemRecord, 'project_id'> & ((EarlierText & { filled: number }) | { version: null })

/** The text that fills the answer is the last one. */
const listBy = (principal: Principal): string => `
  with item as materialized (
    select i.row, i.project_id from memory_items i ${ACCESS_JOINS} where i.id = :id and ${present()} and ${readableBy(principal)}),
  page as (
    select v.rowid as id, octet_length(v.text) as size, v.version from item cross join memory_versions v on v.item_row = item.row
    where v.version < :before order by v.version desc limit :rows),
  sized as (select id, size, sum(size) over (order by version desc rows unbounded preceding) as filled from page)
  select item.project_id, v.version, v.text, v.written_by, v.written_at, v.written_via, s.filled
  from item left join sized s on s.filled - s.size < ${MAX_VERSIONS_BYTES} left join memory_versions v on v.rowid = s.id
  order by v.version desc`

const newestFirst = listOrder(z.tuple([z.int()]), [Number.MAX_SAFE_INTEGER], (row: { version: number }) => [
  row.version,
])

/** The last 50 earlier texts of an item, newest first. 404 for an item that the caller may not read. */
export async function versions(
  ctx: AuthContext,
  input: { id: string } & z.output<typeof PageQuery>,
): Promise<Page<Version>> {
  const { id, limit } = input
  ctx.trail.resourceIds = [id]
  const [before] = newestFirst.after(input)
  const rows = await ctx.db.all<VersionRow>(listBy(ctx.principal), {
    ...readerParams(ctx),
    now: ctx.now(),
    id,
    before,
    rows: limit + 1,
  })
  if (!rows[0]) throw notFound('memory item', id)
  ctx.trail.projectId = rows[0].project_id
  const earlier = rows.filter((row): row is Extract<VersionRow, EarlierText> => row.version !== null)
  const last = earlier.at(-1)
  const filled = last !== undefined && last.filled >= MAX_VERSIONS_BYTES && earlier.length <= limit
  const page = newestFirst.page(earlier, input, ({ version, text, written_by, written_at, written_via }) => ({
    version,
    text,
    written_by,
    written_at: iso(written_at),
    written_via,
  }))
  return filled ? { ...page, has_more: true, next_cursor: encodeCursor([last.version]) } : page
}

export const versionsEndpoint = endpoint({
  method: 'get',
  path: '/v1/memory/items/{id}/versions',
  operationId: 'listMemoryVersions',
  tag: 'memory',
  summary: 'List earlier texts',
  description: 'The last 50 earlier texts of the item, newest first, with the author and time of each.',
  scope: 'read:memory',
  limit: 'read',
  audit: 'memory.versions',
  params: IdParams,
  query: PageQuery,
  reply: { 200: pageOf(VersionSchema) },
  errors: ['not_found'],
  example: {
    params: { id: SAMPLE_IDS.memory },
    reply: samplePage({
      version: 1,
      text: SAMPLE_TEXT,
      written_by: SAMPLE_IDS.ada,
      written_at: SAMPLE_TIME,
      written_via: 'session',
    }),
  },
}).handle(({ ctx, params, query }) => versions(ctx, { ...params, ...query }))
