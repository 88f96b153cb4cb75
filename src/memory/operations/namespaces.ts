import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { sql, type Sql } from '../../core/database/sql.ts'
import { pageOf, type Page } from '../../core/http/cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { anyId, idOf } from '../../core/http/fields.ts'
import { SealedPageQuery, sealedOrder } from '../../core/http/sealed-cursor.ts'
import { Namespace } from '../../core/namespace.ts'
import { SAMPLE_IDS, samplePage } from '../../core/sample.ts'
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

export const ListNamespaces = SealedPageQuery.extend({
  project_id: anyId.optional(),
  prefix: Namespace.optional().meta({ description: PREFIX_DESCRIPTION }),
})

const NamespaceSchema = z.object({ project_id: idOf('prj'), namespace: z.string() }).openapi('MemoryNamespace')

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
const pageSql = (ctx: AuthContext, names: string): string => `
  with recursive m as materialized (${membershipSql()}), names(name, n) as (${names})
  select name, shown, n from (
    select names.name, n, exists (
      select 1 from memory_items i indexed by memory_items_by_namespace
      where i.deleted_at is null and i.project_id = m.id and i.namespace = names.name
        and ${alive()} and ${readableBy(ctx.principal)}) as shown
    from names cross join m where names.name is not null)
  where shown or n = ${MAX_PAGE_NAMESPACES} limit :rows`

/** The namespaces of one project that hold an item which the caller may read, by name. 404 for a hidden project. */
export async function namespaces(
  ctx: AuthContext,
  input: z.output<typeof ListNamespaces>,
): Promise<Page<z.infer<typeof NamespaceSchema>>> {
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
  return order.page(found, input, ({ name }) => ({ project_id: projectId, namespace: name }), stop)
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
  return ctx.db.all<NamespaceRow>(pageSql(ctx, names.sql), {
    ...accessParams(ctx),
    ...names.params,
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
    query: { prefix: 'customers' },
    reply: samplePage({ project_id: SAMPLE_IDS.defaultProject, namespace: 'customers:grace' }),
  },
}).handle(({ ctx, query }) => namespaces(ctx, query))
