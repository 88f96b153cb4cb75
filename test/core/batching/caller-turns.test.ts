import { expect, test } from 'vitest'
import { CallerTurns } from '../../../src/core/batching/caller-turns.ts'
import { travel } from '../../support/clock.ts'
import { until } from '../../support/until.ts'

const LOST_MS = 15_000
const refused = () => new Error('too many')

/** Calls that run until they are told to end. */
function calls(turns: CallerTurns, deadlineMs = 10_000) {
  const started: number[] = []
  const ends = new Map<number, () => void>()
  const call = (caller: string, number: number) =>
    turns.run(
      caller,
      deadlineMs,
      () => {
        started.push(number)
        return new Promise<number>((resolve) => ends.set(number, () => resolve(number)))
      },
      refused,
    )
  return { started, call, end: (number: number) => ends.get(number)?.() }
}

test('a caller has so many calls under way, the others wait in their order, and another caller waits for none of them', async () => {
  const { started, call, end } = calls(new CallerTurns({ running: 2, waiting: 10, lostMs: LOST_MS }))
  const all = [1, 2, 3, 4, 5].map((number) => call('one', number))
  const other = call('other', 6)
  expect(started).toEqual([1, 2, 6])
  end(1)
  await until(() => expect(started).toEqual([1, 2, 6, 3]))
  end(2)
  await until(() => expect(started).toEqual([1, 2, 6, 3, 4]))
  end(3)
  await until(() => expect(started).toEqual([1, 2, 6, 3, 4, 5]))
  for (const number of [4, 5, 6]) end(number)
  expect(await Promise.all([...all, other])).toEqual([1, 2, 3, 4, 5, 6])
})

test('a caller with too many calls is turned away, and one that waits too long as well; others are not', async () => {
  const { started, call, end } = calls(new CallerTurns({ running: 1, waiting: 1, lostMs: LOST_MS }), 20)
  const first = call('one', 1)
  const waiting = call('one', 2)
  await expect(call('one', 3)).rejects.toThrow('too many')
  await expect(waiting).rejects.toThrow('too many')
  const other = call('other', 4)
  expect(started).toEqual([1, 4])
  const again = call('one', 5)
  end(1)
  await until(() => expect(started).toEqual([1, 4, 5]))
  for (const number of [4, 5]) end(number)
  expect(await Promise.all([first, other, again])).toEqual([1, 4, 5])
})

test('a call that fails gives its turn back', async () => {
  const turns = new CallerTurns({ running: 1, waiting: 1, lostMs: LOST_MS })
  for (let n = 0; n < 3; n++)
    await expect(turns.run('one', 10, () => Promise.reject(new Error('down')), refused)).rejects.toThrow('down')
  await expect(turns.run('one', 10, async () => 'up', refused)).resolves.toBe('up')
})

test('the call of a request that died takes no turn for good', async () => {
  const { started, call, end } = calls(new CallerTurns({ running: 1, waiting: 5, lostMs: LOST_MS }))
  void call('one', 1)
  const next = call('one', 2)
  expect(started).toEqual([1])
  travel(LOST_MS)
  await until(() => expect(started).toEqual([1, 2]))
  end(2)
  expect(await next).toBe(2)
})

test('of two calls that meet a turn of a dead request, one takes it', async () => {
  travel(0)
  const { started, call, end } = calls(new CallerTurns({ running: 1, waiting: 5, lostMs: LOST_MS }))
  void call('one', 1)
  travel(LOST_MS)
  const both = [call('one', 2), call('one', 3)]
  await until(() => expect(started).toContain(2))
  expect(started).toEqual([1, 2])
  end(2)
  await until(() => expect(started).toEqual([1, 2, 3]))
  end(3)
  expect(await Promise.all(both)).toEqual([2, 3])
})

test('where none may wait, one call too many is turned away at once, and a sign of life keeps a turn', async () => {
  travel(0)
  const turns = new CallerTurns({ running: 1, waiting: 0, lostMs: LOST_MS })
  let live = () => {}
  let end = () => {}
  const long = turns.run(
    'one',
    0,
    (alive) => {
      live = alive
      return new Promise<string>((resolve) => (end = () => resolve('long')))
    },
    refused,
  )
  const next = () => turns.run('one', 0, async () => 'next', refused)
  await expect(next()).rejects.toThrow('too many')
  travel(LOST_MS - 1)
  live()
  travel(LOST_MS - 1)
  await expect(next()).rejects.toThrow('too many')
  travel(1)
  expect(await next()).toBe('next')
  end()
  expect(await long).toBe('long')
})
