import { expect, test } from 'vitest'
import type { AuthContext } from '../../../src/core/context.ts'
import { createKey, CreateKey } from '../../../src/identity/api-keys/create.ts'
import { rotateKey } from '../../../src/identity/api-keys/rotate.ts'
import { requestContext } from '../../support/oauth.ts'
import { callerOf, racing } from '../../support/race.ts'
import { addMember, call, db, newSession, newTenant } from '../../support/world.ts'

test('of two first keys of a workspace at once both work, as one service account', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const body = { name: 'CI', scopes: ['read:projects', 'read:profile'], owner: 'workspace' }
  const winner: string[] = []
  const raced = racing(async () => winner.push((await call('POST', '/v1/api-keys', { headers, body })).body.key))
  const loser = await createKey(requestContext({ db: raced }, await callerOf(headers)), CreateKey.parse(body))
  expect(winner).toHaveLength(1)
  for (const key of [...winner, loser.key]) {
    const { body: projects } = await call('GET', '/v1/projects', { key })
    expect(projects.data).toMatchObject([{ id: tenant.projectId }])
    expect((await call('GET', '/api/users/me', { key })).body.code).toBe('user_context_required')
  }
  const members = await call('GET', `/v1/workspaces/${tenant.workspaceId}/members`, { headers })
  expect(members.body.data.map((one: { kind: string }) => one.kind)).toEqual(['service', 'person'])
})

const LATE: Record<string, (ctx: AuthContext, key: string) => Promise<unknown>> = {
  'making one': (ctx) =>
    createKey(ctx, CreateKey.parse({ name: 'Late', scopes: ['read:projects'], owner: 'workspace' })),
  'rotating one': (ctx, key) => rotateKey(ctx, key, { overlap_seconds: 0 }),
}

test.each(Object.entries(LATE))(
  'an admin who is removed while %s is left with no key of the workspace',
  async (_, act) => {
    const tenant = await newTenant()
    const admin = await addMember(tenant, 'admin')
    const body = { name: 'CI', scopes: ['read:projects'], owner: 'workspace', workspace_id: tenant.workspaceId }
    const { body: key } = await call('POST', '/v1/api-keys', { headers: await newSession(tenant), body })
    const path = `/v1/workspaces/${tenant.workspaceId}/members/${admin.userId}`
    const raced = racing(async () => expect((await call('DELETE', path, { key: tenant.key })).status).toBe(204))
    const caller = { ...(await callerOf(await newSession(admin))), defaultProjectId: tenant.projectId }
    await expect(act(requestContext({ db: raced }, caller), key.id)).rejects.toMatchObject({ code: 'not_found' })
    const keys = await db.all('select id from api_keys where workspace_id = :workspace', {
      workspace: tenant.workspaceId,
    })
    expect(keys).toEqual([{ id: key.id }])
    expect((await call('GET', '/v1/projects', { key: key.key })).status).toBe(200)
  },
)
