import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { sql, type Sql } from '../../core/database/sql.ts'
import { pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { anyId, idOf, onlyTrue, timestamp } from '../../core/http/fields.ts'
import { SealedPageQuery, sealedOrder } from '../../core/http/sealed-cursor.ts'
import { Namespace } from '../../core/namespace.ts'
import { SAMPLE_IDS, SAMPLE_TIME, samplePage } from '../../core/sample.ts'
import { iso } from '../../core/values/clock.ts'
import { accessParams, alive, membershipSql, readableBy, requireProject, targetProject } from '../access.ts'
import { PREFIX_DESCRIPTION } from '../filter/read-context.ts'
import {
  behind,
  behindSql,
  firstNamespace,
  isBelow,
  namespacePrefix,
  permittedNamespaces,
} from '../filter/namespace-prefix.ts'

/** Items of one namespace are counted up to this number. */
const MAX_COUNTED = 1_000
/** Namespaces of one page with counts: each costs a look at as many items as are counted. */
const MAX_COUNTED_NAMESPACES = 20

export const ListNamespaces = SealedPageQuery.extend({
  project_id: anyId.optional(),
  prefix: Namespace.optional().meta({ description: PREFIX_DESCRIPTION }),
  include: z
    .enum(['counts'])
    .optional()
    .meta({ description: `Adds the counts of each namespace. Such a page has at most ${MAX_COUNTED_NAMESPACES}.` }),
})

const NamespaceSchema = z
  .object({
    project_id: idOf('prj'),
    namespace: z.string(),
    items: z
      .int()
      .optional()
      .meta({
        description: `Only with \`include=counts\`. Current items that you can read, among the newest ${MAX_COUNTED.toLocaleString('en-US')} of the namespace.`,
      }),
    items_truncated: onlyTrue.optional().meta({ description: 'Only if there are, or may be, more items.' }),
    last_write_at: timestamp.nullable().optional().meta({
      description:
        'Only with `include=counts`. When one of the counted items was last stored or changed; null if none was counted.',
    }),
  })
  .openapi('MemoryNamespace')
export type MemoryNamespace = z.infer<typeof NamespaceSchema>

/** Namespaces that one page looks at, since the items of any number of them may be hidden from the caller. */
const MAX_PAGE_NAMESPACES = 1_000

const positionOf = ({ name }: NamespaceRow): [string] => [name]
const byName = sealedOrder('namespaces', z.tuple([z.string()]), [''], positionOf)

/** A namespace that is shown, or the last one that the page looked at. */
interface NamespaceRow {
  name: string
  shown: 0 | 1
  /** Its place among those that the page looked at. */
  n: number
  /** Of its newest items: how many were looked at, how many the caller may read, and their last write. */
  looked_at?: number | null
  readable?: number | null
  written_at?: number | null
}

/** Names from `:from` on and before `:to`, from one to the next by the index; before them `:exact`, where it has items. */
const ALONG_INDEX = `
  select coalesce(
    (select i.namespace from memory_items i indexed by memory_items_by_namespace
      where i.deleted_at is null and i.project_id = m.id and i.namespace = :exact limit 1),
    ${firstNamespace(':from', ':to')}), 1 from m
  union all
  select ${firstNamespace(`max(:from, ${behindSql('names.name')})`, ':to')}, n + 1
  from names cross join m where names.name is not null and n < ${MAX_PAGE_NAMESPACES}`

/** The names of a key that is limited to them, in order. */
const PERMITTED = 'select value, key + 1 from json_each(:permitted)'

/** SQLite makes the next name when it has looked at the last, so a page of few reads few. */
const pageSql = (ctx: AuthContext, names: string, isCounted: boolean): string => `
  with recursive m as materialized (${membershipSql()}), names(name, n) as (${names}), page as (
  select name, shown, n from (
    select names.name, n, exists (
      select 1 from memory_items i indexed by memory_items_by_namespace
      where i.deleted_at is null and i.project_id = m.id and i.namespace = names.name
        and ${alive()} and ${readableBy(ctx.principal)}) as shown
    from names cross join m where names.name is not null)
  where shown or n = ${MAX_PAGE_NAMESPACES} limit :rows)
  ${isCounted ? countsSql(ctx) : 'select name, shown, n from page'}`

/**
 * The page with what is counted among the newest items of each; the row behind it only says that there are more.
 * `limit -1` keeps SQLite from counting once for each column.
 */
const countsSql = (ctx: AuthContext): string => `
  select name, shown, n, look ->> 0 as looked_at, look ->> 1 as readable, look ->> 2 as written_at from (
    select page.*, iif(row_number() over (order by n) <= :counted, (
      select json_array(count(*), coalesce(sum(readable), 0), max(updated_at) filter (where readable)) from (
        select (${alive()} and ${readableBy(ctx.principal)}) as readable, i.updated_at
        from memory_items i indexed by memory_items_by_namespace
        where i.deleted_at is null and i.project_id = m.id and i.namespace = page.name
        order by i.created_at desc, i.id desc limit ${MAX_COUNTED + 1})), null) as look
    from page cross join m limit -1)`

/** The namespaces of one project that hold an item which the caller may read, by name. 404 for a hidden project. */
export async function namespaces(
  ctx: AuthContext,
  asked: z.output<typeof ListNamespaces>,
): Promise<Page<MemoryNamespace>> {
  const input = limited(asked)
  const target = targetProject(ctx, input.project_id)
  const { projectId } = target
  ctx.trail.projectId = projectId
  const order = byName(ctx, projectId)
  const [after] = await order.after(input)
  const rows = await rowsOf(ctx, projectId, input, after)
  if (rows.length === 0) await requireProject(ctx, target)
  const found = rows.filter(({ shown }) => shown)
  const last = rows.at(-1)
  const stop = last?.n === MAX_PAGE_NAMESPACES ? positionOf(last) : null
  return order.page(found, input, (row) => ({ project_id: projectId, namespace: row.name, ...countsOf(row) }), stop)
}

/** A page with counts is a short one. */
const limited = <T extends z.output<typeof ListNamespaces>>(input: T): T =>
  input.include === 'counts' ? { ...input, limit: Math.min(input.limit, MAX_COUNTED_NAMESPACES) } : input

function countsOf({ looked_at, readable, written_at }: NamespaceRow): Partial<MemoryNamespace> {
  if (looked_at == null || readable == null) return {}
  return {
    items: Math.min(readable, MAX_COUNTED),
    ...(looked_at > MAX_COUNTED ? { items_truncated: true } : {}),
    last_write_at: written_at == null ? null : iso(written_at),
  }
}

async function rowsOf(
  ctx: AuthContext,
  projectId: string,
  input: z.output<typeof ListNamespaces>,
  after: string,
): Promise<NamespaceRow[]> {
  const prefix = namespacePrefix(input.prefix)
  const permitted = permittedNamespaces(ctx.principal, projectId)
    ?.filter((name) => name > after && isBelow(prefix, name))
    .toSorted()
  const names: Sql = permitted
    ? sql(PERMITTED, { permitted: JSON.stringify(permitted) })
    : sql(ALONG_INDEX, {
        from: after < prefix.from ? prefix.from : behind(after),
        to: prefix.to,
        exact: after === '' ? prefix.exact : null,
      })
  const isCounted = input.include === 'counts'
  return ctx.db.all<NamespaceRow>(pageSql(ctx, names.sql, isCounted), {
    ...accessParams(ctx),
    ...names.params,
    ...(isCounted ? { counted: input.limit } : {}),
    project: projectId,
    rows: input.limit + 1,
  })
}

export const namespacesEndpoint = endpoint({
  method: 'get',
  path: '/v1/memory/namespaces',
  operationId: 'listNamespaces',
  tag: 'memory',
  summary: 'List namespaces',
  description:
    'Lists the namespaces of one project that contain an item you can read, by name. A page can have fewer entries than its limit.',
  scope: 'read:memory',
  limit: 'read',
  audit: 'memory.namespaces',
  query: ListNamespaces,
  reply: { 200: pageOf(NamespaceSchema) },
  errors: ['not_found'],
  example: {
    query: { prefix: 'customers', include: 'counts' },
    reply: samplePage({
      project_id: SAMPLE_IDS.defaultProject,
      namespace: 'customers:grace',
      items: 1,
      last_write_at: SAMPLE_TIME,
    }),
  },
}).handle(({ ctx, query }) => namespaces(ctx, query))
