import { z } from '@hono/zod-openapi'
import { MAX_OAUTH_CLIENT_ID_CHARACTERS } from '../../auth/index.ts'
import { AUDIT_OUTCOMES, listAudit, type AuditFilter, type AuditRow } from '../../audit/index.ts'
import { instantMs } from '../../core/http/instant.ts'
import type { AuthContext } from '../../core/context.ts'
import { pageOf, type Page } from '../../core/http/cursor.ts'
import { SealedPageQuery } from '../../core/http/sealed-cursor.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { anyId, idOf, jsonLines, timestamp } from '../../core/http/fields.ts'
import { auditVisibility } from './visibility.ts'
import { SAMPLE_IDS, SAMPLE_TIME, samplePage } from '../../core/sample.ts'

const instant = instantMs

/** The `client_id` of an application, which may be an address. */
const clientId = z.string().min(1).max(MAX_OAUTH_CLIENT_ID_CHARACTERS)

export const ListAudit = SealedPageQuery.extend({
  actor: anyId.optional(),
  action: z.string().max(64).optional(),
  resource_id: anyId.optional(),
  project_id: anyId.optional(),
  credential_id: anyId.optional().meta({ description: 'Of a key, a session or a token, as `credential.id` has it.' }),
  app_id: clientId.optional(),
  outcome: z
    .enum(AUDIT_OUTCOMES)
    .optional()
    .meta({ description: '`success`, or an error code of the API or of OAuth.' }),
  request_id: anyId.optional(),
  since: instant.optional().openapi({ type: 'string', format: 'date-time' }),
  until: instant.optional().openapi({ type: 'string', format: 'date-time' }),
  page_reads: z.enum(['include', 'exclude']).default('include').meta({
    description: '`exclude` omits the reads that the portal made to show its pages.',
  }),
})

export const AuditRowSchema = z
  .object({
    id: idOf('aud'),
    at: timestamp,
    actor: z.string(),
    credential: z.object({
      kind: z.string(),
      id: z.string(),
      environment: z.string().nullable(),
      app_id: z.string().nullable(),
    }),
    action: z.string(),
    resource_ids: z.array(z.string()),
    project_id: z.string().nullable(),
    workspace_id: z.string().nullable(),
    outcome: z.string().meta({ description: '`success`, or the error code of the API or of OAuth.' }),
    request_id: z.string(),
    page_read: z.boolean().meta({ description: 'The portal made this read to show a page to its user.' }),
  })
  .openapi('AuditRow')

const SAMPLE_ROW: z.infer<typeof AuditRowSchema> = {
  id: SAMPLE_IDS.auditRow,
  at: SAMPLE_TIME,
  actor: SAMPLE_IDS.ada,
  credential: { kind: 'session', id: SAMPLE_IDS.session, environment: null, app_id: null },
  action: 'memory.retrieve',
  resource_ids: [SAMPLE_IDS.memory],
  project_id: SAMPLE_IDS.defaultProject,
  workspace_id: null,
  outcome: 'success',
  request_id: SAMPLE_IDS.request,
  page_read: false,
}

type Entry = Omit<AuditRow, 'tenant_id' | 'page_read'> & { tenant_id: undefined; page_read: boolean }

/** A row without its tenant, which is the caller's. */
const toEntry = (row: AuditRow): Entry => ({ ...row, tenant_id: undefined, page_read: row.page_read === true })

/** One page of the audit rows that the caller may see. */
export async function readAudit(
  ctx: AuthContext,
  { limit, cursor, ...filter }: z.output<typeof ListAudit>,
): Promise<Page<Entry>> {
  const audit = ctx.auditDatabase(ctx.db.shard)
  const found = await listAudit(ctx, audit, await auditVisibility(ctx), filter, { limit, cursor })
  return { ...found, data: found.data.map(toEntry) }
}

const LINES_A_ROUND = 1_000

/** All audit rows that the caller may see, one a line of JSON. */
export async function streamAudit(ctx: AuthContext, filter: AuditFilter): Promise<ReadableStream<Uint8Array>> {
  const visibility = await auditVisibility(ctx)
  const encoder = new TextEncoder()
  let cursor: string | undefined
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const found = await listAudit(ctx, ctx.auditDatabase(ctx.db.shard), visibility, filter, {
          limit: LINES_A_ROUND,
          cursor,
        })
        cursor = found.next_cursor ?? undefined
        const lines = found.data.map((row) => `${JSON.stringify(toEntry(row))}\n`).join('')
        if (lines !== '') controller.enqueue(encoder.encode(lines))
        if (cursor === undefined) return controller.close()
        if (lines !== '') return
      }
    },
  })
}

export const listAuditEndpoint = endpoint({
  method: 'get',
  path: '/v1/audit',
  operationId: 'listAuditRows',
  tag: 'audit',
  summary: 'Read the audit log',
  description:
    'Newest first. Owners and admins see their workspaces; others see their own actions. Rows appear within a minute. `Accept: application/x-ndjson` returns all rows, one per line.',
  scope: 'read:audit',
  limit: 'read',
  audit: 'audit.list',
  query: ListAudit,
  reply: { 200: pageOf(AuditRowSchema) },
  replyLines: jsonLines('One row of `data` per line.'),
  example: {
    query: { action: 'memory.retrieve', since: '2026-11-01T00:00:00Z' },
    reply: samplePage(SAMPLE_ROW),
    lines: `${JSON.stringify(SAMPLE_ROW)}\n`,
  },
}).handle(async ({ ctx, query, request }) => {
  if (!/application\/x-ndjson/i.test(request.headers.get('accept') ?? '')) return readAudit(ctx, query)
  return new Response(await streamAudit(ctx, query), {
    headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' },
  })
})
