import { expect, test } from 'vitest'
import {
  CHALLENGE,
  newApp,
  newCode,
  newPerson,
  newTokens,
  ORIGIN,
  redeem,
  statusWith,
  VERIFIER,
} from '../../support/oauth.ts'
import { RECORDINGS } from './recordings.ts'
import { Browser, locationOf } from '../../support/portal.ts'
import { call } from '../../support/world.ts'

const PAGE = '/portal/agents'

test('the page shows the address, each agent, and on a laptop that hosted agents cannot reach it', async () => {
  const { text } = await new Browser(await newPerson()).open(PAGE)
  expect(text).toContain(`${ORIGIN}/mcp`)
  for (const { agent: name } of RECORDINGS) expect(text).toContain(`<summary>${name}</summary>`)
  expect(text).toContain('only a public https address')
  expect(text).toContain('No agent yet')
})

test('contract §2: a grant of an agent says so: it registered itself, or its tokens open /mcp only', async () => {
  const [person, developer] = [await newPerson(), await newPerson()]
  const { body: registered } = await call('POST', '/auth/register', {
    body: { client_name: 'Desk agent', redirect_uris: ['http://127.0.0.1/back'], token_endpoint_auth_method: 'none' },
    headers: { 'CF-Connecting-IP': '2001:db8:a9e7::1' },
  })
  const redirect_uri = 'http://127.0.0.1:4000/back'
  const pkce = { redirect_uri, code_challenge: CHALLENGE, code_challenge_method: 'S256' }
  const agent = { client_id: registered.client_id, client_secret: '' }
  const itself = await redeem(agent, await newCode(person, agent, pkce), { redirect_uri, code_verifier: VERIFIER })
  expect(itself.status).toBe(200)
  const app = await newApp(developer)
  await redeem(app, await newCode(person, app, { resource: `${ORIGIN}/mcp` }))
  await newTokens(person, app)
  const { body } = await call('GET', '/v1/grants', { headers: person.session })
  expect(body.data.map((grant: any) => [grant.application.name, grant.agent])).toEqual([
    ['Notes', false],
    ['Notes', true],
    ['Desk agent', true],
  ])

  const browser = new Browser(person)
  const { text } = await browser.open(PAGE)
  expect(text.match(/<h3>\s*(?:<bdi>)?(?:Notes|Desk agent)/g)).toHaveLength(2)
  const [disconnect] = text.match(new RegExp(`${PAGE}/${body.data[2].id}/disconnect`)) ?? []
  expect((await new Browser(developer).send(PAGE, disconnect ?? '')).status).toBe(404)
  expect(await statusWith(itself.body.access_token)).toBe(403)
  expect(locationOf(await browser.send(PAGE, disconnect ?? ''))).toBe(PAGE)
  expect((await browser.open(PAGE)).text).toContain('The agent is disconnected.')
  expect(await statusWith(itself.body.access_token)).toBe(401)
})
