import { z } from '@hono/zod-openapi'
import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { AppError, invalid } from '../../core/errors.ts'
import { endpoint, Reply } from '../../core/http/endpoint.ts'
import { anyId, onlyTrue } from '../../core/http/fields.ts'
import { Namespace } from '../../core/namespace.ts'
import { commitThenSend, WorkStatement } from '../../core/work.ts'
import { Subject } from '../subject.ts'
import { countPlace } from './count.ts'
import { ADMINISTERS_ALL, coveredProjects } from './covered-projects.ts'
import { NO_DIGEST } from './digest.ts'
import {
  CountsSchema,
  CoversSchema,
  ErasureSchema,
  KeptSchema,
  RECEIPT_COLUMNS,
  SAMPLE_ERASURE,
  toErasure,
  type Erasure,
  type ReceiptRow,
} from './erasure.ts'
import { keptNames } from './kept-names.ts'
import { nameHmac } from './name-hmac.ts'
import { runErasures } from './queue.ts'
import type { ErasureKind } from './table.ts'

/** Erasures of one tenant that run at once. */
export const MAX_RUNNING = 10
const MAX_PROJECTS = 1_000

const EraseInput = z
  .strictObject({
    namespace: Namespace.optional(),
    subject: Subject.optional().meta({ description: 'Instead of `namespace`: the subject of the items.' }),
    project_ids: z.array(anyId).min(1).max(MAX_PROJECTS).optional().meta({
      description: 'Only in these projects. Default: in all that you administer.',
    }),
    dry_run: z.boolean().default(false).meta({ description: 'Only count what would be erased.' }),
  })
  .openapi('Erase')
type EraseInput = z.output<typeof EraseInput>

const DryRunSchema = z
  .object({ dry_run: onlyTrue, covers: CoversSchema, counts: CountsSchema, kept: KeptSchema })
  .openapi('ErasureDryRun')
export type DryRun = z.infer<typeof DryRunSchema>

const SAME = `tenant_id = :tenant and status = 'running' and kind = :kind and name = :name and project_ids = :project_ids`

const INSERT = `
  insert into erasures (id, tenant_id, kind, name, name_hmac, project_ids, whole_tenant, status, requested_by, requested_at, digest)
  select :id, :tenant, :kind, :name, :name_hmac, :project_ids, :whole_tenant, 'running', :caller, :now, '${NO_DIGEST}'
  where not exists (select 1 from erasures where ${SAME})
    and (select count(*) from erasures where tenant_id = :tenant and status = 'running') < ${MAX_RUNNING}
    and ${ADMINISTERS_ALL}
  returning id`

function targetOf({ namespace, subject }: EraseInput): { kind: ErasureKind; name: string } {
  if (namespace !== undefined && subject !== undefined)
    throw invalid('subject', 'invalid_combination', 'Name a namespace or a subject, not both.')
  if (namespace !== undefined) return { kind: 'namespace', name: namespace }
  if (subject !== undefined) return { kind: 'subject', name: subject }
  throw invalid('subject', 'required', 'Name the subject or the namespace to erase.')
}

/**
 * Erases all that is stored in a namespace, or about a subject, in projects that the caller administers, of everybody. The commit of its row
 * keeps out what would still be written there; a chain of messages does the rest. If the same erasure already runs, it is returned.
 */
export async function erase(ctx: AuthContext, input: EraseInput): Promise<Erasure | DryRun> {
  const { db, principal } = ctx
  const target = targetOf(input)
  const covered = await coveredProjects(ctx, input.project_ids)
  const place = { tenantId: principal.tenantId, ...target, projectIds: covered.projectIds }
  if (input.dry_run) {
    const covers = { project_ids: covered.projectIds, whole_tenant: covered.wholeTenant }
    return { dry_run: true, covers, counts: await countPlace(db.heavy, place), kept: await keptNames(db, place) }
  }
  const id = ctx.newId('ers')
  ctx.trail.resourceIds = [id]
  const same = {
    tenant: principal.tenantId,
    ...target,
    project_ids: JSON.stringify(covered.projectIds),
  }
  const insert = db.statement(INSERT, {
    ...same,
    id,
    name_hmac: await nameHmac(ctx, place),
    whole_tenant: covered.wholeTenant ? 1 : 0,
    caller: principal.userId,
    now: ctx.now(),
  })
  const [[inserted], , [row]] = await commitThenSend<[{ id: string }, never, ReceiptRow]>(ctx, db, [
    new WorkStatement(insert, runErasures(db)),
    auditStatement(ctx, 'memory.erase', sql('exists (select 1 from erasures where id = :id)', { id })),
    db.statement(`select ${RECEIPT_COLUMNS.join(', ')} from erasures where ${SAME} limit 1`, same),
  ])
  ctx.trail.committed = inserted !== undefined
  // 404 or 403 if a role was lost since.
  if (!row) await coveredProjects(ctx, covered.projectIds)
  if (!row) throw new AppError('conflict', { detail: `${MAX_RUNNING} erasures run already. Wait until one has ended.` })
  ctx.trail.resourceIds = [row.id]
  return toErasure(row)
}

export const eraseEndpoint = endpoint({
  method: 'post',
  path: '/v1/erasures',
  operationId: 'eraseMemories',
  refusals: {
    required: 'neither `subject` nor `namespace` is sent',
    invalid_combination: '`subject` and `namespace` are both sent',
  },
  tag: 'memory',
  summary: 'Erase a subject or a namespace with a receipt',
  description:
    'Erases a subject or a namespace in all projects that you administer, or in those of `project_ids`: items of everybody with their earlier texts, ' +
    'vectors and events. Until it has ended, writes to it are 409. The same request returns the erasure that runs. ' +
    'With `dry_run`, it returns 200 and only counts.',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'memory.erase',
  body: EraseInput,
  reply: { 202: ErasureSchema, 200: DryRunSchema },
  errors: ['not_found', 'forbidden', 'conflict'],
  example: {
    body: { subject: 'Ada Lovelace' },
    reply: SAMPLE_ERASURE,
    replies: {
      200: {
        dry_run: true,
        covers: SAMPLE_ERASURE.covers,
        counts: SAMPLE_ERASURE.counts,
        kept: { key_ids: [], subscription_ids: [] },
      },
    },
  },
}).handle(async ({ ctx, body }) => {
  const answer = await erase(ctx, body)
  return new Reply('dry_run' in answer ? 200 : 202, answer)
})
