import { expect, test } from 'vitest'
import { oneAtATime } from '../../../src/auth/passwords/one-at-a-time.ts'

test('work runs one at a time, in order; a failure does not stop the next', async () => {
  const inTurn = oneAtATime(10, () => new Error('full'))
  const log: string[] = []
  const work = (name: string, fails = false) =>
    inTurn(async () => {
      log.push(`${name} in`)
      await Promise.resolve()
      log.push(`${name} out`)
      if (fails) throw new Error(name)
    })
  const [, second] = await Promise.allSettled([work('a'), work('b', true), work('c')])
  expect(second?.status).toBe('rejected')
  expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
})

test('one too many is refused at once, and is accepted once fewer wait', async () => {
  const inTurn = oneAtATime(2, () => new Error('full'))
  const started = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const first = inTurn(() => {
    started.resolve()
    return done.promise
  })
  await started.promise
  const waiting = [inTurn(async () => 1), inTurn(async () => 2)]
  await expect(inTurn(async () => 3)).rejects.toThrow('full')
  done.resolve()
  await first
  expect(await Promise.all(waiting)).toEqual([1, 2])
  expect(await inTurn(async () => 4)).toBe(4)
})
