import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { isNew } from '../../core/http/written.ts'
import { invalid } from '../../core/errors.ts'
import { LONG_JSON_BYTES } from '../../core/http/json/json-size.ts'
import { anyId, jsonLines } from '../../core/http/fields.ts'
import { MAX_ERRORS } from '../../core/http/error-size.ts'
import { claimKeeper } from '../../core/idempotency/claim.ts'
import { portions } from '../../core/values/portions.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { MAX_BATCH_OPERATIONS } from '../../core/limits.ts'
import { GuardMode } from '../../identity/index.ts'
import { targetProject } from '../access.ts'
import { warningFields } from '../warnings.ts'
import { batch, type BatchResult } from './batch.ts'
import { operationOf, type Into } from './import-line.ts'
import { mayKeepTimes } from './import-times.ts'
import { MAX_COMMIT_CHARACTERS } from './text-slices.ts'
import { asWaiting, waitForPermit } from './wait-for-permit.ts'
import { requireWritableProject } from '../write/writable-project.ts'
import { PROJECT_REFUSALS } from '../refusals.ts'

export const MAX_LINES = 5_000
const MAX_BYTES = 16 * 1024 * 1024

const ImportReport = z
  .object({
    created: z.int(),
    updated: z.int().meta({ description: 'Lines that matched an existing item by `custom_id` or `deduplicate`.' }),
    failed: z.int(),
    errors_omitted: z
      .int()
      .optional()
      .meta({ description: `Failed lines beyond the ${MAX_ERRORS} that have an \`error\`.` }),
    times_kept: z.boolean().meta({
      description:
        'Whether new items keep `created_at` and `updated_at` from their lines. False if the caller does not administer the project.',
    }),
    results: z.array(
      z.object({
        line: z.int().meta({ description: 'Counted from 1.' }),
        status: z.enum(['created', 'updated', 'error']),
        id: z.string().optional(),
        error: z.object({ status: z.int(), code: z.string(), detail: z.string() }).optional(),
        ...warningFields,
      }),
    ),
  })
  .openapi('MemoryImportReport')
export type Report = z.infer<typeof ImportReport>
type LineResult = Report['results'][number]

/**
 * Stores one item a line into one project, each with a result of its own. All imports of a user together go at the pace
 * of batches (contract §6): they are slowed, not refused. 422 for more than 5,000 lines, 404 and 403 for the whole call.
 */
export async function importItems(
  ctx: AuthContext,
  { body, projectId, guard }: { body: string; projectId: string | undefined; guard?: GuardMode | undefined },
): Promise<Report> {
  const target = targetProject(ctx, projectId)
  const role = await requireWritableProject(ctx, target)
  const timesKept = mayKeepTimes(ctx.principal, target.projectId, role)
  const into = { projectId: target.projectId, timesKept, isLong: body.length > LONG_JSON_BYTES, guard }
  const lines = body
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.trim() }))
    .filter(({ text }) => text !== '')
  if (lines.length > MAX_LINES) throw invalid('', 'too_many_lines', `A call can have at most ${MAX_LINES} lines.`)
  const keepClaim = claimKeeper(ctx)
  // An earlier call under the same idempotency key may have broken off: this one goes on from there.
  const done = new Map(ctx.idempotency?.done.map((one) => [one.number, one]))
  const results: LineResult[] = [...done.values()].map(({ number, id, isNew }) => ({
    ...lineResult(isNew, id),
    line: number,
  }))
  const open = lines.filter(({ line }) => !done.has(line))
  const length = open.length > MAX_BATCH_OPERATIONS || body.length > MAX_COMMIT_CHARACTERS ? 'long' : 'short'
  await asWaiting(ctx, length, async () => {
    for (const portion of portions(open, MAX_BATCH_OPERATIONS)) {
      await waitForPermit(ctx, 'memory.batch', 'import', keepClaim)
      results.push(...(await importLines(ctx, into, portion)))
    }
  })
  results.sort((a, b) => a.line - b.line)
  const count = (status: LineResult['status']): number => results.filter((result) => result.status === status).length
  const failed = count('error')
  return {
    created: count('created'),
    updated: count('updated'),
    failed,
    times_kept: timesKept,
    ...withoutManyErrors(results, failed),
  }
}

