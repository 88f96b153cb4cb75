import { z } from '@hono/zod-openapi'
import { auditRow, enqueueAuditRow } from '../../audit/index.ts'
import { cutText } from '../../core/http/error-size.ts'
import type { AuthContext } from '../../core/context.ts'
import { AppError, isAppError } from '../../core/errors.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { anyId } from '../../core/http/fields.ts'
import { jsonSchemaOf } from '../../core/http/json-schema.ts'
import { BatchOperation, opOf, OPS, readOperation, type Op } from './batch-operation.ts'
import { parseBatch } from './refused-operation.ts'
import { MAX_BATCH_OPERATIONS } from '../../core/limits.ts'
import { MemoryItemOrWritten } from '../item-written.ts'
import type { MemoryItem } from '../item.ts'
import { BATCH_EXAMPLE } from './batch-example.ts'
import { itemOf, type Operation, type OperationResult } from '../write/operation.ts'
import { MAX_ATOMIC_CHARACTERS, MAX_ATOMIC_TERMS } from '../write/atomic-limit.ts'
import type { GuardMode } from '../../identity/index.ts'
import { guard } from '../guard/guard.ts'
import { warned, type Warning } from '../warnings.ts'
import { withItemsNow, withoutItems } from './batch-replay.ts'
import { applyAll } from './apply-slices.ts'

const MAX_BYTES = 16 * 1024 * 1024

/** JSON may double its length, and 50 of them fit into one error body. */
const MAX_RESULT_DETAIL_BYTES = 256

/** The input of an operation, as JSON Schema by name. Each operation is validated by itself: an invalid one harms no other. */
const NAMES = {
  store: 'BatchStore',
  update: 'BatchUpdate',
  delete: 'BatchDelete',
  retire: 'BatchRetire',
  restore: 'BatchRestore',
  retrieve: 'BatchRetrieve',
} as const
const OPERATIONS = Object.fromEntries(
  BatchOperation.options.map((option) => [NAMES[option.shape.op.value], jsonSchemaOf(option)]),
)

const BatchBody = z
  .strictObject({
    operations: z
      .array(
        z.unknown().openapi('BatchOperation', {
          type: 'object',
          oneOf: Object.keys(OPERATIONS).map((name) => ({ $ref: `#/components/schemas/${name}` })),
          description:
            '`store` takes the fields of `POST /api/memory/store` except `wait_ms`; `update` takes an `id` and the fields of ' +
            '`PATCH /v1/memory/items/{id}`; `retire` takes an `id` and a `reason`; `delete`, `restore` and `retrieve` take an `id`.',
        }),
      )
      .min(1)
      .max(MAX_BATCH_OPERATIONS),
    atomic: z.boolean().optional().meta({ description: 'Apply all operations or none.' }),
  })
  .openapi('Batch')

const BatchReportSchema = z
  .object({
    results: z.array(
      z.object({
        index: z.int(),
        // Generators cannot read null within an enumeration.
        op: z.union([z.enum(OPS), z.null()]),
        status: z.enum(['success', 'error', 'skipped']),
        id: z.string().optional(),
        item: MemoryItemOrWritten.optional(),
        error: z.object({ status: z.int(), code: z.string(), detail: z.string() }).optional(),
      }),
    ),
    success_count: z.int(),
    error_count: z.int(),
  })
  .openapi('BatchReport')

type Report = z.infer<typeof BatchReportSchema>
export type BatchResult = Omit<Report['results'][number], 'item'> & { item?: MemoryItem | undefined }
export type BatchReport = Omit<Report, 'results'> & { results: BatchResult[] }

/** When the item was stored elsewhere, where the caller may set it, and its retirement. */
type Kept = Required<Pick<Extract<Operation, { op: 'store' }>, 'times' | 'retirement' | 'turn'>>

export interface BatchInput {
  /** Not validated yet: an invalid one is an error of its own and harms no other. */
  operations: readonly unknown[]
  atomic?: boolean | undefined
  /** The number of each operation in the request; its index where there is none. */
  numbers?: readonly number[]
  /** For each operation that stores: what an import keeps of the item. */
  kept?: readonly Kept[]
  /** The least that happens to a secret, whatever the project says. */
  guard?: GuardMode | undefined
}

/**
 * Runs up to 50 operations in order, each with a result of its own, in a handful of set-based statements for each slice of
 * texts. With `atomic` it throws 422 with `results` where one is refused, and writes nothing.
 */
export async function batch(
  ctx: AuthContext,
  { operations, atomic = false, numbers, kept, guard: atLeast }: BatchInput,
): Promise<BatchReport> {
  const asSent = operations.map((operation, index) => withKept(readOperation(ctx, operation, atomic), kept?.[index]))
  const read = await guard(ctx, asSent, { atLeast })
  const valid = read.flatMap((one, index) =>
    isAppError(one) ? [] : [{ operation: one.operation, number: numbers?.[index] ?? index }],
  )
  const invalidFound = valid.length < read.length
  const applied = atomic && invalidFound ? [] : await applyAll(ctx, valid, atomic)
  const refused = invalidFound || applied.some((result) => result.kind === 'refused')
  let next = 0
  const results = read.map((one, index): BatchResult => {
    const op = opOf(operations[index])
    const result = isAppError(one) ? ({ kind: 'refused', error: one, row: null } as const) : applied[next++]
    if (result?.kind !== 'refused' && atomic && refused) return { index, op, status: 'skipped' }
    if (!result) throw new Error('an operation has a result')
    enqueueAudit(ctx, op, operations[index], result)
    return { index, op, ...toBatchResult(result, isAppError(one) ? [] : one.warnings) }
  })
  const report = toReport(results)
  if (!(atomic && refused)) {
    ctx.trail.committed = true
    return report
  }
  throw new AppError('validation_failed', {
    detail: `Nothing was written: ${report.error_count} of ${results.length} operations failed.`,
    extra: { ...report },
  })
}

