import { z } from '@hono/zod-openapi'
import { and, eq, isNull } from 'drizzle-orm'
import { auditStatement } from '../../audit/index.ts'
import { Email } from '../../auth/index.ts'
import { users } from '../../auth/table.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import type { RowOf } from '../../core/database/row.ts'
import { AppError } from '../../core/errors.ts'
import { endpoint, linksTo } from '../../core/http/endpoint.ts'
import { settleStatement } from '../../core/idempotency/settlement.ts'
import { IdParams } from '../../core/http/fields.ts'
import { SAMPLE_IDS } from '../../core/sample.ts'
import { commitThenSend } from '../../core/work.ts'
import { forbidden, rolesSql } from '../access.ts'
import { MAX_MEMBERS, refusal, workspaceFull } from '../members/member.ts'
import { decide } from '../members/rules.ts'
import { ROLES, type invitations, type Role } from '../table.ts'
import { requireWholeWorkspace, visibleWorkspace } from '../workspaces/workspace.ts'
import { MAY_BE_NOTIFIED, notifiedSince } from './notify-limit.ts'
import {
  INVITATION_LIFE_MS,
  InvitationReply,
  isOpen,
  replayInvitation,
  SAMPLE_INVITATION,
  type NewInvitation,
} from './invitation.ts'

/** Open invitations that a workspace and a tenant have at most (contract §4). */
export const MAX_OPEN = { workspace: 500, tenant: 2_000 } as const

export const Invite = z.strictObject({ email: Email, role: z.enum(ROLES) })

const personWith = query((db, by: { tenant: string; email: string }) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.tenant_id, by.tenant),
        eq(users.email, by.email),
        eq(users.kind, 'person'),
        isNull(users.deleted_at),
      ),
    ),
)

interface Standing {
  members: number
  role: Role | null
  inWorkspace: number
  inTenant: number
}

/**
 * How many invitations of a workspace or a tenant are open, but for the one that a new one for the address replaces.
 * Takes the parameters of the tenant, the workspace, the address and now.
 */
const openIn = (where: 'workspace' | 'tenant', [tenant, workspace, email, now]: readonly string[]): string => `(
  select count(*) from invitations i
  where ${where === 'tenant' ? `i.tenant_id = ${tenant}` : `i.workspace_id = ${workspace}`}
    and not (i.workspace_id = ${workspace} and i.email = ${email}) and ${isOpen(now ?? '')})`

/** The parameters of `openIn` in the insert, and in the count after it. */
const INSERTED = ['?9', '?2', '?3', '?7']
const COUNTED = ['?3', '?1', '?2', '?4']

/**
 * Invites an address to a workspace, in place of an older invitation of the same address (contract §4). Nobody becomes
 * a member before they accept. Neither the answer nor the statements depend on whether the address has an account.
 */
