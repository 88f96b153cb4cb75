import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { Recollect, RecollectError, type EventMessage, type MemoryItem, type SocketLike } from '../src/index.ts'
import type { MemoryItem as WireItem } from '../../src/memory/item.ts'
import { until } from '../../test/support/until.ts'
import { addKey, newTenant, type Tenant } from '../../test/support/world.ts'

/** Compiles only if the client's item has the fields of the API's. */
const asWire = (item: MemoryItem): Pick<WireItem, 'id' | 'tags' | 'version' | 'custom_id' | 'embedding_status'> => item

function join(line: WebSocket, service: WebSocket | null): void {
  if (!service) return line.close(1011, 'refused')
  service.addEventListener('message', ({ data }) => line.send(data))
  service.addEventListener('close', ({ code }) => line.close(code))
  line.addEventListener('message', ({ data }) => service.send(data))
  line.addEventListener('close', () => service.close(1000))
  service.accept()
}

/** A client whose network is the Worker of this test; `cut` closes its latest connection. */
function clientOf(tenant: Tenant) {
  const lines: WebSocket[] = []
  const openSocket = (url: string, protocols: string[]): SocketLike => {
    const { 0: near, 1: far } = new WebSocketPair()
    near.accept()
    far.accept()
    lines.push(far)
    const request = new Request(url.replace(/^ws/, 'http'), {
      headers: { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': protocols.join(', ') },
    })
    void exports.default.fetch(request).then((answer) => join(far, answer.webSocket))
    return near
  }
  const client = new Recollect({
    baseUrl: 'http://recollect.test',
    credential: { apiKey: tenant.key },
    fetch: ((input: string, init?: RequestInit) => exports.default.fetch(new Request(input, init))) as typeof fetch,
    openSocket,
    sleep: async () => {},
  })
  return { client, cut: () => lines.at(-1)?.close(1012, 'cut') }
}

test('store, retrieve, search, update, delete', async () => {
  const { client } = clientOf(await newTenant())
  const stored = await client.memory.store({ content: 'The kettle whistles at noon', tags: ['kitchen'] })
  expect(stored).toMatchObject({ tags: ['kitchen'], version: 1 })
  expect(asWire(await client.memory.retrieve(stored.id))).toMatchObject({ tags: ['kitchen'], version: 1 })
  expect(stored.content?.text).toBe('The kettle whistles at noon')
  const found = await client.memory.search({ query: 'kettle', mode: 'keyword' })
  expect(found.results.map((one) => one.id)).toEqual([stored.id])
  expect((await client.memory.update(stored.id, { tags: [] })).version).toBe(2)
  await client.memory.delete(stored.id)
  await expect(client.memory.retrieve(stored.id)).rejects.toThrow(RecollectError)
})

test('contract §2: a write without the scope to read answers the short form, which the types tell apart', async () => {
  const tenant = await newTenant()
  const { id } = await clientOf(tenant).client.memory.store({ content: 'The kettle whistles at noon' })
  const { secret: key } = await addKey(tenant, { scopes: ['write:memory'] })
  const { client } = clientOf({ ...tenant, key })
  const { data: updated, response } = await client.memory.update(id, { tags: ['kitchen'] }).withResponse()
  // An answer of either form has these fields.
  const told: [string, number, string] = [updated.id, updated.version, updated.embedding_status]
  expect(told.slice(0, 2)).toEqual([id, 2])
  expect(response.headers.get('etag')).toBe(`"2-${updated.embedding_status}"`)
  const shown = updated.content ? asWire(updated).tags : 'short'
  expect(shown).toBe('short')
})

test('a list repeats a parameter with several values', async () => {
  const { client } = clientOf(await newTenant())
  const stored = await client.memory.store({ content: 'The kettle whistles at noon' })
  const { data } = await client.memory.list({ namespaces: ['none', 'default'], limit: 5 })
  expect(data.map((one) => one.id)).toEqual([stored.id])
})

test('a failure carries the problem', async () => {
  const { client } = clientOf(await newTenant())
  const failure = await client.memory.retrieve('mem_unknown').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(RecollectError)
  expect((failure as RecollectError).problem).toMatchObject({ status: 404, code: 'not_found' })
})

test('a 429 is tried again after Retry-After, with the same Idempotency-Key', async () => {
  const keys: (string | null)[] = []
  const waits: number[] = []
  const client = new Recollect({
    baseUrl: 'http://recollect.test',
    credential: { accessToken: async () => 'rca_x' },
    fetch: (async (_: string, init: RequestInit) => {
      keys.push(new Headers(init.headers).get('idempotency-key'))
      return keys.length === 1
        ? Response.json({ code: 'rate_limited', detail: 'slow' }, { status: 429, headers: { 'Retry-After': '7' } })
        : Response.json({ id: 'mem_1' })
    }) as typeof fetch,
    sleep: async (ms) => {
      waits.push(ms)
    },
  })
  expect(await client.memory.store({ content: 'x' })).toEqual({ id: 'mem_1' })
  expect(waits).toEqual([7_000])
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
})

test('a stream on a misspelt channel is told which one was probably meant', async () => {
  const { client } = clientOf(await newTenant())
  const hints: (string | undefined)[] = []
  const onConnected = ({ hint }: { hint: string | undefined }) => hints.push(hint)
  const streams = ['conversation', 'converstion'].map((channel) =>
    client.events.listen({ channels: [channel], onConnected }),
  )
  await until(() => expect(hints).toHaveLength(2))
  expect(new Set(hints)).toEqual(
    new Set([undefined, 'No built-in channel is called converstion. Did you mean "conversation"?']),
  )
  for (const stream of streams) stream.close()
})

test('a stream reconnects with last_event_id, misses nothing and drops repeats', async () => {
  const { client, cut } = clientOf(await newTenant())
  const received: EventMessage[] = []
  const connections: { recovered: boolean; missed: boolean }[] = []
  const stream = client.events.listen<EventMessage>({
    channels: ['conversation'],
    clientId: 'test',
    onEvent: (event) => received.push(event),
    onConnected: (state) => connections.push(state),
  })
  await until(() => expect(connections).toHaveLength(1))
  const say = (n: number) => client.events.publish({ type: 'message.new', data: { conversation_id: 'c', n } })
  await say(1)
  await until(() => expect(received).toHaveLength(1))
  cut()
  await say(2)
  await say(3)
  await until(() => expect(new Set(received.map((one) => one.data['n']))).toEqual(new Set([1, 2, 3])))
  expect(received).toHaveLength(3)
  expect(connections[1]).toMatchObject({ recovered: true, missed: false })
  stream.close()
})

test.each([
  ['a fixed credential', () => 'rcs_x', 1],
  ['fresh tokens', (opened: number) => `rcs_${opened}`, 2],
])('a stream of %s stops with the reason once that has ended', async (_, token, connections) => {
  const stopped: string[] = []
  let opened = 0
  const client = new Recollect({
    baseUrl: 'http://recollect.test',
    credential: { sessionToken: () => token(opened) },
    openSocket: () => {
      opened += 1
      const { 0: near, 1: far } = new WebSocketPair()
      near.accept()
      far.accept()
      far.close(4401, 'credential ended')
      return near
    },
    sleep: async () => {},
  })
  client.events.listen({ channels: ['memory'], onEvent: () => {}, onStopped: (reason) => stopped.push(reason) })
  await until(() => expect(stopped).toEqual(['the credential has ended']))
  expect(opened).toBe(connections)
})
