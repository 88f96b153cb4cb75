import { expect, test } from 'vitest'
import { denialSweep } from '../../../src/auth/index.ts'
import { deleteWorkspace } from '../../../src/identity/workspaces/delete.ts'
import { requestContext } from '../../support/oauth.ts'
import { callerOf, racing } from '../../support/race.ts'
import { addMember, call, db, newSession, newTenant, system } from '../../support/world.ts'

test('a deletion of a workspace that loses a race ends no key of it; one that wins ends all of them', async () => {
  const tenant = await newTenant()
  const { workspaceId } = tenant
  const owner = await addMember(tenant, 'owner')
  const headers = await newSession(owner)
  const robot = await call('POST', '/v1/api-keys', {
    headers: await newSession(tenant),
    body: { name: 'CI', scopes: ['read:projects'], owner: 'workspace', workspace_id: workspaceId },
  })
  const status = async () => (await call('GET', '/v1/projects', { key: robot.body.key })).status
  expect(await status()).toBe(200)
  // Demotes the caller between the check of the role and the commit.
  const raced = racing(() =>
    db.write('update workspace_members set role = :role where user_id = :user', { role: 'viewer', user: owner.userId }),
  )
  const loser = deleteWorkspace(requestContext({ db: raced }, await callerOf(headers)), workspaceId)
  await expect(loser).rejects.toMatchObject({ code: 'forbidden' })
  await denialSweep.run(system)
  expect(await status()).toBe(200)
  expect((await call('DELETE', `/v1/workspaces/${workspaceId}`, { key: tenant.key })).status).toBe(204)
  expect(await status()).toBe(401)
})
