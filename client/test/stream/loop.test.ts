import { expect, test } from 'vitest'
import { ConflictError, type EventMessage } from '../../src/index.ts'
import { EventQueue } from '../../src/stream/event-queue.ts'
import type { SocketLike } from '../../src/stream/socket.ts'
import { EventStream } from '../../src/stream/event-stream.ts'
import { until } from '../../../test/support/until.ts'

type Listener = (event: { data: unknown; code: number }) => void

/** A stream that nobody calls back, over lines that the test feeds. */
function looped(signal?: AbortSignal) {
  const lines: { url: URL; sent: unknown[]; say(message: unknown): void; end(code: number): void }[] = []
  const stream = new EventStream<EventMessage>(
    { channels: ['memory'], ...(signal ? { signal } : {}) },
    {
      url: 'wss://service.example/realtime',
      token: async () => 'rck_x',
      open: (url): SocketLike => {
        const listeners: Partial<Record<string, Listener>> = {}
        const sent: unknown[] = []
        lines.push({
          url: new URL(url),
          sent,
          say: (message) => listeners['message']?.({ data: JSON.stringify(message), code: 0 }),
          end: (code) => listeners['close']?.({ data: null, code }),
        })
        return {
          send: (text) => sent.push(JSON.parse(text)),
          close: () => {},
          addEventListener: (type: string, listener: Listener) => (listeners[type] = listener),
        }
      },
      sleep: async () => {},
      random: () => 0,
    },
  )
  const line = async (index: number) => {
    await until(() => expect(lines.length).toBeGreaterThan(index))
    return lines[index]!
  }
  return { stream, lines, line, loop: stream[Symbol.asyncIterator]() }
}

const first = (id: string) => ({ id, type: 'system.status', data: { recovered: true } })
const event = (n: number) => ({ id: `evt_${n}`, type: 'memory.created', data: {} })

test('a loop acknowledges what it has handled, and not what waits', async () => {
  const { stream, line, loop } = looped()
  const only = await line(0)
  only.say(first('evt_first'))
  for (let n = 1; n <= 150; n += 1) only.say(event(n))
  expect(only.sent).toEqual([])
  for (let n = 1; n <= 100; n += 1) expect((await loop.next()).value?.id).toBe(`evt_${n}`)
  // With the first frame, and without the event that the loop has in hand.
  expect(only.sent).toEqual([{ type: 'ack', received: 100 }])
  stream.close()
})

test('lastEventId is that of the last event that the loop has handled', async () => {
  const { stream, line, loop } = looped()
  const only = await line(0)
  only.say(first('evt_first'))
  expect(stream.lastEventId).toBe('evt_first')
  for (const n of [1, 2]) only.say(event(n))
  await loop.next()
  expect(stream.lastEventId).toBe('evt_first')
  await loop.next()
  expect(stream.lastEventId).toBe('evt_1')
  stream.close()
})

test('an event that came late moves lastEventId not back', async () => {
  const { stream, line, loop } = looped()
  const only = await line(0)
  for (const message of [first('evt_first'), event(5), event(3), event(6)]) only.say(message)
  const seen: (string | null)[] = []
  for (let n = 0; n < 3; n += 1) {
    await loop.next()
    seen.push(stream.lastEventId)
  }
  expect(seen).toEqual(['evt_first', 'evt_5', 'evt_5'])
  stream.close()
})

test('a new line is opened once all is handled, and resumes after what came', async () => {
  const { stream, lines, line, loop } = looped()
  const before = await line(0)
  before.say(first('evt_first'))
  for (const n of [1, 2]) before.say(event(n))
  before.end(1013)
  await loop.next()
  await loop.next()
  expect(lines).toHaveLength(1)
  const next = loop.next()
  const after = await line(1)
  expect(after.url.searchParams.get('last_event_id')).toBe('evt_2')
  for (const message of [first('evt_again'), event(2), event(3)]) after.say(message)
  expect((await next).value?.id).toBe('evt_3')
  stream.close()
})

test('leaving the loop closes the stream', async () => {
  const { stream, lines, line } = looped()
  const only = await line(0)
  for (const message of [first('evt_first'), event(1), event(2)]) only.say(message)
  for await (const { id } of stream) if (id === 'evt_1') break
  only.end(1006)
  expect((await stream[Symbol.asyncIterator]().next()).done).toBe(false)
  expect(lines).toHaveLength(1)
})

test('a stream that the service ends for good ends its loop with the reason, after what came', async () => {
  const { line, loop } = looped()
  const only = await line(0)
  for (const message of [first('evt_first'), event(1)]) only.say(message)
  only.end(4409)
  expect((await loop.next()).value?.id).toBe('evt_1')
  const failure = await loop.next().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ConflictError)
  expect(failure).toMatchObject({ code: 'stream_ended', message: 'another connection with this client_id took over' })
})

test('a signal ends the loop, and before it began as well', async () => {
  const controller = new AbortController()
  const { line, loop } = looped(controller.signal)
  const only = await line(0)
  only.say(first('evt_first'))
  const next = loop.next()
  controller.abort()
  expect((await next).done).toBe(true)
  const { loop: none, lines } = looped(controller.signal)
  expect((await none.next()).done).toBe(true)
  expect(lines).toEqual([])
})

test('a queue hands out what it holds, then its end or its failure', async () => {
  const queue = new EventQueue<number>()
  const waiting = queue.next()
  queue.push(1)
  expect(await waiting).toBe(1)
  expect(await queue.next()).toBe(1)
  queue.end(new Error('over'))
  queue.end()
  expect(await queue.next()).toBe(1)
  queue.shift()
  await expect(queue.next()).rejects.toThrow('over')
})
