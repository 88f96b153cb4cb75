/** @module-tag long */
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { addKey, call, db, newTenant } from '../../support/world.ts'
import { newPerson } from '../../support/oauth.ts'
import { openSocket, requestSocket } from '../../support/socket.ts'

const problemOf = async (response: Response) => {
  const { code } = await response.json<{ code: string }>()
  return { status: response.status, code }
}

test('the first frame is system.status with state, recovered, replayed and last_event_id', async () => {
  const { key } = await newTenant()
  const socket = await openSocket(`/realtime?token=${key}&channels=memory,conversation`)
  expect(socket.response.status).toBe(101)
  expect(socket.response.headers.get('X-Request-Id')).toMatch(/^req_/)
  expect(socket.messages[0]).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: 'system.status',
    channel: 'system',
    timestamp: expect.stringMatching(/Z$/),
    data: { state: 'connected', recovered: false, replayed: 0, last_event_id: null },
  })
})

test('contract §5: the first frame names the built-in channel that a misspelt one probably means', async () => {
  const { key } = await newTenant()
  const socket = await openSocket(`/realtime?token=${key}&channels=memroy,orders,sytem`)
  expect(socket.messages[0]?.data['hint']).toBe(
    'No built-in channel is called memroy. Did you mean "memory"? No built-in channel is called sytem. Did you mean "system"?',
  )
})

test('/api/events/stream is the same endpoint', async () => {
  const { key } = await newTenant()
  const socket = await openSocket(`/api/events/stream?token=${key}&channels=memory`)
  expect(socket.messages[0]?.type).toBe('system.status')
})

test('the token may come in a header, in the query, or in the subprotocol, which is answered with recollect', async () => {
  const { key } = await newTenant()
  const inHeader = await openSocket('/realtime?channels=memory', { 'X-API-Key': key })
  expect(inHeader.response.headers.get('Sec-WebSocket-Protocol')).toBeNull()
  const inProtocol = await openSocket('/realtime?channels=memory', {
    'Sec-WebSocket-Protocol': `recollect, bearer.${key}`,
  })
  expect(inProtocol.response.headers.get('Sec-WebSocket-Protocol')).toBe('recollect')
})

test('{"type":"ping"} is answered with {"type":"pong"}, in any spelling', async () => {
  const { key } = await newTenant()
  const socket = await openSocket(`/realtime?token=${key}&channels=memory`)
  socket.send('{"type":"ping"}')
  await until(() => expect(socket.messages.slice(1)).toEqual([{ type: 'pong' }]))
  socket.send('{ "type": "ping" }')
  await until(() => expect(socket.messages.slice(1)).toEqual([{ type: 'pong' }, { type: 'pong' }]))
})

test('presence is committed before the socket opens and removed when it closes', async () => {
  const { key, userId } = await newTenant()
  const present = () => db.all('select connection_id from presence where user_id = :user', { user: userId })
  const socket = await openSocket(`/realtime?token=${key}&channels=memory`)
  expect(await present()).toHaveLength(1)
  socket.close()
  await until(async () => expect(await present()).toEqual([]))
})

test('before the upgrade: 426 without one, 405 for another method', async () => {
  const { key } = await newTenant()
  const plain = await call('GET', `/realtime?token=${key}&channels=memory`)
  expect({ status: plain.status, code: plain.body.code }).toEqual({ status: 426, code: 'upgrade_required' })
  expect(plain.headers.get('Upgrade')).toBe('websocket')
  expect((await call('POST', '/realtime')).status).toBe(405)
})

test('before the upgrade: 401 without a credential or with a made-up one, 400 with two', async () => {
  const { key } = await newTenant()
  expect(await problemOf(await requestSocket('/realtime?channels=memory'))).toEqual({
    status: 401,
    code: 'unauthenticated',
  })
  const madeUp = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
  expect(await problemOf(await requestSocket(`/realtime?channels=memory&token=${madeUp}`))).toEqual({
    status: 401,
    code: 'invalid_token',
  })
  const twice = await requestSocket(`/realtime?channels=memory&token=${key}`, { 'X-API-Key': key })
  expect(await problemOf(twice)).toEqual({ status: 400, code: 'conflicting_credentials' })
})

