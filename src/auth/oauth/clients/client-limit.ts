import { auditRow, enqueueAuditRow, type AuditOutcome } from '../../../audit/index.ts'
import type { RequestContext } from '../../../core/context.ts'
import { Reply } from '../../../core/http/endpoint.ts'
import { isAppError } from '../../../core/errors.ts'
import { OAuthError } from '../../../core/http/oauth-error.ts'
import type { LimitName } from '../../../core/limits.ts'
import { addressSubject, rateLimited, rateLimitHeaders } from '../../../limits/index.ts'
import { authenticateClient, readClient } from './authenticate-client.ts'
import { findClient, isDocument, type Client } from './client.ts'

/**
 * Acquires a permit before `work`, and adds the headers of the limit to its answer or its error. 429 without a permit,
 * before a code or token is spent.
 */
export async function withinLimit(
  ctx: RequestContext,
  limit: LimitName,
  subject: string,
  work: () => Promise<unknown>,
): Promise<Reply> {
  const permit = await ctx.limiter.acquire(limit, subject)
  if (!permit.admitted) throw rateLimited([permit.state], permit.retryAt, ctx.now())
  const headers = rateLimitHeaders([permit.state])
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

/**
 * The subject of the limits of a client that has proved itself. All users of an agent share its metadata document, so each
 * grant of it has a limit of its own, and no user can delay another one (contract §6).
 */
export const clientSubject = (client: Client, grantId: string): string =>
  isDocument(client) ? `grant ${grantId}` : `client ${client.id}`

interface ClientForm {
  client_id?: string | undefined
  client_secret?: string | undefined
}

/**
 * Authenticates the client of a request. A failure counts against its network address, so that a stranger who knows a
 * `client_id` cannot use up its limit (contract §6). A failure is audited for the application's owner as `action`.
 */
export async function admitClient(
  ctx: RequestContext,
  action: string,
  authorization: string | null,
  form: ClientForm,
): Promise<Client> {
  const presented = await limitingFailures(ctx, async () => readClient(authorization, form))
  try {
    return await limitingFailures(ctx, () => authenticateClient(ctx, presented))
  } catch (error) {
    if (error instanceof OAuthError) ctx.waitUntil(auditRefusal(ctx, action, presented.clientId, error.error))
    throw error
  }
}

async function limitingFailures<T>(ctx: RequestContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isAppError(error) && error.status < 500) await countFailure(ctx)
    throw error
  }
}

/** An application that registered itself has no owner, and so no log. */
async function auditRefusal(
  ctx: RequestContext,
  action: string,
  clientId: string,
  outcome: AuditOutcome,
): Promise<void> {
  const client = await findClient(ctx, clientId)
  if (!client?.userId || !client.tenantId) return
  const { userId, tenantId, id } = client
  const { requestId } = ctx
  const credential = { kind: 'client_secret', id: '', environment: null, appId: id }
  const trail = { resourceIds: [id], projectId: null, workspaceId: null }
  enqueueAuditRow(
    ctx,
    client.shard,
    auditRow(ctx, { principal: { userId, tenantId, credential }, action, outcome, requestId, trail }),
  )
}

/** Counts a failure against the network address; too many of them are a 429 in its place. */
export async function countFailure(ctx: RequestContext): Promise<void> {
  await withinLimit(ctx, 'oauth.token.unauthenticated', addressSubject(ctx.client.ip), async () => null)
}
