import { expect, test } from 'vitest'
import { removeMember } from '../../../src/identity/members/remove.ts'
import { requestContext } from '../../support/oauth.ts'
import { callerOf, racing } from '../../support/race.ts'
import { addMember, call, db, newSession, newTenant } from '../../support/world.ts'

test('a removal of a service account that loses a race ends no key; one that wins ends all of them', async () => {
  const tenant = await newTenant()
  const { workspaceId } = tenant
  const admin = await addMember(tenant, 'admin')
  const headers = await newSession(admin)
  const robot = await call('POST', '/v1/api-keys', {
    headers: await newSession(tenant),
    body: { name: 'CI', scopes: ['read:projects'], owner: 'workspace', workspace_id: workspaceId },
  })
  const status = async () => (await call('GET', '/v1/projects', { key: robot.body.key })).status
  expect(await status()).toBe(200)
  const service = await db.first<{ user_id: string }>('select user_id from api_keys where id = :id', {
    id: robot.body.id,
  })
  // Demotes the caller between the decision and the commit.
  const raced = racing(() =>
    db.write('update workspace_members set role = :role where user_id = :user', { role: 'viewer', user: admin.userId }),
  )
  const ctx = requestContext({ db: raced }, await callerOf(headers))
  await expect(removeMember(ctx, workspaceId, service?.user_id ?? '')).rejects.toMatchObject({ code: 'conflict' })
  expect(await status()).toBe(200)

  const path = `/v1/workspaces/${workspaceId}/members/${service?.user_id}`
  expect((await call('DELETE', path, { key: tenant.key })).status).toBe(204)
  expect(await status()).toBe(401)
})
