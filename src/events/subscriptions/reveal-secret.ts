import { z } from '@hono/zod-openapi'
import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { secretOf } from './sealed-fields.ts'
import { manageableSubscription } from './subscription.ts'

export const SecretSchema = z
  .object({ secret: z.string().meta({ examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'] }) })
  .openapi('SigningSecret')
export type SigningSecret = z.infer<typeof SecretSchema>

export async function revealSecret(ctx: AuthContext, id: string): Promise<SigningSecret> {
  return { secret: await secretOf(ctx, await manageableSubscription(ctx, id)) }
}

export const revealSecretEndpoint = endpoint({
  method: 'get',
  path: '/v1/events/subscriptions/{id}/secret',
  operationId: 'getSubscriptionSecret',
  tag: 'events',
  summary: 'Show the signing secret',
  scope: 'write:events',
  limit: 'read',
  audit: 'events.subscriptions.secret',
  params: IdParams,
  reply: { 200: SecretSchema },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.subscription }, reply: { secret: 'whsec_…' } },
}).handle(({ ctx, params }) => revealSecret(ctx, params.id))
