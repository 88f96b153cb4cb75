import { auditStatement } from '../../audit/index.ts'
import type { AuthContext } from '../../core/context.ts'
import { exists, sql } from '../../core/database/sql.ts'
import { endpoint } from '../../core/http/endpoint.ts'
import { notFound } from '../../core/errors.ts'
import { IdParams } from '../../core/http/fields.ts'
import { answerNotice, RECEIVED, receivedInvitation } from './received.ts'
import { commitThenSend } from '../../core/work.ts'
import type { RowOf } from '../../core/database/row.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import type { invitations } from '../table.ts'

/** Ends an invitation of the caller's address, and tells its maker. */
export async function refuseInvitation(ctx: AuthContext, id: string): Promise<void> {
  const { db, principal } = ctx
  const invitation = await receivedInvitation(ctx, id)
  const open = sql(`select i.id from ${RECEIVED} and i.id = :id`, { caller: principal.userId, now: ctx.now(), id })
  const [, , [row]] = await commitThenSend<[never, never, RowOf<typeof invitations, 'id'>]>(ctx, db, [
    auditStatement(ctx, 'invitations.refuse', exists(open)),
    answerNotice(ctx, db, invitation, ['refused', principal.userId], exists(open)),
    db.statement(`delete from invitations where id in (${open.sql}) returning id`, open.params),
  ])
  if (!row) throw notFound('invitation')
}

export const refuseInvitationEndpoint = endpoint({
  method: 'post',
  path: '/v1/invitations/{id}/refuse',
  operationId: 'refuseInvitation',
  tag: 'members',
  summary: 'Refuse an invitation',
  description: 'The person who invited you is notified.',
  auth: 'session',
  scope: null,
  limit: 'write',
  audit: 'invitations.refuse',
  params: IdParams,
  reply: { 204: null },
  errors: ['not_found'],
  example: { params: { id: SAMPLE_IDS.invitation } },
}).handle(({ ctx, params }) => refuseInvitation(ctx, params.id))
