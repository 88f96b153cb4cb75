import { auditRow, enqueueAuditRow } from '../../../audit/index.ts'
import type { RequestContext } from '../../../core/context.ts'
import { Reply } from '../../../core/http/endpoint.ts'
import { isAppError } from '../../../core/errors.ts'
import { OAuthError } from '../../../core/http/oauth-error.ts'
import { addressSubject, rateLimited, rateLimitHeaders, type LimitName } from '../../../limits/index.ts'
import { authenticateClient, readClient } from './authenticate-client.ts'
import { findClient, type Client } from './client.ts'

/**
 * Takes a place in a limit and answers with its headers, on success and on failure. Throws 429 where none is free,
 * before anything is spent.
 */
export async function withinLimit(
  ctx: RequestContext,
  limit: LimitName,
  subject: string,
  work: () => Promise<unknown>,
): Promise<Reply> {
  const taken = await ctx.limiter.acquire(limit, subject)
  if (!taken.admitted) throw rateLimited([taken.state], taken.retryAt, ctx.now())
  const headers = rateLimitHeaders([taken.state])
  try {
    const result = await work()
    return result instanceof Reply
      ? new Reply(result.status, result.body, { ...headers, ...result.headers })
      : new Reply(200, result, headers)
  } catch (error) {
    if (isAppError(error)) Object.assign(error.headers, { ...headers, ...error.headers })
    throw error
  }
}

/** The subject of the limits of a client that has proved itself. */
export const clientSubject = (client: Client): string => `client ${client.id}`

interface ClientForm {
  client_id?: string | undefined
  client_secret?: string | undefined
}

/**
 * The authenticated client of a request. A failure counts against the address that it came from: a stranger who
 * knows a `client_id` cannot use up its limit (contract §6). `action` names what was tried, in the audit log of the
 * application's owner.
 */
export async function admitClient(
  ctx: RequestContext,
  action: string,
  authorization: string | null,
  form: ClientForm,
): Promise<Client> {
  const presented = await chargingFailure(ctx, async () => readClient(authorization, form))
  try {
    return await chargingFailure(ctx, () => authenticateClient(ctx, presented))
  } catch (error) {
    if (error instanceof OAuthError) ctx.waitUntil(auditRefusal(ctx, action, presented.clientId, error.error))
    throw error
  }
}

async function chargingFailure<T>(ctx: RequestContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isAppError(error) && error.status < 500) await chargeFailure(ctx)
    throw error
  }
}

/** One that registered itself has no owner, and so nobody's log. */
async function auditRefusal(ctx: RequestContext, action: string, clientId: string, outcome: string): Promise<void> {
  const client = await findClient(ctx, clientId)
  if (!client?.userId || !client.tenantId) return
  const { userId, tenantId, id } = client
  const { requestId } = ctx
  const credential = { kind: 'client_secret', id: '', environment: null, appId: id }
  const trail = { resourceIds: [id], projectId: null, workspaceId: null }
  enqueueAuditRow(
    ctx,
    auditRow(ctx, { principal: { userId, tenantId, credential }, action, outcome, requestId, trail }),
  )
}

/** Counts a failure of nobody in particular; 429 takes the place of its answer once there are too many. */
export async function chargeFailure(ctx: RequestContext): Promise<void> {
  await withinLimit(ctx, 'oauth.token.unauthenticated', addressSubject(ctx.client.ip), async () => null)
}
