/** @module-tag long */
import { expect, test, vi } from 'vitest'
import {
  AuthenticationError,
  InvalidRequestError,
  PermissionError,
  Recollect,
  type SocketLike,
} from '../../src/index.ts'
import type { ListenOptions } from '../../src/stream/listen-options.ts'
import { ConnectQuery } from '../../../src/events/sockets/connect.ts'
import { until } from '../../../test/support/until.ts'
import { clientOf, json, lost, problem } from '../support.ts'

/** A socket that closes before its first frame, as one that is refused before the upgrade. */
function refused(): SocketLike {
  return {
    send: () => {},
    close: () => {},
    addEventListener: (type: string, listener: (event: { data: unknown; code: number }) => void) => {
      if (type === 'close') queueMicrotask(() => listener({ data: null, code: 1006 }))
    },
  }
}

/** Waits no time, and after 20 waits for ever: a stream that never ends fails its test, and does not hang it. */
function bounded(): () => Promise<void> {
  let waits = 0
  return () => new Promise((resolve) => (waits++ < 20 ? resolve() : undefined))
}

/** Listens until the stream ends; how often it opened a socket, and what it asked over HTTP. */
async function listen(
  options: Partial<ListenOptions>,
  steps: Parameters<typeof clientOf>[0] = [json({ data: [] })],
  open: () => SocketLike = refused,
) {
  let opened = 0
  const { client, sent } = clientOf(steps, {
    sleep: bounded(),
    openSocket: () => {
      opened += 1
      return open()
    },
  })
  const ends: { reason: string; failure: unknown }[] = []
  const onStopped = (reason: string, failure?: unknown) => void ends.push({ reason, failure })
  const stream = client.events.listen({ channels: ['memory'], ...options, onStopped })
  await until(() => expect(ends).toHaveLength(1))
  const failure: unknown = await stream[Symbol.asyncIterator]()
    .next()
    .catch((error: unknown) => error)
  expect(failure).toBe(ends[0]?.failure)
  return { failure, reason: ends[0]?.reason, opened, paths: sent.map(({ url }) => new URL(url).pathname) }
}

const SUBSCRIPTIONS = '/api/events/subscriptions'
const ITEMS = '/v1/memory/items'

test.each([
  ['a channel', { channels: ['Memory'] }, 'channels cannot be "Memory".'],
  ['no channel', { channels: [] }, 'channels cannot be "".'],
  ['a client id', { clientId: 'two words' }, 'client_id cannot be "two words".'],
  ['a position', { lastEventId: '' }, 'last_event_id cannot be "".'],
])('a stream with %s that the service would refuse ends before it connects', async (_, options, message) => {
  const { failure, reason, opened, paths } = await listen(options)
  expect(failure).toBeInstanceOf(InvalidRequestError)
  expect(failure).toMatchObject({ status: 422, code: 'stream_ended', message })
  expect(reason).toContain(message)
  expect({ opened, paths }).toEqual({ opened: 0, paths: [] })
})

const names = (count: number) => Array.from({ length: count }, (_, n) => `c${n}`).join()
test.each([
  ...['memory', 'a', 'a-1,b', '', 'A', '1a', 'a,', ',a', 'a b', 'ä', names(32), names(33)].map((channels) => ({
    channels,
  })),
  ...['a'.repeat(64), 'a'.repeat(65), 'memory\n'].map((channels) => ({ channels })),
  ...['!~', '', ' ', 'ä', '\x7f', 'a'.repeat(128), 'a'.repeat(129)].map((client_id) => ({ client_id })),
  ...['evt_1', '', 'a b', 'a'.repeat(64), 'a'.repeat(65)].map((last_event_id) => ({ last_event_id })),
])('the client connects with what the service takes, and with nothing else: %j', async (given) => {
  const query: { channels: string; client_id?: string; last_event_id?: string } = { channels: 'memory', ...given }
  const { client } = clientOf([problem(401, 'invalid_token')], { openSocket: refused, sleep: bounded() })
  const statuses: unknown[] = []
  client.events.listen({
    channels: query.channels.split(','),
    ...(query.client_id === undefined ? {} : { clientId: query.client_id }),
    ...(query.last_event_id === undefined ? {} : { lastEventId: query.last_event_id }),
    onStopped: (_, failure) => void statuses.push((failure as { status?: number }).status),
  })
  await until(() => expect(statuses).toEqual([ConnectQuery.safeParse(query).success ? 401 : 422]))
})

test('a credential without read:memory ends a stream of memory with the error of 403, and needs it for nothing else', async () => {
  const steps = [json({ data: [] }), problem(403, 'insufficient_scope')]
  const ended = await listen({ channels: ['conversation', 'memory'] }, steps)
  expect(ended.failure).toBeInstanceOf(PermissionError)
  expect(ended.failure).toMatchObject({ status: 403, code: 'insufficient_scope', requestId: 'req_1' })
  expect({ opened: ended.opened, paths: ended.paths }).toEqual({ opened: 1, paths: [SUBSCRIPTIONS, ITEMS] })

  const other = await listen({ channels: ['conversation'] }, steps)
  expect(other.paths).toEqual([SUBSCRIPTIONS, SUBSCRIPTIONS])
})

test.each([
  [401, 'invalid_token', AuthenticationError],
  [403, 'insufficient_scope', PermissionError],
])('a refusal with %i before the upgrade is the error of this status', async (status, code, Family) => {
  const { failure, reason } = await listen({}, [problem(status, code)])
  expect(failure).toBeInstanceOf(Family)
  expect(failure).toMatchObject({ status, code })
  expect(reason).toContain(`It is ${code}.`)
})

test('what is no refusal of the credential does not end the stream: no default project, a limit, a line that is down', async () => {
  const ok = json({ data: [] })
  const steps = [ok, problem(422, 'no_default_project'), problem(429, 'rate_limited'), lost(), problem(401, 'ended')]
  const { failure, opened } = await listen({}, steps)
  expect(failure).toMatchObject({ status: 401 })
  expect(opened).toBe(4)
})

test.each([
  ['throws', () => () => fail()],
  ['rejects', () => async () => fail()],
])('an openSocket that %s ends the stream with its failure, at once', async (_, opening) => {
  const stopped: unknown[] = []
  const sleep = vi.fn(bounded())
  const client = new Recollect({
    baseUrl: 'http://service.test',
    credential: { apiKey: 'rck_x' },
    openSocket: opening(),
    sleep,
  })
  const stream = client.events.listen({ channels: ['memory'], onStopped: (...end) => void stopped.push(end) })
  await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow("Cannot find package 'ws'")
  expect(stopped).toEqual([
    ["it cannot connect: Error: Cannot find package 'ws'", new Error("Cannot find package 'ws'")],
  ])
  expect(sleep).not.toHaveBeenCalled()
})

function fail(): never {
  throw new Error("Cannot find package 'ws'")
}
