import { expect, test } from 'vitest'
import { travel } from '../../../support/clock.ts'
import { newAgent, signedIn, tokensOf } from '../../../support/documents.ts'
import {
  basic,
  expectAudited,
  newApp,
  newCode,
  newPerson,
  redeem,
  REDIRECT,
  refreshWith,
  secretOf,
  type App,
} from '../../../support/oauth.ts'
import { call, form } from '../../../support/world.ts'

const FIELDS = { grant_type: 'authorization_code', code: 'rcc_wrong', redirect_uri: REDIRECT }

test("security 18: a stranger cannot use up a client's limit: failures count against the network address", async () => {
  const person = await newPerson()
  const app = await newApp(person)
  const open = await newApp(person, { type: 'public' })
  const stranger = { 'CF-Connecting-IP': '203.0.113.7' }
  travel(0)
  const outcomes: number[] = []
  for (let n = 0; n < 14; n += 1) {
    const wrong = { ...FIELDS, client_id: app.client_id, client_secret: 'rcx_wrong' }
    outcomes.push((await form('/auth/token', wrong, stranger)).status)
  }
  expect(outcomes).toEqual([...Array<number>(10).fill(401), ...Array<number>(4).fill(429)])
  // A public client has no secret, but a made-up code counts against the address of its sender too.
  for (let n = 0; n < 14; n += 1) await form('/auth/token', { ...FIELDS, client_id: open.client_id }, stranger)
  expect((await redeem(app, await newCode(person, app))).headers.get('ratelimit')).toMatch(/"oauth.token";r=9/)
  expect((await form('/auth/token', { ...FIELDS, client_id: open.client_id })).status).toBe(400)
})

test('the eleventh token request of a client in a minute is 429 temporarily_unavailable', async () => {
  const person = await newPerson()
  const [app, other] = [await newApp(person), await newApp(person)]
  const send = (one: App) => form('/auth/token', { ...FIELDS, ...secretOf(one) })
  travel(0)
  const statuses: number[] = []
  for (let n = 0; n < 11; n += 1) statuses.push((await send(app)).status)
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429])
  const refused = await send(app)
  expect(refused.body.error).toBe('temporarily_unavailable')
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await send(other)).status).toBe(400)
})

test("security 49: a wrong secret of an application is in its owner's log, from each endpoint", async () => {
  const owner = await newPerson()
  const [app, other] = [await newApp(owner), await newApp(await newPerson())]
  const wrong = { client_id: app.client_id, client_secret: other.client_secret }
  const tried = [
    await form('/auth/token', { ...FIELDS, ...wrong }),
    await form('/auth/introspect', { token: 'rca_x' }, basic(app.client_id, 'rcx_made-up')),
    await form('/auth/revoke', { token: 'rca_x', client_id: app.client_id }),
  ]
  expect(tried.map(({ body }) => body.error)).toEqual(tried.map(() => 'invalid_client'))
  await expectAudited(
    owner.tenantId,
    ['oauth.token', 'oauth.introspect', 'oauth.revoke'].map((action) => `${action} invalid_client`),
  )
  const { body, text } = await call('GET', '/v1/audit?action=oauth.token', { key: owner.key })
  expect(body.data).toMatchObject([
    {
      actor: owner.userId,
      credential: { kind: 'client_secret', app_id: app.client_id },
      resource_ids: [app.client_id],
      outcome: 'invalid_client',
    },
  ])
  expect(text).not.toContain(other.client_secret)
})

test('contract §6: each grant of a document has ten token requests a minute, whatever its other users do', async () => {
  const one = await newAgent()
  const two: typeof one = { ...one, person: await newPerson() }
  two.ctx = await signedIn(two.person, { clientDocuments: one.host })
  let { body } = await tokensOf(one)
  const statuses: number[] = []
  for (let n = 0; n < 10; n += 1) {
    const answer = await refreshWith(one.app, body.refresh_token)
    statuses.push(answer.status)
    if (answer.status === 200) body = answer.body
  }
  expect(statuses).toEqual([...Array<number>(9).fill(200), 429])
  const other = await tokensOf(two)
  expect(other.status).toBe(200)
  expect((await refreshWith(two.app, other.body.refresh_token)).status).toBe(200)
})

test('security 18: a stranger who knows the address of a document holds nobody up', async () => {
  const one = await newAgent()
  await tokensOf(one)
  const ip = { 'CF-Connecting-IP': '203.0.113.182' }
  const fields = { grant_type: 'refresh_token', refresh_token: 'rcr_made-up', client_id: one.url }
  const statuses: number[] = []
  for (let n = 0; n < 11; n += 1) statuses.push((await form('/auth/token', fields, ip)).status)
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429])
  expect((await form('/auth/revoke', { token: 'rcr_made-up', client_id: one.url }, ip)).status).toBe(429)
  expect((await tokensOf(one)).status).toBe(200)
})
