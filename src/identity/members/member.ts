import { z } from '@hono/zod-openapi'
import { users } from '../../auth/table.ts'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { columnsOf, selectList } from '../../core/database/columns.ts'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { anyId, idOf, timestamp } from '../../core/http/fields.ts'
import { wholeOrShort } from '../../core/http/written.ts'
import { forbidden } from '../access.ts'
import { ROLES, workspace_members } from '../table.ts'
import type { Decision } from './rules.ts'
import { SAMPLE_IDS, SAMPLE_TIME } from '../../core/sample.ts'

/** The most members of a workspace (contract §4). */
export const MAX_MEMBERS = 1_000

export const workspaceFull = (): AppError =>
  new AppError('quota_exceeded', { detail: `A workspace can have at most ${MAX_MEMBERS} members.` })

/** For the person who would join. */
export const invitedToFull = (): AppError =>
  new AppError('quota_exceeded', {
    detail: `The workspace already has ${MAX_MEMBERS} members. Ask the person who invited you to make room, then try again.`,
  })

export const MemberSchema = z
  .object({
    user_id: idOf('usr'),
    kind: z.enum(['person', 'service']).meta({ description: "`service`: the account of the workspace's keys." }),
    email: z.string(),
    name: z.string(),
    avatar_url: z.string(),
    role: z.enum(ROLES),
    joined_at: timestamp,
  })
  .openapi('Member')
export type Member = z.infer<typeof MemberSchema>

/** What a write answers of a member. */
export const MemberOrWritten = wholeOrShort('Member', MemberSchema, ['user_id', 'joined_at'])

export const SAMPLE_MEMBER: Member = {
  user_id: SAMPLE_IDS.grace,
  kind: 'person',
  email: 'grace@example.com',
  name: 'Grace',
  avatar_url: '',
  role: 'editor',
  joined_at: SAMPLE_TIME,
}

export const MemberParams = z.strictObject({ id: anyId, user_id: anyId })

const COLUMNS = columnsOf(workspace_members, 'user_id', 'role', 'created_at')
const USER_COLUMNS = columnsOf(users, 'kind', 'email', 'name', 'avatar_url')
/** The columns of members `m` and their users `u`. */
export const MEMBER_COLUMNS = `${selectList(COLUMNS, 'm')}, ${selectList(USER_COLUMNS, 'u')}`
export type MemberRow = Pick<typeof workspace_members.$inferSelect, keyof typeof COLUMNS> &
  Pick<typeof users.$inferSelect, keyof typeof USER_COLUMNS>

export const toMember = (row: MemberRow): Member => ({
  user_id: row.user_id,
  kind: row.kind,
  email: row.email ?? '',
  name: row.name,
  avatar_url: row.avatar_url,
  role: row.role,
  joined_at: iso(row.created_at),
})

/** A member of a workspace that the caller sees. 404 for every other id. */
export async function memberOf(ctx: AuthContext, workspaceId: string, userId: string): Promise<MemberRow> {
  const row = await ctx.db.first<MemberRow>(
    `select ${MEMBER_COLUMNS} from workspace_members m join users u on u.id = m.user_id and u.deleted_at is null
     where m.workspace_id = :workspace and m.user_id = :member and m.tenant_id = :tenant`,
    { workspace: workspaceId, member: userId, tenant: ctx.principal.tenantId },
  )
  if (!row) throw notFound('member', userId)
  return row
}

/** SQL: how many people own `:workspace`. */
export const OWNERS = `
  (select count(*) from workspace_members o join users u on u.id = o.user_id and u.deleted_at is null
   where o.workspace_id = :workspace and o.role = 'owner')`

/** The error of a decision other than `allowed`. */
export function refusal(decision: Exclude<Decision, 'allowed'>): AppError {
  if (decision === 'last_owner')
    return new AppError('last_owner', {
      detail: 'A workspace must have at least one owner: make another member an owner first.',
    })
  if (decision === 'service_role')
    return invalid('role', 'service_role', 'The highest role of a service account is editor.')
  return forbidden(
    decision === 'owners_only'
      ? 'Only an owner can grant or remove the role of owner.'
      : 'Your role cannot manage members.',
  )
}
