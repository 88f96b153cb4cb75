import { beforeEach, expect, test, vi } from 'vitest'
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RecollectError,
  ServerError,
  TimeoutError,
} from '../src/index.ts'
import { fakeTimers } from '../../test/support/fake-timers.ts'
import { clientOf, json, lost, problem, silent } from './support.ts'

beforeEach(() => fakeTimers('setTimeout', 'clearTimeout', 'performance'))

const failureOf = (call: PromiseLike<unknown>) => Promise.resolve(call).catch((error: unknown) => error)

test.each([
  [400, InvalidRequestError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [412, ConflictError],
  [413, InvalidRequestError],
  [415, InvalidRequestError],
  [422, InvalidRequestError],
  [429, RateLimitError],
  [500, ServerError],
  [503, ServerError],
  [418, RecollectError],
])('a %i is an error of its family', async (status, family) => {
  const { client } = clientOf([problem(status, 'x')], { maxRetries: 0 })
  const failure = await failureOf(client.memory.retrieve('mem_1'))
  expect(failure).toBeInstanceOf(RecollectError)
  expect((failure as RecollectError).constructor).toBe(family)
  expect(failure).toMatchObject({ name: family.name, status, code: 'x', requestId: 'req_1', message: 'It is x.' })
})

test('a lost connection has a cause', async () => {
  const cause = lost()
  const failure = await failureOf(clientOf([cause], { maxRetries: 0 }).client.memory.retrieve('mem_1'))
  expect(failure).toBeInstanceOf(ConnectionError)
  expect(failure).toMatchObject({ cause, status: 0, code: 'connection_failed', requestId: null })
})

test.each([
  ['a body that breaks off', () => new Response('{"id": "mem', { headers: { 'Content-Type': 'application/json' } })],
  ['a page of something between', () => new Response('<html>', { headers: { 'Content-Type': 'application/json' } })],
])('%s is a lost connection', async (_, answer) => {
  const { client, sent } = clientOf([answer, json({ id: 'mem_1' })])
  expect((await client.memory.retrieve('mem_1')).id).toBe('mem_1')
  expect(sent).toHaveLength(2)
})

test('a failure that is no problem is quoted', async () => {
  const answer = new Response('upstream is gone', { status: 502, headers: { 'X-Request-Id': 'req_2' } })
  const failure = await failureOf(clientOf([answer], { maxRetries: 0 }).client.memory.retrieve('mem_1'))
  expect(failure).toMatchObject({ status: 502, message: 'upstream is gone', requestId: 'req_2', retryAfter: null })
})

test('Retry-After may be a date', async () => {
  const date = new Date(new Date().getTime() + 3_600_000).toUTCString()
  const { client } = clientOf([problem(503, 'x', { 'Retry-After': date })])
  const failure = await failureOf(client.memory.retrieve('mem_1'))
  expect((failure as RecollectError).retryAfter).toBeGreaterThan(3_500)
})

test('the faults of the input are told by path', async () => {
  const errors = [{ path: 'content', code: 'required', message: 'It is missing.' }]
  const { client } = clientOf([json({ code: 'validation_failed', title: 'Invalid', detail: 'x', errors }, 422)])
  expect(await failureOf(client.memory.store({ content: '' }))).toMatchObject({ errors, code: 'validation_failed' })
})

test('withResponse has the response beside the result', async () => {
  const answer = new Response('{"id":"mem_1"}', {
    status: 201,
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'req_7', ETag: '"1-pending"' },
  })
  const { data, response, requestId } = await clientOf([answer]).client.memory.store({ content: 'x' }).withResponse()
  expect({ id: data.id, status: response.status, tag: response.headers.get('etag'), requestId }).toEqual({
    id: 'mem_1',
    status: 201,
    tag: '"1-pending"',
    requestId: 'req_7',
  })
})