/** The report shows the first errors in full. A report of 5,000 would be many times as long as the request. */
function withoutManyErrors(results: readonly LineResult[], failed: number): Pick<Report, 'results' | 'errors_omitted'> {
  if (failed <= MAX_ERRORS) return { results: [...results] }
  let told = 0
  const bounded = results.map(({ error, ...result }) => {
    if (!error || told >= MAX_ERRORS) return result
    told += 1
    return { ...result, error }
  })
  return { results: bounded, errors_omitted: failed - told }
}

async function importLines(
  ctx: AuthContext,
  into: Into,
  lines: readonly { line: number; text: string }[],
): Promise<LineResult[]> {
  const read = lines.map(({ text }) => operationOf(text, into, ctx.now()))
  const { results } = await batch(ctx, {
    operations: read.map(({ operation }) => operation),
    numbers: lines.map(({ line }) => line),
    kept: read.map(({ times, retirement, turn }) => ({ times, retirement, turn })),
    guard: into.guard,
  })
  return lines.map(({ line }, index) => ({ line, ...toLineResult(results[index]) }))
}

function toLineResult(result: BatchResult | undefined): Omit<LineResult, 'line'> {
  if (!result || result.status !== 'success' || !result.item) {
    return { status: 'error', ...(result?.error ? { error: result.error } : {}) }
  }
  const { warnings, warnings_omitted } = result.item
  return { ...lineResult(isNew(result.item), result.item.id), ...(warnings ? { warnings, warnings_omitted } : {}) }
}

const lineResult = (isNew: boolean, id: string): Omit<LineResult, 'line'> => ({
  status: isNew ? 'created' : 'updated',
  id,
})

export const importEndpoint = endpoint({
  method: 'post',
  path: '/v1/memory/import',
  operationId: 'importMemories',
  refusals: PROJECT_REFUSALS,
  tag: 'memory',
  summary: 'Import memory items',
  description:
    'Imports one item per line, as for `POST /api/memory/store` or as exported: up to 5,000 lines, all into one project. ' +
    'The report has a result for each line. New items keep `created_at` and `updated_at` if you administer the project ' +
    '(`times_kept`). Ids, `created_by` and `version` are not restored, and `ttl` counts from now. An import is slowed ' +
    'to the pace of batches (100 lines per second), not refused: send fewer lines if your client has a shorter timeout. ' +
    'An interrupted import resumes when you send it again with its `Idempotency-Key`. Without one, only lines with a ' +
    '`custom_id` or `deduplicate` are not stored twice; `deduplicate` also needs `read:memory`.',
  scope: 'write:memory',
  limit: 'write',
  audit: 'memory.import',
  maxBytes: MAX_BYTES,
  query: z.strictObject({
    project_id: anyId.optional(),
    guard: GuardMode.exclude(['off']).optional().meta({
      description: 'What happens at least to secrets in the lines. Without it, the setting of the project decides.',
    }),
  }),
  body: jsonLines('One item per line, as for `POST /api/memory/store` or as exported.'),
  bodyType: 'ndjson',
  reply: { 200: ImportReport },
  errors: ['not_found', 'forbidden'],
  idempotent: {
    mode: 'resumed',
    resource: (report: Report) => JSON.stringify(report),
    replay: async (_ctx, report) => JSON.parse(report) as Report,
  },
  example: {
    body: '{"content": "Ada prefers tea without sugar.", "tags": ["ada"]}\n{"content": "Grace drinks coffee.", "context": {"namespace": "customers:grace", "subject": "grace@example.com"}}\n',
    reply: {
      created: 2,
      updated: 0,
      failed: 0,
      times_kept: true,
      results: [
        { line: 1, status: 'created', id: SAMPLE_IDS.otherMemory },
        { line: 2, status: 'created', id: SAMPLE_IDS.graceMemory },
      ],
    },
  },
}).handle(({ ctx, body, query }) => importItems(ctx, { body, projectId: query.project_id, guard: query.guard }))
