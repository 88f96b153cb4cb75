import { expect, test, vi } from 'vitest'
import { errorOf, problemOf } from '../../src/errors.ts'
import { fakeTimers } from '../../../test/support/fake-timers.ts'
import { until } from '../../../test/support/until.ts'
import { closing, event, first, service } from './stream-service.ts'

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

test('it resumes from the newest event, although an older one came last', async () => {
  const { stream, received, line } = service()
  const before = await line(0)
  // The fan-out of the older one lagged behind.
  for (const message of [first('evt_2'), event('evt_5'), event('evt_3')]) before.say(message)
  expect({ received, last: stream.lastEventId }).toEqual({ received: ['evt_5', 'evt_3'], last: 'evt_5' })
  before.end(1006)
  const after = await line(1)
  expect(after.url.searchParams.get('last_event_id')).toBe('evt_5')
  // The first frame resumes from there too. What is older than that is no progress, what is newer is.
  for (const message of [first('evt_9', true), event('evt_4')]) after.say(message)
  expect(stream.lastEventId).toBe('evt_9')
  after.say(event('evt_6'))
  expect({ received, last: stream.lastEventId }).toEqual({
    received: ['evt_5', 'evt_3', 'evt_4', 'evt_6'],
    last: 'evt_6',
  })
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
  [4403, 'the permission to listen was lost'],
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

test('a credential that is refused before the upgrade ends the stream, and a line that is down does not', async () => {
  const answers = [new TypeError('fetch failed'), errorOf(problemOf('invalid_token', 'ended', 401))]
  const probe = async () => {
    throw answers.shift()
  }
  const { stopped, lines, line } = service({}, () => 'rcs_x', probe)
  const refused = await line(0)
  refused.end(1006)
  const again = await line(1)
  again.end(1006)
  await until(() => expect(stopped).toHaveLength(1))
  expect({ connections: lines.length, left: answers }).toEqual({ connections: 2, left: [] })
})

test('a connection without a first frame in 30 s counts as lost', async () => {
  fakeTimers('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval')
  const { stream, lines } = service()
  await vi.advanceTimersByTimeAsync(0)
  expect(lines).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(29_999)
  expect(lines).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(lines).toHaveLength(2)
  stream.close()
})

test('25 s after the first frame it pings; without a message in 10 s it opens a new line and resumes, and with a pong it stays', async () => {
  fakeTimers('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval')
  const { stream, lines } = service()
  await vi.advanceTimersByTimeAsync(0)
  const [only] = lines
  only?.say(first('evt_1'))
  await vi.advanceTimersByTimeAsync(24_999)
  expect(only?.sent).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(only?.sent).toEqual([{ type: 'ping' }])
  await vi.advanceTimersByTimeAsync(9_999)
  only?.say({ type: 'pong' })
  await vi.advanceTimersByTimeAsync(15_001)
  expect({ sent: only?.sent, closed: only?.closed, lines: lines.length }).toEqual({
    sent: [{ type: 'ping' }, { type: 'ping' }],
    closed: [],
    lines: 1,
  })
  await vi.advanceTimersByTimeAsync(9_999)
  expect(only?.closed).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect({ closed: only?.closed, lines: lines.length }).toEqual({ closed: [4000], lines: 2 })
  expect(lines[1]?.url.searchParams.get('last_event_id')).toBe('evt_1')
  await vi.advanceTimersByTimeAsync(29_000)
  expect(only?.sent).toHaveLength(2)
  stream.close()
})
