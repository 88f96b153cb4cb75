import { expect, test } from 'vitest'
import { until } from '../../../test/support/until.ts'
import { event, first, service } from './stream-service.ts'

const fail = () => {
  throw new Error('the disk is full')
}

test.each([
  ['throws', () => fail()],
  ['rejects', () => Promise.reject(new Error('the disk is full'))],
])('an onEvent that %s ends the stream before its event, which a new stream gets again', async (_, failing) => {
  const failures: unknown[] = []
  const handled: string[] = []
  const { stream, stopped, lines, line } = service({
    onEvent: ({ id }) => (id === 'evt_2' ? failing() : void handled.push(id)),
    onStopped: (reason, failure) => {
      stopped.push(reason)
      failures.push(failure)
    },
  })
  const only = await line(0)
  for (const message of [first('evt_0'), event('evt_1'), event('evt_2')]) only.say(message)
  await until(() => expect(stopped).toEqual(['a callback failed: Error: the disk is full']))
  only.say(event('evt_3'))
  only.end(1006)
  expect({ failures, closed: only.closed, lines: lines.length }).toEqual({
    failures: [new Error('the disk is full')],
    closed: [1000],
    lines: 1,
  })
  expect({ handled, last: stream.lastEventId }).toEqual({ handled: ['evt_1'], last: 'evt_1' })

  const again = service(stream.lastEventId === null ? {} : { lastEventId: stream.lastEventId })
  const next = await again.line(0)
  expect(next.url.searchParams.get('last_event_id')).toBe('evt_1')
  for (const message of [first('evt_4', true), event('evt_2')]) next.say(message)
  expect(again.received).toEqual(['evt_2'])
  again.stream.close()
})

test('without onStopped the failure of a callback is uncaught, and the position stays', async () => {
  const { stream, line } = service({ onEvent: fail, onStopped: null })
  const only = await line(0)
  only.say(first('evt_0'))
  expect(() => only.say(event('evt_1'))).toThrow('the disk is full')
  expect({ last: stream.lastEventId, closed: only.closed }).toEqual({ last: 'evt_0', closed: [1000] })
})

test('an onConnected that throws ends the stream, and an onDisconnected that throws does not', async () => {
  const connecting = service({ onConnected: fail })
  const only = await connecting.line(0)
  only.say(first('evt_0'))
  expect(connecting.stopped).toEqual(['a callback failed: Error: the disk is full'])
  const losing = service({ onDisconnected: fail })
  const lost = await losing.line(0)
  lost.say(first('evt_0'))
  expect(() => lost.end(1006)).toThrow('the disk is full')
  await losing.line(1)
  losing.stream.close()
})

test('events of promises are handled in order: the position, the acknowledgement and a new line wait for the first', async () => {
  const tasks: PromiseWithResolvers<void>[] = []
  const { stream, lines, line } = service({
    onEvent: () => {
      tasks.push(Promise.withResolvers())
      return tasks.at(-1)?.promise
    },
  })
  const only = await line(0)
  only.say(first('evt_0'))
  for (let n = 101; n <= 220; n += 1) only.say(event(`evt_${n}`))
  // All are under way at once.
  expect(tasks).toHaveLength(120)
  for (const { resolve } of tasks.slice(1)) resolve()
  await tasks[119]?.promise
  expect({ last: stream.lastEventId, sent: only.sent }).toEqual({ last: 'evt_0', sent: [] })
  only.end(1006)
  expect(lines).toHaveLength(1)
  tasks[0]?.resolve()
  const next = await line(1)
  expect(next.url.searchParams.get('last_event_id')).toBe('evt_220')
  expect(stream.lastEventId).toBe('evt_220')
  stream.close()
})

test('what a promise brings to its end after the stream was closed still counts', async () => {
  const task = Promise.withResolvers<void>()
  const { stream, line } = service({ onEvent: () => task.promise })
  const only = await line(0)
  for (const message of [first('evt_0'), event('evt_1')]) only.say(message)
  stream.close()
  expect(stream.lastEventId).toBe('evt_0')
  task.resolve()
  await until(() => expect(stream.lastEventId).toBe('evt_1'))
})