const withKept = (read: Operation | AppError, kept: Kept | undefined): Operation | AppError =>
  kept && !isAppError(read) && read.op === 'store' ? { ...read, ...kept } : read

function toReport(results: BatchResult[]): BatchReport {
  const count = (status: BatchResult['status']): number => results.filter((result) => result.status === status).length
  return { results, success_count: count('success'), error_count: count('error') }
}

function toBatchResult(result: OperationResult, warnings: readonly Warning[]): Omit<BatchResult, 'index' | 'op'> {
  if (result.kind === 'refused') {
    const { status, code, detail } = result.error
    return { status: 'error', error: { status, code, detail: cutText(detail, MAX_RESULT_DETAIL_BYTES) } }
  }
  if (result.kind === 'deleted') return { status: 'success', id: result.row.id }
  return { status: 'success', id: result.row.id, item: Object.assign(itemOf(result), warned(warnings)) }
}

/** Enqueues the audit row of a read or a refusal. The row of a change stands in its commit. */
function enqueueAudit(ctx: AuthContext, op: Op | null, value: unknown, result: OperationResult): void {
  if (result.kind === 'deleted' || (result.kind === 'done' && result.written)) return
  const { principal, requestId } = ctx
  const named = anyId.safeParse(value !== null && typeof value === 'object' && 'id' in value ? value.id : undefined)
  const id = result.row?.id ?? named.data
  const trail = {
    resourceIds: id === undefined ? [] : [id],
    projectId: result.row?.project_id ?? null,
    workspaceId: null,
  }
  const outcome = result.kind === 'refused' ? result.error.code : 'success'
  enqueueAuditRow(
    ctx,
    ctx.db.shard,
    auditRow(ctx, { principal, action: `memory.${op ?? 'batch'}`, outcome, requestId, trail }),
  )
}

/**
 * Runs a batch, or the operations that an earlier request under the same idempotency key had not done when it broke off.
 * If that one was `atomic` and wrote anything, all its writing operations are done.
 */
export async function runBatch(ctx: AuthContext, input: BatchInput): Promise<BatchReport> {
  const done = ctx.idempotency?.done ?? []
  if (done.length === 0) return batch(ctx, input)
  const { operations } = input
  const idOf = new Map(done.map(({ number, id }) => [number, id]))
  const numbers = [...operations.keys()].filter((index) => !idOf.has(index))
  const open = numbers.map((index) => operations[index])
  const rest = open.length > 0 ? (await batch(ctx, { operations: open, numbers })).results : []
  const results = operations.map((operation, index): BatchResult => {
    const id = idOf.get(index)
    if (id !== undefined) return { index, op: opOf(operation), status: 'success', id }
    const result = rest[numbers.indexOf(index)]
    if (!result) throw new Error('an operation has a result')
    return { ...result, index }
  })
  return withItemsNow(ctx, withoutItems(toReport(results)))
}

export const batchEndpoint = endpoint({
  method: 'post',
  path: '/api/memory/batch',
  operationId: 'batchMemories',
  components: OPERATIONS,
  refusals: {
    operation_failed: 'an operation of an `atomic` batch fails: `results` shows which one',
    texts_too_long:
      `an \`atomic\` batch has more than ${MAX_ATOMIC_CHARACTERS.toLocaleString('en-US')} characters of text, ` +
      'those of the request and of stored items whose date or place changes, or more than ' +
      `${MAX_ATOMIC_TERMS.toLocaleString('en-US')} different words and parts of words, each text by itself`,
  },
  tag: 'memory',
  summary: 'Run up to 50 operations',
  description:
    'Operations run in order, and later ones see the effects of earlier ones. Each can name its own project and has its ' +
    'own result: a failed operation does not affect the others. With `atomic`, one failure means that nothing is ' +
    'written and the response is 422 with `results`. `retrieve` needs `read:memory`, the others `write:memory`, and `deduplicate` both. An ' +
    'atomic batch has at most 50 operations and 65,536 characters of text, those of the request and of stored items ' +
    'whose date or place changes. Any other batch has no such limit: a large one is committed in slices and takes longer.',
  scope: ['read:memory', 'write:memory'],
  reads: 'read:memory',
  limit: 'memory.batch',
  audit: 'memory.batch',
  maxBytes: MAX_BYTES,
  body: BatchBody,
  parse: parseBatch,
  reply: { 200: BatchReportSchema },
  idempotent: { mode: 'resumed', resource: withoutItems, replay: withItemsNow },
  example: BATCH_EXAMPLE,
}).handle(({ ctx, body }) => runBatch(ctx, body))
