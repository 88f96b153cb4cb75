import type { Ctx } from '../../core/context.ts'
import { Reply } from '../../core/endpoint.ts'
import { isAppError } from '../../core/errors.ts'
import { addressSubject, rateLimited, rateLimitHeaders, type LimitName } from '../../limits/index.ts'
import { authenticateClient, readClient } from './client-credentials.ts'
import type { Client } from './client.ts'

/**
 * Takes a place in a limit and answers with its headers, on success and on failure. Throws 429 where none is free,
 * before anything is spent.
 */
export async function withinLimit(
  ctx: Ctx,
  limit: LimitName,
  subject: string,
  work: () => Promise<unknown>,
): Promise<Reply> {
  const taken = await ctx.limiter.take(limit, subject)
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

/**
 * The authenticated client of a request. A failure counts against the address that it came from: a stranger who
 * knows a `client_id` cannot use up its limit (contract §6).
 */
export async function admitClient(
  ctx: Ctx,
  authorization: string | null,
  form: { client_id?: string | undefined; client_secret?: string | undefined },
): Promise<Client> {
  try {
    return await authenticateClient(ctx, readClient(authorization, form))
  } catch (error) {
    if (isAppError(error) && error.status < 500) await chargeFailure(ctx)
    throw error
  }
}

/** Counts a failure of nobody in particular; 429 takes the place of its answer once there are too many. */
export async function chargeFailure(ctx: Ctx): Promise<void> {
  await withinLimit(ctx, 'oauth.token.unauthenticated', addressSubject(ctx.client.ip), async () => null)
}
