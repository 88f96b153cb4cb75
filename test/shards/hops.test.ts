import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { expect, test } from 'vitest'
import scaling from '../../docs/scaling.md?raw'
import { depsOf } from '../../src/deps.ts'
import { fanOut } from '../../src/events/fan-out.ts'
import { eventConsumer } from '../../src/events/consumer.ts'
import { deliver } from '../../src/events/webhooks/deliver.ts'
import worker from '../../src/index.ts'
import { commitEvent, conversationEvent } from '../support/events.ts'
import { HOPS, Trips, type Sequence } from '../support/hops.ts'
import { newWriter } from '../support/memory.ts'
import { OLDER } from '../support/mcp.ts'
import { newApp, newCode, newPerson, newTokens, REDIRECT, secretOf } from '../support/oauth.ts'
import { PASSWORD } from '../support/password.ts'
import { messageOf } from '../support/queue-message.ts'
import { newReceiver } from '../support/receiver.ts'
import { openSocket } from '../support/socket.ts'
import { deliveriesOf, subscribe } from '../support/webhooks.ts'
import { db, home, newTenant, system, textOf } from '../support/world.ts'

/** Regions of the three shards, of which the home of these tenants is the nearest to the place of the requests. */
const REGIONS = { SIGNUPS: 'open', SHARD_REGIONS: '00:weur,01:enam,02:apac' }
const PLACE = { continent: 'AS', longitude: '139.7' }

let networks = 0

