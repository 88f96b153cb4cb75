import type { AuthContext } from '../../core/context.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { endSessions } from './end-sessions.ts'
import { getSession } from './get.ts'

/** Ends one session of the caller's; 404 for one that has ended and for somebody else's. */
export async function revokeSession(ctx: AuthContext, id: string): Promise<void> {
  await getSession(ctx, id)
  await endSessions(ctx, [id], 'sessions.revoke')
}

export const revokeSessionEndpoint = endpoint({
  method: 'delete',
  path: '/v1/sessions/{id}',
  operationId: 'revokeSession',
  tag: 'sessions',
  summary: 'End a session',
  description: 'The session is refused from its next request on, and its sockets close.',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'sessions.revoke',
  params: IdParams,
  reply: { 204: null },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.otherSession } },
}).handle(({ ctx, params }) => revokeSession(ctx, params.id))
