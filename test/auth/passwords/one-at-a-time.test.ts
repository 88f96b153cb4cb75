import { expect, test } from 'vitest'
import { oneAtATime } from '../../../src/auth/passwords/one-at-a-time.ts'

test('works run one after the other, in order; one that fails holds nobody up', async () => {
  const alone = oneAtATime(10, () => new Error('full'))
  const log: string[] = []
  const work = (name: string, fails = false) =>
    alone(async () => {
      log.push(`${name} in`)
      await Promise.resolve()
      log.push(`${name} out`)
      if (fails) throw new Error(name)
    })
  const [, second] = await Promise.allSettled([work('a'), work('b', true), work('c')])
  expect(second?.status).toBe('rejected')
  expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
})

test('one too many in line is refused at once, and has a place once the line is shorter', async () => {
  const alone = oneAtATime(2, () => new Error('full'))
  const started = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const first = alone(() => {
    started.resolve()
    return done.promise
  })
  await started.promise
  const waiting = [alone(async () => 1), alone(async () => 2)]
  await expect(alone(async () => 3)).rejects.toThrow('full')
  done.resolve()
  await first
  expect(await Promise.all(waiting)).toEqual([1, 2])
  expect(await alone(async () => 4)).toBe(4)
})
