import { expect, test } from 'vitest'
import { authenticateUpgrade, subprotocols } from '../../../src/auth/credentials/authenticate-upgrade.ts'
import { apiResource } from '../../../src/auth/index.ts'
import { newPerson } from '../../support/oauth.ts'
import { system } from '../../support/world.ts'

const ORIGIN = 'https://recollect.test'

const upgrade = (headers: Record<string, string>, query = '') =>
  authenticateUpgrade(
    new Request(`${ORIGIN}/v1/events/ws${query}`, { headers: { Upgrade: 'websocket', ...headers } }),
    system.tokens,
    apiResource(ORIGIN),
  )

test('a credential comes in a header, in the query, in a subprotocol or, from a page of our own, in the cookie', async () => {
  const { key, session, cookie } = await newPerson()
  const token = session['X-Session-Token']
  for (const { kind } of [
    await upgrade({ 'X-Session-Token': token }),
    await upgrade({}, `?token=${token}`),
    await upgrade({ 'Sec-WebSocket-Protocol': `recollect, bearer.${token}` }),
    await upgrade({ ...cookie, Origin: ORIGIN }),
  ])
    expect(kind).toBe('session')
  expect((await upgrade({}, `?token=${key}`)).kind).toBe('key')
})

test('the cookie counts for a page of our own only, and only without another credential', async () => {
  const { key, cookie } = await newPerson()
  for (const headers of [cookie, { ...cookie, Origin: 'https://evil.test' }, { ...cookie, Origin: 'null' }])
    await expect(upgrade(headers)).rejects.toMatchObject({ code: 'unauthenticated' })
  expect((await upgrade({ ...cookie, Origin: ORIGIN, 'X-API-Key': key })).kind).toBe('key')
})

test('security 20: two credentials at once are 400, in whichever places they are', async () => {
  const { key } = await newPerson()
  for (const [headers, query] of [
    [{ 'X-API-Key': key }, `?token=${key}`],
    [{}, `?token=${key}&token=${key}`],
    [{ 'Sec-WebSocket-Protocol': `bearer.${key}` }, `?token=${key}`],
    [{ 'Sec-WebSocket-Protocol': `bearer.${key}, bearer.${key}` }, ''],
  ] as const)
    await expect(upgrade(headers, query)).rejects.toMatchObject({ code: 'conflicting_credentials' })
})

test('a request that asks for no upgrade is 426, before its credential is checked', async () => {
  await expect(upgrade({ Upgrade: 'h2c', 'X-API-Key': 'x' })).rejects.toMatchObject({ code: 'upgrade_required' })
})

test('subprotocols are read as a list', () => {
  const offered = (value?: string) =>
    subprotocols(new Request(ORIGIN, value === undefined ? {} : { headers: { 'Sec-WebSocket-Protocol': value } }))
  expect(offered(' recollect ,, bearer.x')).toEqual(['recollect', 'bearer.x'])
  expect(offered()).toEqual([])
})
