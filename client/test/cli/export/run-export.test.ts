import { existsSync } from 'node:fs'
import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MemoryItem } from '../../../src/index.ts'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { exportToFile, exportToOutput } from '../../../src/cli/export/run-export.ts'
import { Failure } from '../../../src/cli/failure.ts'
import type { ExportOrigin } from '../../../src/cli/service.ts'
import { NOW, testIo } from '../support/io.ts'

/** Ten items a millisecond, so that a break falls between items of one instant. */
const item = (n: number) =>
  ({
    id: `mem_${n}`,
    content: { text: `item ${n}` },
    created_at: new Date(NOW + Math.floor(n / 10)).toISOString(),
  }) as MemoryItem

/** A service with `count` items. Its n-th stream ends after `breaks[n]` items as a lost connection does. */
function fakeService(count: number, breaks: number[] = []) {
  const asked: (string | string[] | undefined)[] = []
  const origin: ExportOrigin = {
    url: 'https://a.example',
    account: 'usr_1',
    async *export({ created_after }) {
      asked.push(created_after)
      const last = breaks.shift() ?? Infinity
      const after = typeof created_after === 'string' ? Date.parse(created_after) : 0
      let sent = 0
      for (let n = 0; n < count; n += 1) {
        if (Date.parse(item(n).created_at) <= after) continue
        if (sent === last)
          throw new Failure(EXIT.unavailable, 'The connection was lost.', { code: 'connection_failed' })
        sent += 1
        yield item(n)
      }
    },
  }
  return { origin, asked }
}

const idsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as MemoryItem).id)
const all = (count: number) => Array.from({ length: count }, (_, n) => `mem_${n}`)

test('streams that break off are taken up again: each item once, in order', async () => {
  const { io, out } = testIo()
  const { origin, asked } = fakeService(100, [7, 23, 60])
  expect(await exportToOutput(io, origin, {})).toBe(100)
  expect(idsOf(out())).toEqual(all(100))
  expect(asked).toHaveLength(4)
})

test('a service that stays down ends it, after five breaks without one item', async () => {
  const { io, clock } = testIo()
  const { origin, asked } = fakeService(100, [30, 0, 0, 0, 0, 0, 0])
  await expect(exportToOutput(io, origin, {})).rejects.toThrow('The connection was lost.')
  expect(asked).toHaveLength(5)
  expect(clock.now - NOW).toBe(1_000 + 2_000 + 4_000 + 8_000)
})

test('a file that is half written goes on behind its last whole line', async () => {
  const { io, home } = testIo()
  const name = join(home, 'items.jsonl')
  await expect(
    exportToFile(io, fakeService(100, [45, 0, 0, 0, 0]).origin, {}, { name, restart: false }),
  ).rejects.toThrow(/./)
  expect(existsSync(name)).toBe(false)
  await appendFile(`${name}.part`, '{"id": "mem_45", "crea')
  const { origin, asked } = fakeService(100)
  expect(await exportToFile(io, origin, {}, { name, restart: false })).toBe(100)
  expect(idsOf(await readFile(name, 'utf8'))).toEqual(all(100))
  expect(asked).toEqual([new Date(NOW + 3).toISOString()])
  expect(existsSync(`${name}.part`) || existsSync(`${name}.part.json`)).toBe(false)
})

test('a half from a different export is left alone, until --restart', async () => {
  const { io, home } = testIo()
  const name = join(home, 'items.jsonl')
  const broken = fakeService(100, [45, 0, 0, 0, 0]).origin
  await expect(exportToFile(io, broken, { tags: ['a'] }, { name, restart: false })).rejects.toThrow(/./)
  const { origin } = fakeService(100)
  await expect(exportToFile(io, origin, {}, { name, restart: false })).rejects.toThrow('from a different export')
  await expect(
    exportToFile(io, { ...origin, account: 'usr_2' }, { tags: ['a'] }, { name, restart: false }),
  ).rejects.toThrow('from a different export')
  expect(await exportToFile(io, origin, {}, { name, restart: true })).toBe(100)
  expect(idsOf(await readFile(name, 'utf8'))).toEqual(all(100))
})

test('security 71: an export is its owner’s alone', async () => {
  const { io, home } = testIo()
  const name = join(home, 'items.jsonl')
  await exportToFile(io, fakeService(1).origin, {}, { name, restart: false })
  expect((await stat(name)).mode & 0o777).toBe(0o600)
})

test('a bound of the caller’s holds when a stream is taken up', async () => {
  const { io, out } = testIo()
  const since = new Date(NOW + 4).toISOString()
  const { origin, asked } = fakeService(100, [0, 5])
  await exportToOutput(io, origin, { created_after: since })
  expect(idsOf(out())).toEqual(all(100).slice(50))
  expect(asked).toEqual([since, since, new Date(NOW + 4).toISOString()])
})
