import { z } from '@hono/zod-openapi'
import { and, eq, isNull } from 'drizzle-orm'
import { auditStatement } from '../../audit/index.ts'
import { Email } from '../../auth/index.ts'
import { users } from '../../auth/table.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { query } from '../../core/database/query.ts'
import { and as all, sql } from '../../core/database/sql.ts'
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
import { mayBeNotified } from './notify-limit.ts'
import {
  INVITATION_LIFE_MS,
  InvitationReply,
  IS_OPEN,
  replayInvitation,
  SAMPLE_INVITATION,
  type InvitationWithLink,
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
 * SQL: how many invitations of `:workspace` or `:tenant` are open `:now`, but for the one that a new one for `:email`
 * replaces.
 */
const openIn = (where: 'workspace' | 'tenant'): string => `(
  select count(*) from invitations i
  where i.${where}_id = :${where} and not (i.workspace_id = :workspace and i.email = :email) and ${IS_OPEN})`

/**
 * Invites an address to a workspace, in place of an older invitation of the same address (contract §4). Nobody becomes
 * a member before they accept. Neither the answer nor the statements depend on whether the address has an account.
 */
export async function invite(
  ctx: AuthContext,
  workspaceId: string,
  { email, role }: z.output<typeof Invite>,
): Promise<InvitationWithLink> {
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
  const made = sql('exists (select 1 from invitations where id = :id)', { id })
  const invited = { tenant: principal.tenantId, workspace: workspaceId, email, now }
  const [[row], , , , , [standing]] = await commitThenSend<
    [RowOf<typeof invitations, 'id'>, never, never, never, never, Standing]
  >(ctx, db, [
    db.statement(
      `insert into invitations (id, tenant_id, workspace_id, email, role, token_hash, created_by, created_at, expires_at)
       select :id, w.tenant_id, w.id, :email, :role, :hash, :caller, :now, :expires_at from workspaces w
       join workspace_members m on m.workspace_id = w.id and m.user_id = :caller
         and m.role in (${rolesSql(role === 'owner' ? 'own' : 'manage')})
       where w.id = :workspace and w.tenant_id = :tenant and w.deleted_at is null
         and (select count(*) from workspace_members c where c.workspace_id = w.id) < ${MAX_MEMBERS}
         and not exists (select 1 from workspace_members d join users u on u.id = d.user_id
           where d.workspace_id = w.id and u.email = :email)
         and ${openIn('workspace')} < ${MAX_OPEN.workspace} and ${openIn('tenant')} < ${MAX_OPEN.tenant}
       returning id`,
      { ...invited, id, role, hash, caller: principal.userId, expires_at: expiresAt },
    ),
    db.statement(
      `delete from invitations where workspace_id = :workspace and email = :email and id <> :id and ${made.sql}`,
      { workspace: workspaceId, email, id },
    ),
    auditStatement(ctx, 'invitations.create', made),
    settleStatement(ctx, id, made),
    ctx.notification(
      db,
      {
        tenantId: principal.tenantId,
        userId: account,
        code: 'invitation.received',
        message: `You are invited to the workspace "${workspace.name}".`,
        about: { invitation_id: id, workspace_id: workspaceId },
      },
      all(
        made,
        sql('exists (select 1 from users where id = :account)', { account }),
        mayBeNotified(now, account, workspaceId),
      ),
    ),
    db.statement(
      `select (select count(*) from workspace_members where workspace_id = :workspace) as members,
         (select m.role from workspace_members m join users u on u.id = m.user_id
          where m.workspace_id = :workspace and u.email = :email) as role,
         ${openIn('workspace')} as inWorkspace, ${openIn('tenant')} as inTenant`,
      invited,
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
  if (standing?.role) {
    const as = ctx.principal.scopes.includes('read:projects') ? `, as ${standing.role}` : ''
    return new AppError('conflict', { detail: `This person is already in the workspace${as}.` })
  }
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
