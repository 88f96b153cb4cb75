import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { requireReplaceable } from '../../../src/cli/export/may-replace.ts'
import { run } from '../../../src/cli/run.ts'
import { testIo } from '../support/io.ts'

/** A file that exists, and somebody at a terminal who types `typed`. */
async function atTerminal(typed: string) {
  const { io, home, err } = testIo()
  const name = join(home, 'items.jsonl')
  await writeFile(name, 'mine')
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  stdin.end(typed)
  return { io: { ...io, stdin }, name, err }
}

test.each(['y\n', 'YES\n', ' y \n'])('%j replaces the file', async (typed) => {
  const { io, name, err } = await atTerminal(typed)
  await expect(requireReplaceable(io, name)).resolves.toBeUndefined()
  expect(err()).toContain('items.jsonl already exists. Replace it? [y/N]')
})

test.each(['\n', 'n\n', 'yellow\n', ''])('%j leaves it as it is', async (typed) => {
  const { io, name } = await atTerminal(typed)
  await expect(requireReplaceable(io, name)).rejects.toMatchObject({ exit: EXIT.interrupted })
})

test('a name that is free is not asked about', async () => {
  const { io, name, err } = await atTerminal('')
  await expect(requireReplaceable(io, `${name}.other`)).resolves.toBeUndefined()
  expect(err()).toBe('')
})

test('without a terminal the command fails before it calls the service, and says how to go on', async () => {
  const { io, home, err } = testIo()
  const name = join(home, 'items.jsonl')
  await writeFile(name, 'mine')
  expect(await run(io, ['export', '--output', name, '--url', 'https://a.example'], '1.2.3')).toBe(EXIT.usage)
  expect(err()).toContain('items.jsonl already exists.')
  expect(err()).toContain('--force')
})
