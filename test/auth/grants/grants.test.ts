import { expect, test } from 'vitest'
import {
  expectAudited,
  newApp,
  newCode,
  newPerson,
  newTokens,
  ORIGIN,
  redeem,
  refreshWith,
  statusWith,
} from '../../support/oauth.ts'
import { call } from '../../support/world.ts'

test('a user lists grants and takes one back: its tokens are refused from the next request on', async () => {
  const person = await newPerson()
  const app = await newApp(await newPerson())
  const [tokens, other] = [await newTokens(person, app), await newTokens(person, app)]
  await newCode(person, app)
  expect(await statusWith(tokens.access_token)).toBe(403)
  const { body } = await call('GET', '/v1/grants', { headers: person.session })
  expect(body.data).toEqual(
    Array.from({ length: 2 }, () => ({
      id: expect.stringMatching(/^grt_/),
      application: { client_id: app.client_id, name: 'Notes' },
      scopes: ['read:memory', 'write:memory'],
      agent: false,
      project_id: null,
      created_at: expect.stringMatching(/Z$/),
      last_used_at: expect.stringMatching(/Z$/),
    })),
  )
  const path = `/v1/grants/${body.data[1].id}`
  expect((await call('GET', path, { headers: person.session })).body).toEqual(body.data[1])
  expect((await call('DELETE', path, { headers: person.session })).status).toBe(204)
  expect(await statusWith(tokens.access_token)).toBe(401)
  expect((await refreshWith(app, tokens.refresh_token)).body.error).toBe('invalid_grant')
  expect(await statusWith(other.access_token)).toBe(403)
  expect((await call('DELETE', path, { headers: person.session })).status).toBe(404)
  expect((await call('GET', '/v1/grants', { headers: person.session })).body.data).toHaveLength(1)
  await expectAudited(person.tenantId, ['grants.delete'])
})

test('a grant names the project that its tokens are bound to, and none for all projects', async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const grantFor = async (path: string): Promise<unknown> => {
    const { status } = await redeem(app, await newCode(person, app, { resource: `${ORIGIN}${path}` }))
    expect(status).toBe(200)
    const { agent, project_id } = (await call('GET', '/v1/grants?limit=1', { headers: person.session })).body.data[0]
    return { agent, project_id }
  }
  expect(await grantFor('/mcp')).toEqual({ agent: true, project_id: null })
  expect(await grantFor(`/mcp/${person.projectId}`)).toEqual({ agent: true, project_id: person.projectId })
})

test("somebody else's grant is 404", async () => {
  const [person, other] = [await newPerson(), await newPerson()]
  await newTokens(person, await newApp(person))
  const { body } = await call('GET', '/v1/grants', { headers: person.session })
  for (const method of ['GET', 'DELETE']) {
    expect((await call(method, `/v1/grants/${body.data[0].id}`, { headers: other.session })).status).toBe(404)
  }
})
