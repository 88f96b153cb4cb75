import { existsSync } from 'node:fs'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hold, holderOf, release, removalOf } from '../../../src/cli/config/hold.ts'
import { STALE_MS, withLock } from '../../../src/cli/config/lock.ts'
import { NOW, testIo } from '../support/io.ts'

/** Above the greatest id that Linux gives. */
const DEAD = 2 ** 22 + 1

test('tasks under one lock never meet', async () => {
  const { io, home } = testIo()
  const path = join(home, 'a.lock')
  let inside = 0
  let most = 0
  // The clock of this test stands, so that no lock grows old by waiting.
  const waits = { now: () => NOW, sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) }
  await Promise.all(
    Array.from({ length: 8 }, () =>
      withLock(waits, path, async () => {
        inside += 1
        most = Math.max(most, inside)
        await io.sleep(1)
        inside -= 1
      }),
    ),
  )
  expect(most).toBe(1)
  expect(existsSync(path)).toBe(false)
})

test('a task that fails frees the lock', async () => {
  const { io, home } = testIo()
  const path = join(home, 'a.lock')
  await expect(withLock(io, path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withLock(io, path, () => Promise.resolve('yes'))).toBe('yes')
})

test('the lock of a command that died is taken over once it is old, and not before', async () => {
  const { io, home, clock } = testIo()
  const path = join(home, 'a.lock')
  await writeFile(path, '')
  await utimes(path, NOW / 1_000, NOW / 1_000)
  await withLock(io, path, () => Promise.resolve())
  expect(clock.now - NOW).toBeGreaterThan(STALE_MS)
})

test('the lock of a process that died is taken over at once, also where its removal broke off', async () => {
  const { io, home, clock } = testIo()
  const path = join(home, 'a.lock')
  await writeFile(path, `${DEAD} x`)
  const holder = await holderOf(path)
  await writeFile(removalOf(path, holder!), `${DEAD} y`)
  expect(await withLock(io, path, () => Promise.resolve('mine'))).toBe('mine')
  // In a container an earlier process had the same id.
  await writeFile(path, `${process.pid} x`)
  expect(await withLock(io, path, () => Promise.resolve('mine'))).toBe('mine')
  expect(clock.now).toBe(NOW)
  expect(await readdir(home)).toEqual([])
})

test('the lock of a process that lives is never taken over; one that hangs is named', async () => {
  const { io, home } = testIo()
  const path = join(home, 'a.lock')
  await writeFile(path, `${process.ppid} x`)
  await utimes(path, 1, 1)
  await expect(withLock(io, path, () => Promise.resolve())).rejects.toThrow(
    `Process ${process.ppid} has locked ${path}.`,
  )
  expect(await readdir(home)).toEqual(['a.lock'])
})

test('of the removals of one lock none erases the lock of the next holder', async () => {
  const { home } = testIo()
  const path = join(home, 'a.lock')
  await writeFile(path, `${DEAD} x`)
  const held = await Promise.all(Array.from({ length: 20 }, () => hold(path)))
  expect(held.filter((holder) => holder === null)).toHaveLength(1)
  expect(await holderOf(path)).toMatchObject({ pid: process.pid })
  await release(path)
  expect(await readdir(home)).toEqual([])
})
