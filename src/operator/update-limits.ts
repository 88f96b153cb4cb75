import { z } from '@hono/zod-openapi'
import type { OperatorContext } from '../core/context.ts'
import { joined } from '../core/database/sql.ts'
import { endpoint } from '../core/http/endpoint.ts'
import { SAMPLE_IDS } from '../core/sample.ts'
import { invalid, notFound } from '../core/errors.ts'
import { maxPermits, SETTABLE } from '../core/settable-limits.ts'
import type { AccountClass } from '../limits/table.ts'
import {
  LimitsSchema,
  limitsFor,
  readSubjectLimits,
  SubjectParams,
  type OperatorLimits,
  SAMPLE_LIMITS,
} from './limits.ts'
import { spreadDeployment } from './spread.ts'
import { findSubject, STILL_THERE, type Subject } from './subject.ts'

const Values = z.strictObject(
  Object.fromEntries(
    SETTABLE.map((name) => [
      name,
      z.int().min(1).max(maxPermits(name)).nullable().optional().meta({
        description: 'Permits in any window of this limit; null removes the setting.',
      }),
    ]),
  ),
)

export const UpdateLimits = z.strictObject({
  limits: Values.optional().meta({
    description: 'Limits of the user or key, or of all users below a tenant or the deployment.',
  }),
  service_account_limits: Values.optional().meta({
    description:
      'Limits of the service accounts below a tenant or the deployment. A limit that is not set here is that of the users.',
  }),
})

interface Change {
  name: string
  account_class: AccountClass
  permits: number | null
}

const CHANGES = `(select value ->> 'name' as name, value ->> 'account_class' as account_class,
  value ->> 'permits' as permits from json_each(:changes))`

/** The audit row says what was there before: it reads the settings in the commit that changes them. */
const AUDIT = (still: string) => `
  insert into operator_changes (id, operator, request_id, subject, tenant_id, changes, created_at)
  select :change, :operator, :request, :subject, :tenant, (
    select json_group_array(json_object(
      'name', c.name, 'account_class', c.account_class, 'from', s.permits, 'to', c.permits))
    from ${CHANGES} c left join limit_settings s
      on s.subject = :subject and s.account_class = c.account_class and s.name = c.name), :now
  where ${still} returning id`

const MADE = 'exists (select 1 from operator_changes where id = :change)'

const TAKE_AWAY = `
  delete from limit_settings where subject = :subject and ${MADE} and exists (
    select 1 from ${CHANGES} c
    where c.permits is null and c.account_class = limit_settings.account_class and c.name = limit_settings.name)`

const SET = `
  insert into limit_settings (subject, account_class, name, permits, holder, tenant_id, updated_at)
  select :subject, c.account_class, c.name, c.permits, :holder, :tenant, :now from ${CHANGES} c
  where c.permits is not null and ${MADE}
  on conflict (subject, account_class, name) do update set permits = excluded.permits, updated_at = excluded.updated_at`

/** Sets and removes limits of a subject, in one commit with the audit row. Of two calls at once each changes what it names. */
export async function updateLimits(
  ctx: OperatorContext,
  id: string,
  input: z.output<typeof UpdateLimits>,
): Promise<OperatorLimits> {
  const subject = await findSubject(ctx, id)
  const changes = [...changesOf(input.limits, 'users'), ...changesOf(input.service_account_limits, 'service_accounts')]
  refuseInapplicable(subject, changes)
  if (changes.length > 0) await commit(ctx, subject, changes)
  if (subject.type === 'deployment') await spreadDeployment(ctx)
  return readSubjectLimits(ctx, subject)
}

const changesOf = (values: z.output<typeof Values> | undefined, accountClass: AccountClass): Change[] =>
  Object.entries(values ?? {}).flatMap(([name, permits]) =>
    permits === undefined ? [] : [{ name, account_class: accountClass, permits }],
  )

/** A user and a key are of one class of accounts, and a key has one limit. */
function refuseInapplicable(subject: Subject, changes: readonly Change[]): void {
  const apart = subject.type === 'deployment' || subject.type === 'tenant'
  for (const { name, account_class } of changes) {
    if (account_class === 'service_accounts' && !apart)
      throw invalid('service_account_limits', 'not_applicable', 'A user or a key takes only "limits".')
    if (!limitsFor(subject).some((one) => one === name))
      throw invalid(`limits.${name}`, 'not_applicable', `A key has only the limit ${limitsFor(subject).join(', ')}.`)
  }
}

async function commit(ctx: OperatorContext, subject: Subject, changes: readonly Change[]): Promise<void> {
  const { db, id, tenantId, holder } = subject
  const now = ctx.now()
  const stillThere = STILL_THERE[subject.type](id, now)
  const params = { subject: id, changes: JSON.stringify(changes), change: ctx.newId('aud') }
  const [made] = await db.batch<[{ id: string }, never, never]>([
    db.statement(
      AUDIT(stillThere.sql),
      joined({ ...params, now, operator: ctx.operator, request: ctx.requestId, tenant: tenantId }, stillThere.params),
    ),
    db.statement(TAKE_AWAY, params),
    db.statement(SET, { ...params, now, holder, tenant: tenantId }),
  ])
  if (made.length === 0) throw notFound('tenant, user or API key')
}

export const updateLimitsEndpoint = endpoint({
  method: 'patch',
  path: '/v1/operator/limits/{subject}',
  operationId: 'updateLimits',
  refusals: { not_applicable: 'the limit does not apply to a user or a key' },
  tag: 'operator',
  summary: 'Set limits of the deployment, a tenant, a user or a key',
  description:
    'Limits that are not named do not change, and null removes a setting. A change takes effect within a minute and adds a row to `/v1/operator/changes`.',
  scope: null,
  auth: 'operator',
  limit: 'operator',
  audit: null,
  params: SubjectParams,
  body: UpdateLimits,
  reply: { 200: LimitsSchema },
  errors: ['dependency_unavailable'],
  example: { params: { subject: SAMPLE_IDS.key }, body: { limits: { 'api-key': 100 } }, reply: SAMPLE_LIMITS },
}).handle(({ ctx, params, body }) => updateLimits(ctx, params.subject, body))
