import { z } from '@hono/zod-openapi'
import { parseJson } from '../../core/http/body.ts'
import type { AuthContext } from '../../core/context.ts'
import { encodeCursor, newestFirst, oldestFirst, PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { isAppError } from '../../core/errors.ts'
import { text } from '../../core/http/fields.ts'
import { Filters, type Filter } from '../filter.ts'
import { furtherPermits } from '../filter-permits.ts'
import { targetProject } from '../access.ts'
import { ITEM_COLUMNS, MemoryItemSchema, ReadContext, toMemoryItem, type ItemRow, type MemoryItem } from '../item.ts'
import { readScope, type ReadScope } from '../read-scope.ts'
import { scan, type ScanInput } from '../scan.ts'
import { withCheapFilter } from '../search/cheap-filter.ts'
import { EMBEDDING_STATUSES } from '../table.ts'
import { queryTerms } from '../keyword/tokenize.ts'
import { matchAll } from '../keyword/keyword-index.ts'

/** `Filters` as JSON in a query string. */
const EncodedFilters = z
  .string()
  .max(8_192)
  .transform((json, context): unknown => {
    try {
      return parseJson(json, 'The parameter')
    } catch (error) {
      const message = isAppError(error) ? error.detail : 'Not JSON.'
      context.addIssue({ code: 'custom', message, params: { code: 'invalid_json' } })
      return z.NEVER
    }
  })
  .pipe(Filters)
  .meta({ type: 'string', description: 'URL-encoded JSON of `Filters`.' })

const Tag = z.string().min(1).max(64)

export const ListInput = PageQuery.extend(ReadContext.shape).extend({
  tags: z.union([Tag.transform((tag) => [tag]), z.array(Tag).min(1).max(32)]).optional(),
  tags_match: z.enum(['any', 'all']).default('any'),
  embedding_status: z.enum(EMBEDDING_STATUSES).optional(),
  created_after: z.iso.datetime({ offset: true }).optional(),
  created_before: z.iso.datetime({ offset: true }).optional(),
  q: text(1, 4_096).optional().meta({ description: 'Words that an item must all have.' }),
  filters: EncodedFilters.optional(),
  sort: z.enum(['-created_at', 'created_at']).default('-created_at'),
})
export type ListInput = z.output<typeof ListInput>

/** Items that have all the terms of ?13. */
const HAVING_ALL_TERMS = `memory_words cross join memory_items i
  on memory_words match (${matchAll('m.code', '?13')}) and i.row = memory_words.rowid`

/** Items that one page with filters looks at (contract §3). */
const MAX_PAGE_ITEMS = 20_000

/** Lists the items of one namespace of one project. 404 for a project that the caller may not see. */
export async function list(ctx: AuthContext, input: ListInput): Promise<Page<MemoryItem>> {
  const { limit, q, sort } = input
  const target = targetProject(ctx, input.project_id)
  ctx.trail.projectId = target.projectId
  const scope = await scopeOf(ctx, target.projectId, input)
  if (!scope) throw target.missing()
  const ascending = sort === 'created_at'
  const order = ascending ? oldestFirst : newestFirst
  const found = await scan<ItemRow>(ctx, scope, {
    columns: ITEM_COLUMNS,
    ascending,
    after: order.after(input),
    wanted: limit + 1,
    maxItems: MAX_PAGE_ITEMS,
    ...(q === undefined ? {} : sourceOf(queryTerms(q))),
  })
  if (!found) throw target.missing()
  const full = order.page(found.rows, input, toMemoryItem)
  const { stoppedAt } = found
  const page = stoppedAt && !full.has_more ? { ...full, has_more: true, next_cursor: encodeCursor(stoppedAt) } : full
  ctx.trail.resourceIds = page.data.map((item) => item.id)
  return page
}

/** With `q` each slice would look all matches up again, so a costly filter is looked up before, as for a search. */
async function scopeOf(ctx: AuthContext, projectId: string, input: ListInput): Promise<ReadScope | null> {
  const scope = readScope(ctx.principal, projectId, input, filterOf(input))
  if (input.q === undefined) return scope
  const cheap = await withCheapFilter(ctx, scope)
  return cheap && { ...cheap, sliceItems: null }
}

/** With `q` a list reads the items that have all its terms. A query without letters and digits finds nothing. */
const sourceOf = (terms: readonly string[]): Partial<ScanInput> =>
  terms.length === 0 ? { wanted: 0 } : { from: HAVING_ALL_TERMS, values: [JSON.stringify(terms)] }

/** All filters of the query string as one. */
export function filterOf(input: Omit<ListInput, 'limit' | 'sort'>): Filter | undefined {
  const all: Filter[] = []
  if (input.filters) all.push(input.filters)
  if (input.tags) all.push({ tags: input.tags, match: input.tags_match })
  if (input.embedding_status) all.push({ field: 'embedding_status', oneOf: [input.embedding_status] })
  if (input.created_after) all.push({ instant: 'created_at', is: '>', ms: Date.parse(input.created_after) })
  if (input.created_before) all.push({ instant: 'created_at', is: '<', ms: Date.parse(input.created_before) })
  return all.length === 0 ? undefined : { all }
}

export const listItemsEndpoint = endpoint({
  method: 'get',
  path: '/v1/memory/items',
  tag: 'memory',
  summary: 'List memory items',
  description: 'One namespace of one project, newest first. With `q` it counts against the limit of searches.',
  scope: 'read:memory',
  limit: 'read',
  limitWith: { parameter: 'q', limit: 'memory.search' },
  audit: 'memory.list',
  query: ListInput,
  reply: { 200: pageOf(MemoryItemSchema) },
  errors: ['not_found'],
  example: { query: { namespace: 'customer-17', tags: 'preference', limit: '20' } },
}).handle(async ({ ctx, query, charge }) => {
  await charge(furtherPermits(filterOf(query)))
  return list(ctx, query)
})
