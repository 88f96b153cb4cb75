import { z } from '@hono/zod-openapi'
import { iso } from '../../core/values/clock.ts'
import type { AuthContext } from '../../core/context.ts'
import { AppError, invalid, notFound } from '../../core/errors.ts'
import { anyId, idOf, timestamp } from '../../core/http/fields.ts'
import { forbidden } from '../access.ts'
import { ROLES, type Role } from '../table.ts'
import type { Verdict } from './rules.ts'

/** At most so many members has a workspace (contract §4). */
export const MAX_MEMBERS = 1_000

export const workspaceFull = (): AppError =>
  new AppError('quota_exceeded', { detail: `A workspace has at most ${MAX_MEMBERS} members.` })

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

export const MemberParams = z.strictObject({ id: anyId, user_id: anyId })

export interface MemberRow {
  user_id: string
  kind: 'person' | 'service'
  email: string | null
  name: string
  avatar_url: string
  role: Role
  created_at: number
}

export const MEMBER_COLUMNS = 'm.user_id, u.kind, u.email, u.name, u.avatar_url, m.role, m.created_at'

export const toMember = (row: MemberRow): Member => ({
  user_id: row.user_id,
  kind: row.kind,
  email: row.email ?? '',
  name: row.name,
  avatar_url: row.avatar_url,
  role: row.role,
  joined_at: iso(row.created_at),
})

/** One member of a workspace whose visibility was checked; 404 for every other id. */
export async function memberOf(ctx: AuthContext, workspaceId: string, userId: string): Promise<MemberRow> {
  const row = await ctx.db.first<MemberRow>(
    `select ${MEMBER_COLUMNS} from workspace_members m join users u on u.id = m.user_id and u.deleted_at is null
     where m.workspace_id = ? and m.user_id = ? and m.tenant_id = ?`,
    workspaceId,
    userId,
    ctx.principal.tenantId,
  )
  if (!row) throw notFound('member')
  return row
}

/** People who own a workspace: `?` is its id. */
export const OWNERS = `
  (select count(*) from workspace_members o join users u on u.id = o.user_id and u.deleted_at is null
   where o.workspace_id = ? and o.role = 'owner')`

/** Turns a verdict other than `allowed` into its error. */
export function refusal(verdict: Exclude<Verdict, 'allowed'>): AppError {
  if (verdict === 'last_owner')
    return new AppError('last_owner', { detail: 'A workspace keeps at least one owner: make another one first.' })
  if (verdict === 'service_role') return invalid('role', 'service_role', 'A service account is an editor at most.')
  return forbidden(
    verdict === 'owners_only' ? 'Only an owner makes or unmakes owners.' : 'Your role does not manage members.',
  )
}
