import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runAlone } from '../../../src/cli/config/alone.ts'
import { testIo } from '../support/io.ts'

/** Above the greatest id that Linux gives. */
const DEAD = 2 ** 22 + 1

test('of two at once the second is refused, and the file is gone after the first', async () => {
  const path = join(testIo().home, 'state/a.running')
  const held = Promise.withResolvers<string>()
  const first = runAlone(path, 'The import', () => held.promise)
  const second = () => runAlone(path, 'The import', () => Promise.resolve('second'))
  await expect.poll(() => existsSync(path)).toBe(true)
  await expect(second()).rejects.toThrow(`The import is already running, as process ${process.pid}.`)
  held.resolve('first')
  expect(await first).toBe('first')
  expect(existsSync(path)).toBe(false)
  expect(await second()).toBe('second')
})

test.each([String(DEAD), '', 'x', '-1'])('a file that holds %j holds nobody up', async (text) => {
  const path = join(testIo().home, 'a.running')
  await writeFile(path, text)
  expect(await runAlone(path, 'The import', () => Promise.resolve('done'))).toBe('done')
})

test('a task that fails leaves no file', async () => {
  const path = join(testIo().home, 'a.running')
  await expect(runAlone(path, 'The import', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(path)).toBe(false)
})
