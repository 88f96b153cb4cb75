import { z } from '@hono/zod-openapi'
import { parseJson } from '../../core/http/body.ts'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { invalid, isAppError } from '../../core/errors.ts'
import { anyId } from '../../core/http/fields.ts'
import { MAX_ERRORS } from '../../core/http/error-size.ts'
import { claimKeeper } from '../../core/http/idempotency.ts'
import { MAX_BATCH_OPERATIONS } from '../../limits/index.ts'
import { targetProject } from '../access.ts'
import { batch, type BatchResult } from './batch.ts'
import { requireWritableProject } from '../write/writable-project.ts'

export const MAX_LINES = 5_000
const MAX_BYTES = 16 * 1024 * 1024

/** Fields of an exported item that a store sets itself. An import ignores them, so that it takes what an export gives. */
const READ_ONLY = new Set([
  'id',
  'embedding_status',
  'embedding_model',
  'embedding_error',
  'version',
  'created_at',
  'updated_at',
  'expires_at',
  'created_by',
])

const ImportReport = z
  .object({
    created: z.int(),
    updated: z.int().meta({ description: 'Lines whose `custom_id` or `deduplicate` found an item.' }),
    failed: z.int(),
    errors_omitted: z
      .int()
      .optional()
      .meta({ description: `Failed lines past the ${MAX_ERRORS} that carry an \`error\`.` }),
    results: z.array(
      z.object({
        line: z.int().meta({ description: 'Counted from 1.' }),
        status: z.enum(['created', 'updated', 'error']),
        id: z.string().optional(),
        error: z.object({ status: z.int(), code: z.string(), detail: z.string() }).optional(),
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
  { body, projectId }: { body: string; projectId: string | undefined },
): Promise<Report> {
  const target = targetProject(ctx, projectId)
  await requireWritableProject(ctx, target)
  const lines = body
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.trim() }))
    .filter(({ text }) => text !== '')
  if (lines.length > MAX_LINES) throw invalid('', 'too_many_lines', `At most ${MAX_LINES} lines a call.`)
  const keepClaim = claimKeeper(ctx)
  // An earlier call under the same idempotency key may have broken off: this one goes on from there.
  const done = new Map(ctx.idempotency?.done.map((one) => [one.number, one]))
  const results: LineResult[] = [...done.values()].map(({ number, id, isNew }) => ({
    ...lineResult(isNew, id),
    line: number,
  }))
  const open = lines.filter(({ line }) => !done.has(line))
  for (let at = 0; at < open.length; at += MAX_BATCH_OPERATIONS) {
    await acquirePermit(ctx, keepClaim)
    results.push(...(await importLines(ctx, target.projectId, open.slice(at, at + MAX_BATCH_OPERATIONS))))
  }
  results.sort((a, b) => a.line - b.line)
  const count = (status: LineResult['status']): number => results.filter((result) => result.status === status).length
  const failed = count('error')
  return { created: count('created'), updated: count('updated'), failed, ...withoutManyErrors(results, failed) }
}

/** The first errors are told in full. A report of 5,000 would be many times as long as what was sent. */
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
  projectId: string,
  lines: readonly { line: number; text: string }[],
): Promise<LineResult[]> {
  const operations = lines.map(({ text }) => operationOf(text, projectId))
  const { results } = await batch(ctx, { operations, numbers: lines.map(({ line }) => line) })
  return lines.map(({ line }, index) => ({ line, ...toLineResult(results[index]) }))
}

/** The operation of a line, or the error that refuses it. `batch` refuses a line that is no object. */
function operationOf(text: string, projectId: string): unknown {
  let value: unknown
  try {
    value = parseJson(text, 'The line')
  } catch (error) {
    if (isAppError(error)) return error
    throw error
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  if ('op' in value) return invalid('op', 'unknown_field', 'Unknown field "op".')
  const fields = Object.entries(value).filter(([name]) => !READ_ONLY.has(name))
  const { context, ...rest } = Object.fromEntries(fields)
  const named = context !== null && typeof context === 'object' ? context : {}
  return { ...rest, op: 'store', context: { ...named, project_id: projectId } }
}

function toLineResult(result: BatchResult | undefined): Omit<LineResult, 'line'> {
  if (!result || result.status !== 'success' || !result.item) {
    return { status: 'error', ...(result?.error ? { error: result.error } : {}) }
  }
  const isNew = result.item.version === 1 && !result.item.deduplicated
  return lineResult(isNew, result.item.id)
}

const lineResult = (isNew: boolean, id: string): Omit<LineResult, 'line'> => ({
  status: isNew ? 'created' : 'updated',
  id,
})

/** Waits for a permit of the limit of batches, which all imports of the user share. */
async function acquirePermit(ctx: AuthContext, meanwhile: () => Promise<void>): Promise<void> {
  for (;;) {
    await meanwhile()
    const permit = await ctx.limiter.acquire('memory.batch', `import ${ctx.principal.userId}`)
    if (permit.admitted) return
    await scheduler.wait(Math.max(1, permit.retryAt - ctx.now()))
  }
}

export const importEndpoint = endpoint({
  method: 'post',
  path: '/v1/memory/import',
  tag: 'memory',
  summary: 'Import memory items',
  description:
    'One item a line, as for `POST /api/memory/store` or as exported; up to 5,000 lines, all into one project, and a ' +
    'report line by line. Read-only fields of an exported item are left out, and `ttl` counts from now. An import is ' +
    'slowed to the pace of batches (100 lines a second), not refused: send fewer lines where your client waits less. ' +
    'An import that broke off goes on from there when it is sent again with its `Idempotency-Key`; without one, only lines ' +
    'with a `custom_id` or `deduplicate` are not stored twice.',
  scope: 'write:memory',
  limit: 'write',
  audit: 'memory.import',
  maxBytes: MAX_BYTES,
  query: z.strictObject({ project_id: anyId.optional() }),
  body: z.string(),
  bodyType: 'ndjson',
  reply: { 200: ImportReport },
  example: {
    body: '{"content": "Ada prefers tea.", "tags": ["ada"]}\n{"content": "Tea is out.", "custom_id": "tea"}\n',
  },
  errors: ['not_found', 'forbidden'],
  idempotent: {
    mode: 'claimed',
    resource: (report: Report) => JSON.stringify(report),
    replay: async (_ctx, report) => JSON.parse(report) as Report,
  },
}).handle(({ ctx, body, query }) => importItems(ctx, { body, projectId: query.project_id }))
