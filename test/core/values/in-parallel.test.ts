import { expect, test } from 'vitest'
import { inParallel } from '../../../src/core/values/in-parallel.ts'

test('so many run at once and no more, and the results are in the order of the items', async () => {
  let running = 0
  let most = 0
  const results = await inParallel(3, [5, 4, 3, 2, 1], async (item) => {
    running += 1
    most = Math.max(most, running)
    for (let turn = 0; turn < item; turn++) await Promise.resolve()
    running -= 1
    return item * 10
  })
  expect([results, most]).toEqual([[50, 40, 30, 20, 10], 3])
  expect(await inParallel(3, [], () => Promise.reject(new Error('never')))).toEqual([])
})

test('the first failure is thrown', async () => {
  const work = inParallel(2, ['a', 'b'], (item) => Promise.reject(new Error(item)))
  await expect(work).rejects.toThrow('a')
})
