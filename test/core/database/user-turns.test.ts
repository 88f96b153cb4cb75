import { expect, test, vi } from 'vitest'
import { MAX_HEAVY_CALLS_OF_USER, UserTurns } from '../../../src/core/database/user-turns.ts'
import { travel } from '../../support/clock.ts'
import { fakeTimers } from '../../support/fake-timers.ts'

/** Calls of users that run until they are told to end. */
function calls() {
  fakeTimers('setTimeout')
  travel(0)
  const turns = new UserTurns()
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const call = (user: string, name: string, isHeavy: boolean) =>
    turns.run(user, isHeavy, () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 5) {
      travel(5)
      await vi.advanceTimersByTimeAsync(5)
    }
  }
  return { started, call, pass, end: (name: string) => ends.get(name)?.() }
}

test('contract §6: a user has two heavy reads at once, and no other call waits for them', async () => {
  const { started, call, pass, end } = calls()
  const heavy = ['a', 'b', 'c', 'd'].map((name) => call('one', name, true))
  const others = [call('one', 'brief', false), call('another', 'other', true)]
  await pass(20)
  expect(started).toEqual(['a', 'b', 'brief', 'other'])
  end('a')
  await pass(20)
  expect(started).toEqual(['a', 'b', 'brief', 'other', 'c'])
  for (const name of ['b', 'brief', 'other', 'c']) end(name)
  await pass(20)
  end('d')
  expect(await Promise.all([...heavy, ...others])).toEqual(['a', 'b', 'c', 'd', 'brief', 'other'])
})

test('contract §6: a heavy read that waits for two seconds is 503, and did nothing', async () => {
  const { started, call, pass, end } = calls()
  const running = Array.from({ length: MAX_HEAVY_CALLS_OF_USER }, (_, at) => call('one', `${at}`, true))
  const refused = call('one', 'late', true).catch((error: unknown) => error)
  await pass(1_990)
  expect(started).toEqual(['0', '1'])
  await pass(20)
  expect(await refused).toMatchObject({ code: 'dependency_unavailable', headers: { 'Retry-After': '1' } })
  for (const name of ['0', '1']) end(name)
  expect(await Promise.all(running)).toEqual(['0', '1'])
  expect(started).toEqual(['0', '1'])
})