test('before the upgrade: 403 without read:events, and for the memory channel without read:memory', async () => {
  const none = await newTenant({ scopes: ['read:memory'] })
  expect(await problemOf(await requestSocket(`/realtime?token=${none.key}&channels=memory`))).toEqual({
    status: 403,
    code: 'insufficient_scope',
  })
  const events = await newTenant({ scopes: ['read:events'] })
  const response = await requestSocket(`/realtime?token=${events.key}&channels=offering,memory&client_id=`)
  expect(response.headers.get('WWW-Authenticate')).toContain('scope="read:memory"')
  expect(response.status).toBe(403)
  await openSocket(`/realtime?token=${events.key}&channels=offering`)
})

test.each(['', 'channels=', 'channels=Memory', 'channels=a,,b', 'channels=a&x=1', 'channels=a&channels=b'])(
  'before the upgrade: 422 for ?%s',
  async (query) => {
    const { key } = await newTenant()
    const response = await requestSocket(`/realtime?token=${key}&${query}`)
    expect(await problemOf(response)).toEqual({ status: 422, code: 'validation_failed' })
  },
)

test.each([`client_id=${'x'.repeat(129)}`, 'client_id=', 'last_event_id=', `last_event_id=${'x'.repeat(65)}`])(
  'before the upgrade: 422 for ?channels=a&%s',
  async (query) => {
    const { key } = await newTenant()
    const response = await requestSocket(`/realtime?token=${key}&channels=a&${query}`)
    expect(await problemOf(response)).toEqual({ status: 422, code: 'validation_failed' })
  },
)

/** Keys of one user, enough not to meet the limit of five requests a second and key. */
async function manyKeys(count: number) {
  const tenant = await newTenant()
  const keys = await Promise.all(Array.from({ length: count }, () => addKey(tenant)))
  return { ...tenant, keys: keys.map((one) => one.secret) }
}

test('security 48: the eleventh open connection is a 429 with Retry-After; one more fits after one has left', async () => {
  const { keys } = await manyKeys(12)
  const open = (index: number) => openSocket(`/realtime?channels=memory&token=${keys[index]}`)
  const sockets = await Promise.all(Array.from({ length: 10 }, (_, index) => open(index)))
  const eleventh = await requestSocket(`/realtime?channels=memory&token=${keys[10]}`)
  expect(eleventh.headers.get('Retry-After')).toMatch(/^\d+$/)
  expect(await problemOf(eleventh)).toEqual({ status: 429, code: 'rate_limited' })
  sockets[3]?.close()
  await until(() => expect(sockets[3]?.closed).not.toBeNull())
  await open(11)
})

test('of eleven simultaneous connections ten open', async () => {
  const { keys } = await manyKeys(11)
  const answers = await Promise.all(keys.map((key) => requestSocket(`/realtime?channels=memory&token=${key}`)))
  expect(answers.filter((one) => one.status === 101)).toHaveLength(10)
  expect(answers.filter((one) => one.status === 429)).toHaveLength(1)
  for (const one of answers) one.webSocket?.accept()
})

test('the same client_id replaces its older connection (4409) and never counts as an eleventh', async () => {
  const { keys } = await manyKeys(13)
  const open = (index: number, extra = '') => openSocket(`/realtime?channels=memory&token=${keys[index]}${extra}`)
  const named = await open(0, '&client_id=laptop')
  await Promise.all(Array.from({ length: 9 }, (_, index) => open(index + 1)))
  await open(10, '&client_id=laptop')
  await until(() => expect(named.closed?.code).toBe(4409))
  expect((await requestSocket(`/realtime?channels=memory&client_id=phone&token=${keys[11]}`)).status).toBe(429)
})

test('a page of our own origin connects by its session cookie; a foreign page, with the same cookie, does not', async () => {
  const { cookie } = await newPerson()
  const own = await openSocket('/realtime?channels=memory', { ...cookie, Origin: 'http://recollect.test' })
  expect(own.response.status).toBe(101)
  const foreign = await requestSocket('/realtime?channels=memory', { ...cookie, Origin: 'http://evil.test' })
  expect(await problemOf(foreign)).toEqual({ status: 401, code: 'unauthenticated' })
})
