import { expect, test } from 'vitest'
import { EventStream, type ListenOptions, type SocketLike } from '../../src/client/stream.ts'
import { until } from '../support/until.ts'

type Listener = (event: { data: unknown; code: number }) => void

/** A service whose messages the test sends; each connection of the client is a line. */
function service(options: Partial<ListenOptions> = {}) {
  const lines: {
    url: URL
    protocols: string[]
    sent: unknown[]
    say(message: unknown): void
    end(code: number): void
  }[] = []
  const open = (url: string, protocols: string[]): SocketLike => {
    const listeners: Partial<Record<string, Listener>> = {}
    const sent: unknown[] = []
    lines.push({
      url: new URL(url),
      protocols,
      sent,
      say: (message) => listeners['message']?.({ data: JSON.stringify(message), code: 0 }),
      end: (code) => listeners['close']?.({ data: null, code }),
    })
    return {
      send: (text) => sent.push(JSON.parse(text)),
      close: () => {},
      addEventListener: (type: string, listener: Listener) => {
        listeners[type] = listener
      },
    }
  }
  const received: string[] = []
  const connected: { missed: boolean }[] = []
  const stream = new EventStream(
    {
      channels: ['memory', 'conversation'],
      onEvent: ({ id }) => received.push(id),
      onConnected: (state) => connected.push(state),
      ...options,
    },
    { url: 'wss://service.example/realtime', token: async () => 'rcs_x', open, sleep: async () => {}, random: () => 0 },
  )
  const line = async (index: number) => {
    await until(() => expect(lines.length).toBeGreaterThan(index))
    return lines[index]!
  }
  return { stream, received, connected, line }
}

const first = (id: string, recovered = false) => ({ id, type: 'system.status', data: { recovered, replayed: 0 } })
const event = (id: string) => ({ id, type: 'memory.created', data: {} })

test('it asks for its channels, and carries its token in the subprotocol, not in the URL', async () => {
  const { stream, line } = service({ clientId: 'desk' })
  const { url, protocols } = await line(0)
  expect(url.href).toBe('wss://service.example/realtime?channels=memory%2Cconversation&client_id=desk')
  expect(protocols).toEqual(['recollect', 'bearer.rcs_x'])
  stream.close()
})

test('after a lost connection it resumes from the last id, first frames included, and delivers no event twice', async () => {
  const { stream, received, connected, line } = service()
  const before = await line(0)
  before.say(first('evt_0'))
  before.end(1006)
  const between = await line(1)
  expect(between.url.searchParams.get('last_event_id')).toBe('evt_0')
  for (const message of [first('evt_1', true), event('evt_2'), event('evt_2'), event('evt_3')]) between.say(message)
  between.end(1013)
  const after = await line(2)
  expect(after.url.searchParams.get('last_event_id')).toBe('evt_3')
  for (const message of [first('evt_4', true), event('evt_3'), event('evt_5')]) after.say(message)
  expect(received).toEqual(['evt_2', 'evt_3', 'evt_5'])
  expect(connected.map(({ missed }) => missed)).toEqual([false, false, false])
  expect(stream.lastEventId).toBe('evt_5')
  stream.close()
})

test('it reports lost events that cannot be replayed', async () => {
  const { stream, connected, line } = service({ lastEventId: 'evt_of_last_week' })
  const only = await line(0)
  expect(only.url.searchParams.get('last_event_id')).toBe('evt_of_last_week')
  only.say(first('evt_1', false))
  expect(connected).toEqual([{ recovered: false, replayed: 0, missed: true }])
  stream.close()
})

test('it acknowledges every hundred messages, counting those with an id', async () => {
  const { stream, line } = service()
  const only = await line(0)
  only.say(first('evt_0'))
  only.say({ type: 'pong' })
  for (let n = 1; n < 200; n += 1) only.say(event(`evt_${n}`))
  expect(only.sent).toEqual([
    { type: 'ack', received: 100 },
    { type: 'ack', received: 200 },
  ])
  stream.close()
})

test('once closed it receives nothing and does not reconnect', async () => {
  const stopped: string[] = []
  const { stream, received, line } = service({ onStopped: (reason) => stopped.push(reason) })
  const only = await line(0)
  only.say(first('evt_0'))
  stream.close()
  only.say(event('evt_1'))
  only.end(1000)
  expect(received).toEqual([])
  expect(stopped).toEqual(['closed by the client'])
})
