import { expect, test } from 'vitest'
import { EventStream, type ListenOptions, type SocketLike } from '../../src/client/stream.ts'
import { until } from '../support/until.ts'

type Listener = (event: { data: unknown; code: number }) => void

/** A service whose messages the test sends; each connection of the client is a line. */
function service(options: Partial<ListenOptions> = {}, token: () => string = () => 'rcs_x') {
  const lines: {
    url: URL
    protocols: string[]
    sent: unknown[]
    /** Codes with which the client has closed. */
    closed: (number | undefined)[]
    say(message: unknown): void
    end(code: number): void
  }[] = []
  const open = (url: string, protocols: string[]): SocketLike => {
    const listeners: Partial<Record<string, Listener>> = {}
    const sent: unknown[] = []
    const closed: (number | undefined)[] = []
    lines.push({
      url: new URL(url),
      protocols,
      sent,
      closed,
      say: (message) => listeners['message']?.({ data: JSON.stringify(message), code: 0 }),
      end: (code) => listeners['close']?.({ data: null, code }),
    })
    return {
      send: (text) => sent.push(JSON.parse(text)),
      close: (code) => closed.push(code),
      addEventListener: (type: string, listener: Listener) => {
        listeners[type] = listener
      },
    }
  }
  const received: string[] = []
  const connected: { missed: boolean }[] = []
  const stopped: string[] = []
  const waits: number[] = []
  const stream = new EventStream(
    {
      channels: ['memory', 'conversation'],
      onEvent: ({ id }) => received.push(id),
      onConnected: (state) => connected.push(state),
      onStopped: (reason) => stopped.push(reason),
      ...options,
    },
    {
      url: 'wss://service.example/realtime',
      token: async () => token(),
      open,
      sleep: async (ms) => void waits.push(ms),
      random: () => 0,
    },
  )
  const line = async (index: number) => {
    await until(() => expect(lines.length).toBeGreaterThan(index))
    return lines[index]!
  }
  return { stream, received, connected, stopped, waits, lines, line }
}

const first = (id: string, recovered = false) => ({ id, type: 'system.status', data: { recovered, replayed: 0 } })
const closing = (id: string, code: number) => ({
  id,
  type: 'system.status',
  data: { state: 'closing', code, reason: 'why' },
})
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

test.each([
  [4403, 'the right to listen is lost'],
  [4409, 'another connection with this client_id took over'],
])('on a closing frame with %i it closes its side at once and stays closed', async (code, reason) => {
  const { stopped, received, waits, lines, line } = service()
  const only = await line(0)
  for (const message of [first('evt_0'), event('evt_1'), closing('evt_2', code)]) only.say(message)
  expect({ closed: only.closed, stopped }).toEqual({ closed: [1000], stopped: [reason] })
  only.say(event('evt_3'))
  only.end(code)
  expect({ received, stopped, waits, lines: lines.length }).toEqual({
    received: ['evt_1'],
    stopped: [reason],
    waits: [],
    lines: 1,
  })
})

test.each([1013, 4413, 4429])(
  'on a closing frame with %i it comes back after a pause, from the id of that frame',
  async (code) => {
    const { stream, received, waits, line } = service()
    const before = await line(0)
    for (const message of [first('evt_0'), event('evt_1'), closing('evt_2', code)]) before.say(message)
    expect({ closed: before.closed, waits }).toEqual({ closed: [1000], waits: [250] })
    before.end(1006)
    const after = await line(1)
    expect(after.url.searchParams.get('last_event_id')).toBe('evt_2')
    for (const message of [first('evt_3', true), event('evt_1'), event('evt_4')]) after.say(message)
    expect({ received, waits }).toEqual({ received: ['evt_1', 'evt_4'], waits: [250] })
    stream.close()
  },
)

test('after 4401 it comes back with a fresh token, and not with the token that ended', async () => {
  const tokens = ['rca_1', 'rca_2', 'rca_2']
  const { stopped, lines, line } = service({}, () => tokens.shift() ?? '')
  const expired = await line(0)
  for (const message of [first('evt_0'), closing('evt_1', 4401)]) expired.say(message)
  const fresh = await line(1)
  expect(fresh.protocols).toEqual(['recollect', 'bearer.rca_2'])
  for (const message of [first('evt_2', true), closing('evt_3', 4401)]) fresh.say(message)
  await until(() => expect(stopped).toEqual(['the credential has ended']))
  expect(lines).toHaveLength(2)
})

test('an event of another type or without a code is no closing frame', async () => {
  const { stream, received, line } = service()
  const only = await line(0)
  only.say(first('evt_0'))
  only.say({ ...closing('evt_1', 4409), type: 'system.notification' })
  only.say({ ...closing('evt_2', 4409), data: { state: 'closing' } })
  expect({ received, closed: only.closed }).toEqual({ received: ['evt_1', 'evt_2'], closed: [] })
  stream.close()
})
