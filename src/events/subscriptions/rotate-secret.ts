import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import { notFound } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { revealSecret, SecretSchema, type SigningSecret } from './reveal-secret.ts'
import { sealFor } from './sealed-fields.ts'
import { newSecret } from '../webhooks/sign.ts'
import { OWN, ownValues, manageableSubscription } from './subscription.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import type { subscriptions } from '../table.ts'
import { DAY_MS } from '../../core/values/durations.ts'

/** After a rotation the previous secret signs for this long too (contract §5). */
export const OVERLAP_MS = DAY_MS

/** Makes a new secret. The previous one signs beside it during the overlap. */
export async function rotateSecret(ctx: AuthContext, id: string): Promise<SigningSecret> {
  const { db } = ctx
  await manageableSubscription(ctx, id)
  const secret = newSecret(ctx.random)
  const sealed = await sealFor(ctx, 'secret', id, secret)
  const rotated = sql('exists (select 1 from subscriptions where secret = :secret)', { secret: sealed })
  const [[row]] = await db.batch<[RowOf<typeof subscriptions, 'id'>, never, never]>([
    db.statement(
      `update subscriptions as s set previous_secret = secret, previous_until = :until, secret = :secret, updated_at = :now
       where s.id = :id and ${OWN} returning id`,
      { ...ownValues(ctx), until: ctx.now() + OVERLAP_MS, secret: sealed, now: ctx.now(), id },
    ),
    auditStatement(ctx, 'events.subscriptions.rotate_secret', rotated),
    settleStatement(ctx, id, rotated),
  ])
  if (!row) throw notFound('subscription', id)
  return { secret }
}

export const rotateSecretEndpoint = endpoint({
  method: 'post',
  path: '/v1/events/subscriptions/{id}/secret/rotate',
  operationId: 'rotateSubscriptionSecret',
  tag: 'events',
  summary: 'Rotate the signing secret',
  description:
    'For 24 hours, requests are signed with both secrets, so that no delivery is refused during the rotation.',
  scope: 'write:events',
  limit: 'write',
  audit: 'events.subscriptions.rotate_secret',
  params: IdParams,
  reply: { 200: SecretSchema },
  errors: ['not_found'],
  // A repeated call must not drop the secret that receivers still use.
  idempotent: { mode: 'claimed', replay: revealSecret },
  example: { params: { id: SAMPLE_IDS.subscription }, reply: { secret: 'whsec_…' } },
}).handle(({ ctx, params }) => rotateSecret(ctx, params.id))
