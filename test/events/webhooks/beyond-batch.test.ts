import { expect, test } from 'vitest'
import { beyondBatch } from '../../../src/events/webhooks/beyond-batch.ts'

function setUp(max: number) {
  const handed: Promise<unknown>[] = []
  return { handed, run: beyondBatch(max), system: { waitUntil: (work: Promise<unknown>) => void handed.push(work) } }
}

test('a batch ends before its work, which is handed to waitUntil', async () => {
  const { handed, run, system } = setUp(5)
  const work = Promise.withResolvers<void>()
  await run(system, 5, work.promise)
  expect(handed).toHaveLength(1)
  work.resolve()
  await handed[0]
})

test('past the bound a batch waits for its own work, until earlier work is done', async () => {
  const { handed, run, system } = setUp(5)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await run(system, 3, first.promise)
  let ended = false
  const batch = run(system, 3, second.promise).then(() => (ended = true))
  await Promise.resolve()
  expect({ ended, handed: handed.length }).toEqual({ ended: false, handed: 1 })
  second.resolve()
  await batch
  first.resolve()
  await handed[0]
  await run(system, 5, Promise.resolve())
  expect(handed).toHaveLength(2)
})

test('work that fails frees its place and is reported to waitUntil', async () => {
  const { handed, run, system } = setUp(1)
  await run(system, 1, Promise.reject(new Error('lost')))
  await expect(handed[0]).rejects.toThrow('lost')
  await run(system, 1, Promise.resolve())
  expect(handed).toHaveLength(2)
})