export async function invite(
  ctx: AuthContext,
  workspaceId: string,
  { email, role }: z.output<typeof Invite>,
): Promise<NewInvitation> {
  const { db, principal } = ctx
  requireWholeWorkspace(ctx)
  const workspace = await visibleWorkspace(ctx, workspaceId)
  const decision = decide({
    actor: workspace.role,
    self: false,
    current: 'viewer',
    next: role,
    service: false,
    owners: 2,
  })
  if (decision !== 'allowed') throw refusal(decision)
  const account = (await db.first(personWith, { tenant: principal.tenantId, email }))?.id ?? ''
  const id = ctx.newId('inv')
  const { token, hash } = await ctx.tokens.mint('rci', principal.routingId, ctx.random)
  const now = ctx.now()
  const expiresAt = now + INVITATION_LIFE_MS
  ctx.trail.resourceIds = [id]
  const made = 'exists (select 1 from invitations where id = ?)'
  const [[row], , , , , [standing]] = await commitThenSend<
    [RowOf<typeof invitations, 'id'>, never, never, never, never, Standing]
  >(ctx, db, [
    db.statement(
      `insert into invitations (id, tenant_id, workspace_id, email, role, token_hash, created_by, created_at, expires_at)
       select ?1, w.tenant_id, w.id, ?3, ?4, ?5, ?6, ?7, ?8 from workspaces w
       join workspace_members m on m.workspace_id = w.id and m.user_id = ?6
         and m.role in (${rolesSql(role === 'owner' ? 'own' : 'manage')})
       where w.id = ?2 and w.tenant_id = ?9 and w.deleted_at is null
         and (select count(*) from workspace_members c where c.workspace_id = w.id) < ${MAX_MEMBERS}
         and not exists (select 1 from workspace_members d join users u on u.id = d.user_id
           where d.workspace_id = w.id and u.email = ?3)
         and ${openIn('workspace', INSERTED)} < ${MAX_OPEN.workspace} and ${openIn('tenant', INSERTED)} < ${MAX_OPEN.tenant}
       returning id`,
      id,
      workspaceId,
      email,
      role,
      hash,
      principal.userId,
      now,
      expiresAt,
      principal.tenantId,
    ),
    db.statement(
      `delete from invitations where workspace_id = ?1 and email = ?2 and id <> ?3
         and exists (select 1 from invitations where id = ?3)`,
      workspaceId,
      email,
      id,
    ),
    auditStatement(ctx, 'invitations.create', made, id),
    settleStatement(ctx, id, made, id),
    ctx.notification(
      db,
      {
        tenantId: principal.tenantId,
        userId: account,
        code: 'invitation.received',
        message: `You are invited to the workspace "${workspace.name}".`,
        about: { invitation_id: id, workspace_id: workspaceId },
      },
      `${made} and exists (select 1 from users where id = ?) and ${MAY_BE_NOTIFIED}`,
      id,
      account,
      ...notifiedSince(now, account, workspaceId),
    ),
    db.statement(
      `select (select count(*) from workspace_members where workspace_id = ?1) as members,
         (select m.role from workspace_members m join users u on u.id = m.user_id
          where m.workspace_id = ?1 and u.email = ?2) as role,
         ${openIn('workspace', COUNTED)} as inWorkspace, ${openIn('tenant', COUNTED)} as inTenant`,
      workspaceId,
      email,
      principal.tenantId,
      now,
    ),
  ])
  if (!row) throw await refusedInvitation(ctx, workspaceId, standing)
  const url = `${ctx.client.origin}/portal/sign-up?invitation=${token}`
  return { invitation_id: id, invitation_url: url, expires_at: iso(expiresAt) }
}

async function refusedInvitation(
  ctx: AuthContext,
  workspaceId: string,
  standing: Standing | undefined,
): Promise<AppError> {
  if (standing?.role)
    return new AppError('conflict', { detail: `This person is already in the workspace, as ${standing.role}.` })
  if ((standing?.members ?? 0) >= MAX_MEMBERS) return workspaceFull()
  if ((standing?.inWorkspace ?? 0) >= MAX_OPEN.workspace) return tooManyOpen('workspace')
  if ((standing?.inTenant ?? 0) >= MAX_OPEN.tenant) return tooManyOpen('tenant')
  await visibleWorkspace(ctx, workspaceId)
  return forbidden('Your role cannot manage members.')
}

const tooManyOpen = (where: keyof typeof MAX_OPEN): AppError =>
  new AppError('quota_exceeded', {
    detail: `A ${where} can have at most ${MAX_OPEN[where]} open invitations. Withdraw some, or wait until they are accepted or expire.`,
  })

export const inviteEndpoint = endpoint({
  method: 'post',
  path: '/v1/workspaces/{id}/members',
  operationId: 'inviteMember',
  tag: 'members',
  summary: 'Invite a member',
  description:
    'The owner of the address becomes a member by accepting: in the portal, with `POST /v1/invitations/{id}/accept`, or by signing up at the URL. No mail is sent, so pass the URL on yourself. It is shown once and valid for 7 days.',
  scope: 'admin:workspace',
  limit: 'write',
  audit: 'invitations.create',
  params: IdParams,
  body: Invite,
  reply: { 202: InvitationReply },
  links: [
    ...linksTo(['listInvitations'], { id: '$request.path.id' }),
    ...linksTo(['renewInvitation', 'withdrawInvitation'], {
      id: '$request.path.id',
      invitation_id: '$response.body#/invitation_id',
    }),
  ],
  errors: ['not_found', 'forbidden', 'conflict', 'quota_exceeded'],
  idempotent: {
    mode: 'claimed',
    replay: async (ctx, id) => {
      const workspaceId = ctx.idempotency?.path.split('/')[3] ?? ''
      await visibleWorkspace(ctx, workspaceId)
      return replayInvitation(ctx, workspaceId, id)
    },
  },
  example: {
    params: { id: SAMPLE_IDS.workspace },
    body: { email: 'grace@example.com', role: 'editor' },
    reply: SAMPLE_INVITATION,
  },
}).handle(({ ctx, params, body }) => invite(ctx, params.id, body))
