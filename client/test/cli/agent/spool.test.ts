import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MAX_WAITING_TURNS, MAX_WAITING_BYTES, Spool, type Waiting } from '../../../src/cli/agent/spool.ts'
import { NOW, testIo } from '../support/io.ts'

const turn = (content: string): Waiting => ({
  url: 'https://a.example',
  account: 'usr_1',
  body: {
    conversation_id: 'codex:s',
    messages: [{ id: 't:prompt', role: 'user', content, timestamp: '2026-11-22T12:00:00.000Z' }],
    context: { namespace: 'repo:github.com/acme/api' },
    visibility: 'private',
  },
})

test('turns wait in closed files, the oldest first', async () => {
  const { io, home } = testIo()
  const spool = new Spool(io.env)
  expect(await spool.names()).toEqual([])
  for (const [n, text] of ['second', 'first', 'third'].entries()) await spool.add(turn(text), NOW + (n === 1 ? -1 : n))
  const names = await spool.names()
  const texts = await Promise.all(names.map(async (name) => (await spool.read(name))?.body.messages[0]?.content))
  expect(texts).toEqual(['first', 'second', 'third'])
  const folder = join(home, '.local/state/recollect/agents/spool')
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  await spool.remove(names[0] ?? '')
  expect(await spool.read(names[0] ?? '')).toBeNull()
  expect(await spool.dropped()).toBe(0)
})

test('beyond the number of turns the oldest ones are dropped, and counted', async () => {
  const { io, home } = testIo()
  const spool = new Spool(io.env)
  await spool.add(turn('a'), NOW)
  const folder = join(home, '.local/state/recollect/agents/spool')
  const name = (n: number) => `${String(NOW + n).padStart(15, '0')}-${String(n).padStart(16, '0')}-2.json`
  await Promise.all(Array.from({ length: MAX_WAITING_TURNS }, (_, n) => writeFile(join(folder, name(n + 1)), '{}')))
  await spool.add(turn('b'), NOW + MAX_WAITING_TURNS + 1)
  const names = await spool.names()
  expect(names).toHaveLength(MAX_WAITING_TURNS)
  expect(names[0]).toBe(name(2))
  expect(await spool.dropped()).toBe(2)
})

test('beyond the bytes too', async () => {
  const { io } = testIo()
  const spool = new Spool(io.env)
  const text = 'x'.repeat(MAX_WAITING_BYTES / 2)
  for (const n of [0, 1, 2]) await spool.add(turn(`${n}${text}`), NOW + n)
  const names = await spool.names()
  expect(names).toHaveLength(1)
  expect((await spool.read(names[0] ?? ''))?.body.messages[0]?.content[0]).toBe('2')
  expect(await spool.dropped()).toBe(2)
})

test('what a process had begun to write when it was killed goes after an hour', async () => {
  const { io, home } = testIo()
  const spool = new Spool(io.env)
  await spool.add(turn('a'), NOW)
  const folder = join(home, '.local/state/recollect/agents/spool')
  await Promise.all(['.old', '.new'].map((name) => writeFile(join(folder, name), '{"url')))
  await utimes(join(folder, '.old'), 1, 1)
  await spool.clean(new Date().getTime())
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual(['.new'])
  expect(await spool.names()).toHaveLength(1)
})
