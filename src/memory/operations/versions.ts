import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext, Principal } from '../../core/context.ts'
import { listOrder, pageOf, PageQuery, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { notFound } from '../../core/errors.ts'
import { IdParams, timestamp } from '../../core/http/fields.ts'
import { ACCESS_JOINS, accessValues, alive, readableBy } from '../access.ts'
import type { ItemRecord } from '../item.ts'
import type { EarlierText } from '../write/change.ts'

const VersionSchema = z
  .object({
    version: z.int().meta({ description: 'The version that introduced this text.' }),
    text: z.string(),
    written_by: z.string(),
    written_at: timestamp,
  })
  .openapi('MemoryVersion')
export type Version = z.infer<typeof VersionSchema>

/** An item that the caller may read has one row at least. Its version is null where the item has no earlier text. */
type VersionRow = Pick<ItemRecord, 'project_id'> & (EarlierText | { version: null })

const listBy = (principal: Principal): string => `select i.project_id, v.version, v.text, v.written_by, v.written_at
  from memory_items i ${ACCESS_JOINS} left join memory_versions v on v.item_row = i.row and v.version < ?6
  where i.id = ?5 and ${alive()} and ${readableBy(principal)} order by v.version desc limit ?7`

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
  const rows = await ctx.db.all<VersionRow>(listBy(ctx.principal), ...accessValues(ctx), id, before, limit + 1)
  if (!rows[0]) throw notFound('memory item')
  ctx.trail.projectId = rows[0].project_id
  const earlier = rows.filter((row): row is VersionRow & EarlierText => row.version !== null)
  return newestFirst.page(earlier, input, ({ version, text, written_by, written_at }) => ({
    version,
    text,
    written_by,
    written_at: iso(written_at),
  }))
}

export const versionsEndpoint = endpoint({
  method: 'get',
  path: '/v1/memory/items/{id}/versions',
  tag: 'memory',
  summary: 'List earlier texts',
  description: 'The last 50 texts that the item had before, newest first, with who wrote each and when.',
  scope: 'read:memory',
  limit: 'read',
  audit: 'memory.versions',
  params: IdParams,
  query: PageQuery,
  reply: { 200: pageOf(VersionSchema) },
  errors: ['not_found'],
}).handle(({ ctx, params, query }) => versions(ctx, { ...params, ...query }))
