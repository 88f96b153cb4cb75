import { expect, test } from 'vitest'
import { ConflictError, ConnectionError, NotFoundError, RateLimitError, ServerError } from '../src/index.ts'
import { isRepeatable, retryDelayMs } from '../src/retry.ts'
import { clientOf, json, lost, problem } from './support.ts'

test.each([
  ['GET', '/v1/projects', undefined, {}, true],
  ['POST', '/api/memory/store', {}, {}, true],
  ['POST', '/api/memory/search', {}, {}, true],
  ['POST', '/v1/memory/delete', { dry_run: true }, {}, true],
  ['POST', '/v1/memory/delete', {}, {}, false],
  ['POST', '/v1/events/deliveries/{id}/retry', undefined, {}, false],
  ['POST', '/v1/users/me/password', {}, {}, false],
  ['DELETE', '/api/projects/{id}', undefined, {}, true],
  ['PATCH', '/v1/memory/items/{id}', {}, {}, false],
  ['PATCH', '/v1/memory/items/{id}', {}, { ifVersion: 3 }, true],
  ['PATCH', '/v1/projects/{id}', {}, { ifVersion: 3 }, false],
])('%s %s with %j and %j may be repeated: %s', (method, path, body, options, expected) => {
  expect(isRepeatable({ method, path, body, options })).toBe(expected)
})

test.each([
  [null, 0, 1, 500],
  [null, 1, 0.5, 500],
  [null, 3, 0, 0],
  [null, 30, 1, 8_000],
  [7, 0, 0, 7_000],
])('after %s s of Retry-After, at retry %i with randomness %d it waits %i ms', (after, retries, random, expected) => {
  expect(retryDelayMs(after, retries, random)).toBe(expected)
})

test.each<[string, Error | Response]>([
  ['a lost connection', lost()],
  ...[408, 429, 502, 503, 504].map((status): [string, Response] => [`a ${status}`, problem(status, 'x')]),
])('%s is tried again, with the same key', async (_, step) => {
  const { client, sent, waits } = clientOf([step, step, json({ id: 'mem_1' }, 201)])
  expect((await client.memory.store({ content: 'x' })).id).toBe('mem_1')
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  expect(waits).toEqual([500, 1_000])
})

test.each([400, 401, 403, 404, 409, 413, 422, 500])('a %i is not tried again', async (status) => {
  const { client, sent } = clientOf([problem(status, 'x'), json({})])
  await expect(client.memory.retrieve('mem_1')).rejects.toMatchObject({ status })
  expect(sent).toHaveLength(1)
})

test.each<[string, () => Response, object]>([
  [
    'a redirect',
    () => new Response(null, { status: 307, headers: { Location: 'https://b.example/' } }),
    { status: 307 },
  ],
  // What `fetch` gives in a browser, where `redirect` is `manual`.
  ['a redirect in a browser', () => opaqueRedirect(), { status: 0 }],
])('%s is an error that says so, and not tried again', async (_, answer, more) => {
  const { client, sent } = clientOf([answer, json({})])
  const failure = await client.memory.retrieve('mem_1').catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'RecollectError', code: 'redirected', ...more })
  expect(String(failure)).toMatch(/redirects .*Check the address of the service\.$/)
  expect(sent).toHaveLength(1)
})

function opaqueRedirect(): Response {
  const response = new Response(null)
  Object.defineProperties(response, { type: { value: 'opaqueredirect' }, status: { value: 0 }, ok: { value: false } })
  return response
}

test('what would be done twice is not tried again', async () => {
  const { client, sent } = clientOf([lost(), json({})])
  await expect(client.memory.update('mem_1', { tags: [] })).rejects.toThrow(ConnectionError)
  await expect(client.deliveries.retry('dlv_1')).resolves.toEqual({})
  expect(sent).toHaveLength(2)
})

test('a try counts as long as the client, or the call, allows', async () => {
  const never = clientOf([problem(503, 'x')], { maxRetries: 0 })
  await expect(never.client.memory.retrieve('mem_1')).rejects.toThrow(ServerError)
  expect(never.sent).toHaveLength(1)
  await expect(never.client.memory.retrieve('mem_1', { maxRetries: 4 })).rejects.toThrow(ServerError)
  expect(never.sent).toHaveLength(6)
})

test('the key of the caller is sent', async () => {
  const { client, sent } = clientOf([json({}, 201)])
  await client.projects.create({ name: 'A', workspace_id: 'wsp_1' }, { idempotencyKey: 'mine' })
  expect(sent[0]?.headers.get('idempotency-key')).toBe('mine')
})