test('a call ends at its time-out, 30 s by default, whatever hangs', async () => {
  for (const [steps, options] of [
    [[silent], {}],
    [[() => new Promise<Response>(() => {})], {}],
    [[() => new Response(new ReadableStream({ start() {} }))], {}],
    [[json({})], { credential: { accessToken: () => new Promise<string>(() => {}) } }],
    [[problem(503, 'x')], { sleep: () => new Promise<void>(() => {}) }],
  ] as const) {
    const { client } = clientOf([...steps], options)
    const failure = failureOf(client.memory.retrieve('mem_1'))
    let ended = false
    void failure.then(() => (ended = true))
    await vi.advanceTimersByTimeAsync(29_999)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await failure).toBeInstanceOf(TimeoutError)
  }
})

test('the time-out of a call is that of all its tries together', async () => {
  const { client, sent } = clientOf([lost(), silent])
  const failure = failureOf(client.memory.retrieve('mem_1', { timeoutMs: 1_000 }))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await failure).toMatchObject({ code: 'timed_out', name: 'TimeoutError' })
  expect(sent).toHaveLength(2)
})

test('a call ends when its signal says so, with the reason of the signal', async () => {
  const controller = new AbortController()
  const { client, sent } = clientOf([silent])
  const failure = failureOf(client.memory.retrieve('mem_1', { signal: controller.signal }))
  await vi.advanceTimersByTimeAsync(10)
  controller.abort(new Error('the person left'))
  expect(await failure).toMatchObject({ message: 'the person left' })
  expect(sent).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
  const before = await failureOf(client.memory.retrieve('mem_1', { signal: controller.signal }))
  expect(before).toMatchObject({ message: 'the person left' })
})

test('after a 401 the source of the token is asked once more, by all calls together', async () => {
  const asked: (string | undefined)[] = []
  const token = (refused?: string) => {
    asked.push(refused)
    return refused === undefined ? 'old' : 'new'
  }
  const answer = (request: Request) =>
    request.headers.get('authorization') === 'Bearer new' ? json({ id: 'mem_1' }) : problem(401, 'invalid_token')
  const { client, sent } = clientOf([answer], { credential: { accessToken: token } })
  const calls = await Promise.all([client.memory.retrieve('mem_1'), client.deliveries.retry('dlv_1')])
  expect(calls).toHaveLength(2)
  expect(sent).toHaveLength(4)
  expect(asked.filter((refused) => refused === 'old')).toHaveLength(1)
})

test.each([
  ['a fixed token', 'fixed', 1],
  ['a source that has no other', () => 'same', 1],
  ['a source whose next token is refused too', (refused?: string) => `${refused}+`, 2],
])('%s: the 401 is the answer', async (_, accessToken, tries) => {
  const { client, sent } = clientOf([problem(401, 'invalid_token')], { credential: { accessToken } })
  await expect(client.memory.retrieve('mem_1')).rejects.toThrow(AuthenticationError)
  expect(sent).toHaveLength(tries)
})

test('a redirect is not followed: the other host would get the key', async () => {
  const { client, sent } = clientOf([new Response(null, { status: 302, headers: { Location: 'http://evil.test/' } })])
  await expect(client.memory.retrieve('mem_1')).rejects.toMatchObject({ status: 302 })
  expect(sent[0]?.redirect).toBe('manual')
})

test.each(['', '.', '..'])('an id that is "%s" calls no other operation', async (id) => {
  const { client, sent } = clientOf([json({})])
  await expect(Promise.resolve().then(() => client.me.endSession(id))).rejects.toThrow(TypeError)
  await expect(
    Promise.resolve().then(() => client.request('DELETE', '/v1/sessions/{id}', { path: { id } })),
  ).rejects.toThrow(TypeError)
  expect(sent).toEqual([])
})

test('an id keeps to its place in the path, and a query is encoded', async () => {
  const { client, sent } = clientOf([json({ data: [], next_cursor: null })])
  await client.projects.retrieve('../../v1/api-keys?x#y')
  expect(sent[0]?.url).toBe('http://service.test/v1/projects/..%2F..%2Fv1%2Fapi-keys%3Fx%23y')
  await client.memory.list({ tags: ['a&b', 'c'], namespaces: undefined as never, limit: 5 })
  expect(sent[1]?.url).toBe('http://service.test/v1/memory/items?tags=a%26b&tags=c&limit=5')
})
