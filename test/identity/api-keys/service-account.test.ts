import { expect, test } from 'vitest'
import { createKey, CreateKey } from '../../../src/identity/api-keys/create.ts'
import { visitor } from '../../support/oauth.ts'
import { callerOf, racing } from '../../support/race.ts'
import { call, newSession, newTenant } from '../../support/world.ts'

test('of two first keys of a workspace at once both work, as one service account', async () => {
  const tenant = await newTenant()
  const headers = await newSession(tenant)
  const body = { name: 'CI', scopes: ['read:projects', 'read:profile'], owner: 'workspace' }
  const winner: string[] = []
  const raced = racing(async () => winner.push((await call('POST', '/v1/api-keys', { headers, body })).body.key))
  const loser = await createKey(visitor({ db: raced }, await callerOf(headers)), CreateKey.parse(body))
  expect(winner).toHaveLength(1)
  for (const key of [...winner, loser.key]) {
    const { body: projects } = await call('GET', '/v1/projects', { key })
    expect(projects.data).toMatchObject([{ id: tenant.projectId }])
    expect((await call('GET', '/api/users/me', { key })).body.code).toBe('user_context_required')
  }
  const members = await call('GET', `/v1/workspaces/${tenant.workspaceId}/members`, { headers })
  expect(members.body.data.map((one: { kind: string }) => one.kind)).toEqual(['service', 'person'])
})