test('while the first try still runs, the answer is waited for', async () => {
  const busy = problem(409, 'idempotency_in_progress')
  const { client, sent } = clientOf([lost(), busy, busy, busy, json({ id: 'mem_1' }, 201)])
  expect((await client.memory.store({ content: 'x' }, { idempotencyKey: 'mine' })).id).toBe('mem_1')
  expect(sent).toHaveLength(5)
  // Somebody else may use a key of the caller.
  const first = clientOf([busy])
  await expect(first.client.memory.store({ content: 'x' }, { idempotencyKey: 'mine' })).rejects.toThrow(ConflictError)
  expect(first.sent).toHaveLength(1)
})

test('a request that the network doubles waits for the answer to its other copy', async () => {
  const busy = problem(409, 'idempotency_in_progress')
  const { client, sent } = clientOf([busy, busy, json({ id: 'mem_1' }, 201)])
  expect((await client.memory.store({ content: 'x' })).id).toBe('mem_1')
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
})

test('a deletion whose answer was lost has succeeded when the item is gone', async () => {
  const gone = problem(404, 'not_found')
  await expect(clientOf([lost(), gone]).client.memory.delete('mem_1')).resolves.toBeUndefined()
  await expect(clientOf([problem(504, 'x'), gone]).client.projects.delete('prj_1')).resolves.toBeUndefined()
  await expect(clientOf([gone]).client.memory.delete('mem_1')).rejects.toThrow(NotFoundError)
  // A refusal has deleted nothing.
  await expect(clientOf([problem(429, 'x'), gone]).client.memory.delete('mem_1')).rejects.toThrow(NotFoundError)
})

const item = (version: number, more: object = {}) => ({
  id: 'mem_1',
  version,
  content: { text: 'Tea.', type: 'text', metadata: { source: 'chat' } },
  tags: ['a', 'b'],
  ttl: null,
  ...more,
})
const changes = { content: 'Tea.', tags: ['b', 'a'], ttl: null }

test('a change whose answer was lost has succeeded when the next version has its values', async () => {
  const { client, sent } = clientOf([lost(), problem(412, 'precondition_failed'), json(item(4))])
  expect((await client.memory.update('mem_1', changes, { ifVersion: 3 })).version).toBe(4)
  expect(sent.map(({ method }) => method)).toEqual(['PATCH', 'PATCH', 'GET'])
  expect(sent[0]?.headers.get('if-match')).toBe('"3"')
  expect(new URL(sent[2]?.url ?? '').pathname).toBe('/v1/memory/items/mem_1')
})

test('so has a merge of metadata: a key that it removed is absent', async () => {
  const merge = { content: { metadata: { source: 'chat', draft: null } }, merge_metadata: true }
  const again = () => [lost(), problem(412, 'precondition_failed')]
  const { client } = clientOf([...again(), json(item(4))])
  expect((await client.memory.update('mem_1', merge, { ifVersion: 3 })).version).toBe(4)
  const drafted = item(4, { content: { text: 'Tea.', type: 'text', metadata: { source: 'chat', draft: 1 } } })
  const other = clientOf([...again(), json(drafted)]).client
  await expect(other.memory.update('mem_1', merge, { ifVersion: 3 })).rejects.toThrow(ConflictError)
})

test.each([
  ['a later version', item(5)],
  ['another text', item(4, { content: { text: 'Coffee.', type: 'text', metadata: {} } })],
  ['another tag', item(4, { tags: ['a', 'c'] })],
  ['a tag more', item(4, { tags: ['a', 'b', 'c'] })],
  ['a value where there was none', item(4, { ttl: 60 })],
])('it has not with %s: somebody else changed the item', async (_, found) => {
  const { client } = clientOf([lost(), problem(412, 'precondition_failed'), json(found)])
  await expect(client.memory.update('mem_1', changes, { ifVersion: 3 })).rejects.toThrow(ConflictError)
})

test('a 412 at the first try is the answer', async () => {
  const { client, sent } = clientOf([problem(412, 'precondition_failed'), json(item(4))])
  await expect(client.memory.update('mem_1', changes, { ifVersion: 3 })).rejects.toMatchObject({ status: 412 })
  expect(sent).toHaveLength(1)
})

test('a Retry-After that ends past the deadline is not waited for', async () => {
  const { client, waits } = clientOf([problem(429, 'rate_limited', { 'Retry-After': '3600' })])
  const failure = await client.memory.retrieve('mem_1').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(RateLimitError)
  expect(failure).toMatchObject({ retryAfter: 3_600, code: 'rate_limited', requestId: 'req_1' })
  expect(waits).toEqual([])
})
