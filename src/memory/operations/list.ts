import { z } from '@hono/zod-openapi'
import { instant } from '../../core/http/instant.ts'
import { parseJson } from '../../core/http/body.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { PageQuery, pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { isAppError } from '../../core/errors.ts'
import { text } from '../../core/http/fields.ts'
import { Filters, type Filter } from '../filter/filter.ts'
import { furtherPermits } from '../filter/filter-permits.ts'
import { targetProject, type Target } from '../access.ts'
import { ITEM_COLUMNS } from '../item-columns.ts'
import { MemoryItemSchema, Tag, type ItemRow, type MemoryItem } from '../item.ts'
import { oneWayToNameNamespaces, readContextQuery } from '../filter/read-context.ts'
import { ORDERS, SORTS } from '../item-order.ts'
import { readScope, type ReadScope } from '../filter/read-scope.ts'
import { MAX_ANSWER_BYTES, scan, type Scan, type ScanInput } from '../filter/scan.ts'
import { anyItemColumns } from '../retirement/any-item-columns.ts'
import { scanStatuses } from '../retirement/scan-statuses.ts'
import { statusesOf, StatusFilter } from '../retirement/status-filter.ts'
import { withCheapFilter, withLargeMetadata } from '../search/cheap-filter.ts'
import { ITEM_KINDS } from '../../core/values/items.ts'
import { EMBEDDING_STATUSES } from '../table.ts'
import { queryWords, type QueryTerms } from '../keyword/query-terms.ts'
import { matchAll } from '../keyword/index-form.ts'
import { FILTER_REFUSALS } from '../refusals.ts'
import { samplePage } from '../../core/sample.ts'
import { SAMPLE_ITEM } from '../sample.ts'

/** `Filters` as JSON in a query string. */
const EncodedFilters = z
  .string()
  .max(8_192)
  .transform((json, context): unknown => {
    try {
      return parseJson(json, 'The parameter')
    } catch (error) {
      if (!isAppError(error)) throw error
      const faults = error.errors ?? [{ path: '', code: error.code, message: error.detail }]
      for (const { path, code, message } of faults)
        context.addIssue({ code: 'custom', path: path === '' ? [] : [path], message, params: { code } })
      return z.NEVER
    }
  })
  .pipe(Filters)
  .meta({
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: { $ref: '#/components/schemas/Filters' },
    description: 'URL-encoded JSON of `Filters`.',
  })

export const ListFields = PageQuery.extend(readContextQuery).extend({
  tags: z.union([Tag.transform((tag) => [tag]), z.array(Tag).min(1).max(32)]).optional(),
  tags_match: z.enum(['any', 'all']).default('any'),
  embedding_status: z.enum(EMBEDDING_STATUSES).optional(),
  kind: z.enum(ITEM_KINDS).optional(),
  created_after: instant.optional(),
  created_before: instant.optional(),
  occurred_after: instant.optional(),
  occurred_before: instant.optional(),
  q: text(1, 4_096).optional().meta({ description: 'Words that an item must contain, all of them.' }),
  filters: EncodedFilters.optional(),
  status: StatusFilter,
  sort: z
    .enum(SORTS)
    .default('-created_at')
    .meta({ description: 'Sorting by `occurred_at` uses `created_at` for items without it.' }),
})

/** The keyword index has the words of current items alone. */
function currentWithQuery(
  { q, status }: { q?: string | undefined; status: StatusFilter },
  context: z.RefinementCtx,
): void {
  if (q === undefined || status === 'current') return
  const message = 'q finds current items only: leave out status.'
  context.addIssue({ code: 'custom', path: ['status'], message, params: { code: 'invalid_combination' } })
}

export const ListInput = ListFields.superRefine(oneWayToNameNamespaces).superRefine(currentWithQuery)
export type ListInput = z.output<typeof ListInput>

/** Items that have all terms of a query. */
const havingAllTerms = ({ ownClasses, othersClasses }: ReadScope): string => `memory_words cross join memory_items i
  on memory_words match (${matchAll('m.code', `${ownClasses('i.name')} union all ${othersClasses('i.name')}`)}) and i.row = memory_words.rowid`

/** Items that one page with filters looks at (contract §3). */
const MAX_PAGE_ITEMS = 20_000
/** Metadata that the filters of one page parse (contract §3). */
const MAX_PAGE_BYTES = 8 * 1024 * 1024

/**
 * Lists the items of one project, in one, several or all namespaces. A page ends where texts and metadata fill `maxFilled`
 * bytes. 404 for a project that the caller may not see.
 */
