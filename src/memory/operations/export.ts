import type { z } from '@hono/zod-openapi'
import { auditRow, enqueueAuditRow } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { jsonLines } from '../../core/http/fields.ts'
import { utf8 } from '../../core/values/encoding.ts'
import { furtherPermits } from '../filter/filter-permits.ts'
import { oneWayToNameNamespaces } from '../filter/read-context.ts'
import { withTurns } from '../conversations/exported-turn.ts'
import { filterOf, list, ListFields } from './list.ts'
import { FILTER_REFUSALS } from '../refusals.ts'
import { SAMPLE_ITEM } from '../sample.ts'

const PAGE = 100
/** A page is read while the one before is sent, so it is half as large as that of a list. */
const EXPORT_PAGE_BYTES = 1024 * 1024

export const ExportInput = ListFields.omit({ limit: true, cursor: true, q: true, sort: true }).superRefine(
  oneWayToNameNamespaces,
)

/**
 * One JSON item a line, oldest first. It reads the next page when the client has read the last. The answer begins after
 * the first page, so a hidden project is a 404. A later failure breaks the stream off, so that no export looks complete.
 */
export async function exportItems(
  ctx: AuthContext,
  input: z.output<typeof ExportInput>,
  read = list,
): Promise<ReadableStream> {
  const page = async (cursor: string | undefined) => {
    const asked = { ...input, sort: 'created_at', limit: PAGE, ...(cursor ? { cursor } : {}) } as const
    const found = await read(ctx, asked, EXPORT_PAGE_BYTES)
    const { principal, requestId, trail } = ctx
    enqueueAuditRow(
      ctx,
      ctx.db.shard,
      auditRow(ctx, { principal, action: 'memory.export', outcome: 'success', requestId, trail }),
    )
    return { ...found, data: await withTurns(ctx, found.data) }
  }
  let next: string | null = null
  const first = await page(undefined)
  // Each page has an audit row of its own, with the ids of its items.
  ctx.trail.committed = true
  return new ReadableStream({
    start(stream) {
      next = first.next_cursor
      push(stream, first.data)
    },
    async pull(stream) {
      // The stream asks again only after it got something, and a page may be empty.
      for (let pushed = false; next !== null && !pushed;) {
        const more = await page(next)
        next = more.next_cursor
        push(stream, more.data)
        pushed = more.data.length > 0
      }
      if (next === null) stream.close()
    },
  })
}

function push(stream: ReadableStreamDefaultController, items: readonly object[]): void {
  if (items.length > 0) stream.enqueue(utf8(items.map((item) => `${JSON.stringify(item)}\n`).join('')))
}

export const exportEndpoint = endpoint({
  method: 'get',
  path: '/v1/memory/export',
  operationId: 'exportMemories',
  refusals: FILTER_REFUSALS,
  tag: 'memory',
  summary: 'Export memory items',
  description:
    'Returns one item per line, oldest first, from one project and one namespace (`namespace=*` for all). Turns have `turn`, by which an import knows them again. Items that ' +
    'are stored while it runs can be included.',
  scope: 'read:memory',
  limit: 'read',
  audit: 'memory.export',
  query: ExportInput,
  reply: { 200: jsonLines('One `MemoryItem` per line.') },
  replyType: 'ndjson',
  errors: ['not_found'],
  example: { query: { namespace: '*' }, reply: `${JSON.stringify(SAMPLE_ITEM)}\n` },
}).handle(async ({ ctx, query, charge }) => {
  await charge(furtherPermits(filterOf(query)))
  return new Response(await exportItems(ctx, query), {
    headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' },
  })
})
