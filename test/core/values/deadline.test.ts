import { expect, test } from 'vitest'
import { within } from '../../../src/core/values/deadline.ts'

const late = () => new Error('late')

test('work that answers in time is answered, its error passed on', async () => {
  expect(await within(10_000, Promise.resolve('done'), late)).toBe('done')
  await expect(within(10_000, Promise.reject(new Error('broken')), late)).rejects.toThrow('broken')
})

test('past the deadline the error is `late`, and what the work does then disturbs nobody', async () => {
  const { promise: work, reject } = Promise.withResolvers<never>()
  await expect(within(10, work, late)).rejects.toThrow('late')
  reject(new Error('too late to matter'))
  await expect(work).rejects.toThrow('too late')
})