export async function list(
  ctx: AuthContext,
  input: ListInput,
  maxFilled = MAX_ANSWER_BYTES,
): Promise<Page<MemoryItem>> {
  const { limit, q } = input
  const order = ORDERS[input.sort]
  const target = targetProject(ctx, input.project_id)
  ctx.trail.projectId = target.projectId
  if (input.status !== 'current') return listByStatus(ctx, input, target, maxFilled)
  const scope = await scopeOf(ctx, target.projectId, input)
  const after = await order.after(ctx, target.projectId, input)
  const page = async (within: ReadScope | null) => {
    const found =
      within &&
      (await scan<ItemRow>(ctx, within, {
        columns: ITEM_COLUMNS,
        by: order.by,
        ascending: order.ascending,
        after,
        wanted: limit + 1,
        maxFilled,
        maxItems: MAX_PAGE_ITEMS,
        maxBytes: MAX_PAGE_BYTES,
        ...(q === undefined ? {} : sourceOf(queryWords(q), within)),
      }))
    if (!found) throw target.missing()
    return found
  }
  let found = await page(scope)
  if (q !== undefined && scope?.partial === false && found.stoppedAt) {
    found = await page(withQuery(await withLargeMetadata(ctx, scope)))
  }
  return pageOfScan(ctx, target, found, input)
}

/** Lists retired items, or those of both statuses. */
async function listByStatus(
  ctx: AuthContext,
  input: ListInput,
  target: Target,
  maxFilled: number,
): Promise<Page<MemoryItem>> {
  const order = ORDERS[input.sort]
  const scopes = statusesOf(input.status).map((status) =>
    readScope(ctx.principal, target.projectId, input, filterOf(input), status),
  )
  const found = await scanStatuses<ItemRow>(ctx, scopes, {
    columns: anyItemColumns(ctx.principal),
    by: order.by,
    ascending: order.ascending,
    after: await order.after(ctx, target.projectId, input),
    wanted: input.limit + 1,
    maxFilled,
    maxItems: MAX_PAGE_ITEMS,
    maxBytes: MAX_PAGE_BYTES,
  })
  if (!found) throw target.missing()
  return pageOfScan(ctx, target, found, input)
}

async function pageOfScan(
  ctx: AuthContext,
  { projectId }: Target,
  found: Scan<ItemRow>,
  input: ListInput,
): Promise<Page<MemoryItem>> {
  const order = ORDERS[input.sort]
  const full = order.page(found.rows, input)
  const endedAt = found.stoppedAt ?? found.filledAt
  ctx.trail.resourceIds = full.data.map((item) => item.id)
  if (!endedAt || full.has_more) return full
  return { ...full, has_more: true, next_cursor: await order.cursorAt(ctx, projectId, endedAt) }
}

async function scopeOf(ctx: AuthContext, projectId: string, input: ListInput): Promise<ReadScope | null> {
  const scope = readScope(ctx.principal, projectId, input, filterOf(input))
  return input.q === undefined ? scope : withQuery(await withCheapFilter(ctx, scope))
}

/**
 * With `q` each slice looks all matches up again, so a costly filter is looked up before, as for a search, and then one
 * statement reads all. Conditions on metadata get one slice, which ends by their bytes.
 */
const withQuery = (scope: ReadScope | null): ReadScope | null =>
  scope && { ...scope, sliceItems: scope.metadataConditions > 0 ? MAX_PAGE_ITEMS : null }

/** With `q` a list reads the items that have all its terms. A query without letters and digits finds nothing. */
const sourceOf = ({ present, earlier }: QueryTerms, scope: ReadScope): Partial<ScanInput> => ({
  ...(scope.metadataConditions > 0 ? { maxItems: 1 } : {}),
  ...(present.length === 0
    ? { wanted: 0 }
    : { from: sql(havingAllTerms(scope), { present: JSON.stringify(present), earlier: JSON.stringify(earlier()) }) }),
})

/** All filters of the query string as one. */
export function filterOf(input: Omit<ListInput, 'limit' | 'sort' | 'status'>): Filter | undefined {
  const all: Filter[] = []
  if (input.filters) all.push(input.filters)
  if (input.tags) all.push({ tags: input.tags, match: input.tags_match })
  if (input.embedding_status) all.push({ field: 'embedding_status', oneOf: [input.embedding_status] })
  if (input.kind) all.push({ field: 'kind', oneOf: [input.kind] })
  if (input.created_after) all.push({ instant: 'created_at', is: '>', ms: Date.parse(input.created_after) })
  if (input.created_before) all.push({ instant: 'created_at', is: '<', ms: Date.parse(input.created_before) })
  if (input.occurred_after) all.push({ instant: 'occurred_at', is: '>', ms: Date.parse(input.occurred_after) })
  if (input.occurred_before) all.push({ instant: 'occurred_at', is: '<', ms: Date.parse(input.occurred_before) })
  return all.length === 0 ? undefined : { all }
}

export const listItemsEndpoint = endpoint({
  method: 'get',
  path: '/v1/memory/items',
  operationId: 'listMemories',
  refusals: FILTER_REFUSALS,
  tag: 'memory',
  summary: 'List memory items',
  description:
    'Lists one namespace of one project, or those in `namespaces`, newest first. With `q`, the request counts against the search limit.',
  scope: 'read:memory',
  limit: 'read',
  limitWith: { parameter: 'q', limit: 'memory.search' },
  audit: 'memory.list',
  query: ListInput,
  reply: { 200: pageOf(MemoryItemSchema) },
  errors: ['not_found'],
  example: { query: { tags: 'health', limit: 20 }, reply: samplePage(SAMPLE_ITEM) },
}).handle(async ({ ctx, query, charge }) => {
  await charge(furtherPermits(filterOf(query)))
  return list(ctx, query)
})