/** One request through the whole Worker, and its hops until the answer. */
async function request(
  method: string,
  path: string,
  { headers = {}, body, expected = 200 }: { headers?: Record<string, string>; body?: string; expected?: number },
): Promise<Sequence> {
  const trips = new Trips()
  const context = createExecutionContext()
  const sent = new Request<unknown, IncomingRequestCfProperties>(`http://recollect.test${path}`, {
    method,
    headers: {
      'CF-Connecting-IP': `2001:db8:40b5:${(networks += 1).toString(16)}::1`,
      ...(body === undefined ? {} : { 'Content-Length': String(body.length) }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    cf: PLACE as IncomingRequestCfProperties,
  })
  const response = await worker.fetch(sent, { ...trips.bindings, ...REGIONS }, context)
  const sequence = trips.sequence()
  response.webSocket?.accept()
  response.webSocket?.close()
  if (!response.webSocket) await textOf(response)
  expect(response.status).toBe(expected)
  await waitOnExecutionContext(context)
  return sequence
}

const postJson = (path: string, headers: Record<string, string>, body: object, expected = 200) =>
  request('POST', path, {
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    expected,
  })

const postForm = (path: string, fields: Record<string, string>, expected = 200) =>
  request('POST', path, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    expected,
  })

async function signUp(): Promise<{ email: string; hops: Sequence }> {
  const email = `hops-${crypto.randomUUID()}@example.com`
  await system.database('00').write('delete from shard_states')
  const hops = await postForm('/auth/register-user', { email, password: PASSWORD, name: 'Ada' }, 201)
  return { email, hops }
}

const grantTo = (app: Awaited<ReturnType<typeof newApp>>, fields: Record<string, string>) =>
  postForm('/auth/token', { ...secretOf(app), ...fields })

/** An event that happened to a user, whose queue message is still under way. */
const happened = async (user: Awaited<ReturnType<typeof newTenant>>) => commitEvent(conversationEvent(user))

/** The operations of docs/scaling.md, "What distance costs". */
const OPERATIONS: Record<string, () => Promise<Sequence>> = {
  retrieve: async () => {
    const user = await newWriter()
    const { body } = await user.store({ content: 'The kettle is blue.' })
    return request('GET', `/api/memory/retrieve?id=${body.id}`, user)
  },
  store: async () => postJson('/api/memory/store', (await newWriter()).headers, { content: 'tea' }, 201),
  list: async () => request('GET', '/v1/memory/items', await newWriter()),
  'keyword search': async () =>
    postJson('/api/memory/search', (await newWriter()).headers, { query: 'tea', mode: 'keyword' }),
  'hybrid search': async () => {
    const user = await newWriter()
    await user.store({ content: 'The kettle is blue.', wait_ms: 5_000 })
    return postJson('/api/memory/search', user.headers, { query: 'blue kettle' })
  },
  '`search` by MCP': async () => {
    const { key } = await newTenant()
    const call = { name: 'search', arguments: { query: 'blue kettle' } }
    const headers = { ...OLDER, Authorization: `Bearer ${key}` }
    return postJson('/mcp', headers, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
  },
  'page of the portal': async () => request('GET', '/portal/projects', { headers: (await newPerson()).cookie }),
  'sign-up': async () => (await signUp()).hops,
  'login from a new device': async () => {
    const { email } = await signUp()
    return postForm('/auth/login', { username: email, password: PASSWORD })
  },
  'token for a code': async () => {
    const person = await newPerson()
    const app = await newApp(person)
    const code = await newCode(person, app)
    return grantTo(app, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT })
  },
  refresh: async () => {
    const person = await newPerson()
    const app = await newApp(person)
    const { refresh_token } = await newTokens(person, app)
    return grantTo(app, { grant_type: 'refresh_token', refresh_token })
  },
  'WebSocket, to connect': async () => {
    const headers = { Upgrade: 'websocket', 'X-API-Key': (await newTenant()).key }
    return request('GET', '/realtime?channels=conversation', { headers, expected: 101 })
  },
  publish: async () => {
    const message = { type: 'message.new', data: { conversation_id: 'c' } }
    return postJson('/api/events/publish', { 'X-API-Key': (await newTenant()).key }, message, 202)
  },
  'event to a socket': async () => {
    const user = await newTenant()
    const socket = await openSocket('/realtime?channels=conversation', { 'X-API-Key': user.key })
    const message = messageOf({ shard: home, ids: [await happened(user)] })
    const trips = new Trips()
    await eventConsumer.consume(
      depsOf(trips.bindings)(() => {}),
      [message],
    )
    await socket.received('message.new')
    socket.close()
    return trips.sequence()
  },
  'attempt of a webhook': async () => {
    const user = await newTenant()
    const subscription = await subscribe(user, newReceiver())
    const unsent = { ...system.queues, send: () => Promise.resolve() }
    await fanOut({ ...system, queues: unsent }, db, [await happened(user)])
    const ids = (await deliveriesOf(subscription)).map(({ id }) => id)
    const trips = new Trips()
    const consumer = depsOf(trips.bindings)(() => {})
    await deliver(consumer, consumer.database(home), ids)
    return trips.sequence()
  },
}

/** The cells of the tables of a section, row by row, without the lines below their heads. */
function tablesOf(heading: string): string[][][] {
  const section = scaling.slice(scaling.indexOf(`## ${heading}\n`)).split(/\n## /)[0] ?? ''
  return [...section.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) =>
    table
      .trim()
      .split('\n')
      .filter((_, line) => line !== 1)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  )
}

const [tripTable = [], table = []] = tablesOf('What distance costs')
/** Each operation with its figures; a row names those of the same hops, with a middle dot between them. */
const rows = table.slice(1).flatMap(([names = '', ...cells]) => {
  const figures = cells.map((cell) => (cell === '–' ? 0 : Number(cell.replace(',', ''))))
  return names
    .split(' · ')
    .map((name) => ({ name, hops: figures.slice(0, HOPS.length), times: figures.slice(HOPS.length) }))
})

test('docs/scaling.md has the hops of these operations, and no others', () => {
  expect(table[0]?.slice(0, HOPS.length + 1)).toEqual(['operation', ...HOPS])
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
})

test.each(Object.keys(OPERATIONS))('docs/scaling.md has the hops of %s, one after another', async (operation) => {
  const sequence = await OPERATIONS[operation]?.()
  expect(HOPS.map((hop) => sequence?.[hop])).toEqual(rows.find(({ name }) => name === operation)?.hops)
})

test('docs/scaling.md has the times that hops make: the directory and limiters are far, the tenant is near or far', () => {
  const trips = tripTable.slice(1).map(([, ms = '']) => Number(ms))
  const [near = 0, ...far] = trips
  expect(far).toHaveLength(3)
  for (const { name, hops, times } of rows) {
    const [limiter = 0, directory = 0, ...ofTenant] = hops
    const own = ofTenant.reduce((sum, hops) => sum + hops, 0)
    const shared = limiter + directory
    expect(times, name).toEqual(far.flatMap((trip) => [own * near + shared * trip, (own + shared) * trip]))
  }
})
