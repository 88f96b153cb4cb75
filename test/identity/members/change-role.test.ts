import { expect, test } from 'vitest'
import { changeRole } from '../../../src/identity/members/change-role.ts'
import { removeMember } from '../../../src/identity/members/remove.ts'
import { auditOf } from '../../support/audit.ts'
import { requestContext } from '../../support/oauth.ts'
import { callerOf, racing } from '../../support/race.ts'
import { addMember, call, newSession, newTenant } from '../../support/world.ts'

test.each([
  ['change', 'PATCH', { role: 'viewer' }],
  ['removal', 'DELETE', undefined],
] as const)(
  'of two equal %ss at once one succeeds, and the other leaves no row of success',
  async (_, method, body) => {
    const tenant = await newTenant()
    const { workspaceId } = tenant
    const member = await addMember(tenant, 'editor')
    const headers = await newSession(await addMember(tenant, 'admin'))
    const path = `/v1/workspaces/${workspaceId}/members/${member.userId}`
    const statuses: number[] = []
    const raced = racing(async () => statuses.push((await call(method, path, { key: tenant.key, body })).status))
    const ctx = requestContext({ db: raced }, await callerOf(headers))
    const loser = body
      ? changeRole(ctx, workspaceId, member.userId, body.role)
      : removeMember(ctx, workspaceId, member.userId)
    await expect(loser).rejects.toMatchObject({ code: 'conflict' })
    expect(statuses).toEqual([body ? 200 : 204])
    expect(await auditOf(ctx.requestId)).toEqual([])
  },
)
