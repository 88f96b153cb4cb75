import { readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { EXIT } from '../../../src/cli/exit-codes.ts'
import { Failure } from '../../../src/cli/failure.ts'
import { runImport } from '../../../src/cli/import/run-import.ts'
import { claudeCode, writeLines } from '../convert/sessions/support.ts'
import { agentHome } from '../support/agent-home.ts'
import { down, fakeService, fileOf, request } from '../support/import-service.ts'
import { testIo } from '../support/io.ts'

test('all lines go out in calls of 200, each with a key of its own; nothing is left behind', async () => {
  const { io, home } = testIo()
  const { file, lines } = await fileOf(450, home)
  const { target, calls, stored } = fakeService()
  expect(await runImport(io, target, request(file))).toMatchObject({ created: 450, done: 450, stopped: false })
  expect(calls.map(({ body }) => body.trimEnd().split('\n').length)).toEqual([200, 200, 50])
  expect(new Set(calls.map(({ key }) => key)).size).toBe(3)
  expect(stored).toEqual(lines)
  expect(await readdir(join(home, '.local/state/recollect/imports'))).toEqual([])
})

test('--guard goes out with each call, and the secrets that were found are counted', async () => {
  const { io, home } = testIo()
  const { file } = await fileOf(250, home, (n) => (n % 100 === 0 ? { tags: ['secret'] } : {}))
  const { target, calls } = fakeService()
  expect(await runImport(io, target, request(file, { guard: 'redact' }))).toMatchObject({ created: 250, secrets: 3 })
  expect(calls.map(({ guard }) => guard)).toEqual(['redact', 'redact'])
})

test('Ctrl-C ends after the call under way; the same command goes on from there', async () => {
  const { io, home, interrupt } = testIo()
  const { file, lines } = await fileOf(1_000, home)
  const { target, stored } = fakeService((call) => (call === 2 ? (interrupt.abort(), null) : null))
  expect(await runImport(io, target, request(file))).toMatchObject({ done: 400, stopped: true })
  const again = testIo({ env: { HOME: home } })
  expect(await runImport(again.io, target, request(file))).toMatchObject({
    created: 1_000,
    done: 1_000,
    stopped: false,
  })
  expect(stored).toEqual(lines)
  expect(again.err()).toContain('Resuming after line 400 of 1,000.')
})

test('a call whose answer was lost is sent again with its key, so that nothing is stored twice', async () => {
  const { io, home } = testIo()
  const { file, lines } = await fileOf(600, home)
  const { target, calls, stored } = fakeService(
    () => null,
    (call) => (call === 2 ? down() : null),
  )
  await expect(runImport(io, target, request(file))).rejects.toThrow('cannot be reached')
  expect(await runImport(io, target, request(file))).toMatchObject({ created: 600 })
  expect(calls[2]).toEqual(calls[1])
  expect(stored).toEqual(lines)
})

test('a call that the service still works on is waited for, and not for ever', async () => {
  const held = () => new Failure(EXIT.conflict, 'It runs.', { code: 'idempotency_in_progress' })
  const { io, home, clock } = testIo()
  const { file } = await fileOf(10, home)
  const started = clock.now
  const { target, calls } = fakeService((call) => (call <= 5 ? held() : null))
  expect(await runImport(io, target, request(file))).toMatchObject({ created: 10 })
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1)
  expect(clock.now - started).toBe(10_000)
  await expect(runImport(io, fakeService(held).target, request(file))).rejects.toThrow('It runs.')
})

test('sessions that have grown since are read from the beginning, since their lines are known again', async () => {
  const { io, home, folder } = await agentHome('https://a.example')
  const { prompt } = claudeCode(folder)
  const said = (length: number) => Array.from({ length }, (_, n) => prompt(n, `p-${n}`, `Prompt ${n}.`))
  const path = await writeLines(home, 'sessions/s-1.jsonl', said(300))
  const failing = fakeService((call) => (call === 2 ? down() : null))
  const sessions = request(join(home, 'sessions'), { format: 'claude-code' })
  await expect(runImport(io, failing.target, sessions)).rejects.toThrow('cannot be reached')
  await writeLines(home, 'sessions/s-1.jsonl', said(301))
  const { target, calls, stored } = fakeService()
  const { created, notes } = await runImport(io, target, sessions)
  expect([created, stored.length]).toEqual([301, 301])
  expect(notes).toEqual([
    {
      from: dirname(path),
      note: 'it has changed since its import stopped at line 200, and was read from the beginning',
    },
  ])
  expect(calls[0]?.key).not.toBe(failing.calls[0]?.key)
})

test('a file that has changed since is not taken for the same; --restart starts over with new keys', async () => {
  const { io, home } = testIo()
  const { file } = await fileOf(300, home)
  const failing = fakeService((call) => (call === 2 ? down() : null))
  await expect(runImport(io, failing.target, request(file))).rejects.toThrow('cannot be reached')
  await writeFile(file, '{"content": "another"}\n')
  await expect(runImport(io, failing.target, request(file))).rejects.toThrow(
    'has changed since its import stopped at line 200',
  )
  const { target, calls } = fakeService()
  expect(await runImport(io, target, request(file, { restart: true }))).toMatchObject({ created: 1 })
  expect(calls[0]?.key).not.toBe(failing.calls[0]?.key)
})

test('two imports of one file at once: the second is refused, unless the first has died', async () => {
  const { io, home } = testIo()
  const { file, lines } = await fileOf(300, home)
  const { target, stored } = fakeService()
  const both = await Promise.allSettled([runImport(io, target, request(file)), runImport(io, target, request(file))])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(stored).toEqual(lines)
  const again = await Promise.allSettled([runImport(io, target, request(file)), runImport(io, target, request(file))])
  expect(again).toContainEqual({
    status: 'rejected',
    reason: expect.objectContaining({
      message: expect.stringContaining(`is already running, as process ${process.pid}`),
    }),
  })
})

test('another account, project and format are other imports', async () => {
  const { io, home } = testIo()
  const { file } = await fileOf(300, home)
  const { target } = fakeService((call) => (call === 2 ? down() : null))
  await expect(runImport(io, target, request(file))).rejects.toThrow('cannot be reached')
  for (const other of [
    { target: { ...fakeService().target, account: 'usr_2' }, more: {} },
    { target: { ...fakeService().target, url: 'https://b.example' }, more: {} },
    { target: fakeService().target, more: { project: 'prj_1' } },
  ]) {
    expect(await runImport(io, other.target, request(file, other.more))).toMatchObject({ created: 300 })
  }
})

test('lines that fail are named by their place in the file, over all runs', async () => {
  const { io, home } = testIo()
  const { file } = await fileOf(250, home)
  const text = Array.from({ length: 250 }, (_, n) => JSON.stringify({ content: n === 3 || n === 240 ? 'bad' : 'good' }))
  await writeFile(file, `\n${text.join('\n')}`)
  const { target } = fakeService((call) => (call === 2 ? down() : null))
  await expect(runImport(io, target, request(file))).rejects.toThrow('cannot be reached')
  const { errors, created, failed } = await runImport(io, target, request(file))
  expect([created, failed]).toEqual([248, 2])
  expect(errors.map(({ from }) => from)).toEqual(['line 5', 'line 242'])
})

test('one line that is larger than a call fails alone', async () => {
  const { io, home } = testIo()
  const file = join(home, 'large.jsonl')
  await writeFile(
    file,
    ['{"content": "a"}', JSON.stringify({ content: 'x'.repeat(9 * 2 ** 20) }), '{"content": "b"}'].join('\n'),
  )
  const { target, stored } = fakeService((call) =>
    call === 2 ? new Failure(EXIT.invalid, 'Too large.', { code: 'payload_too_large' }) : null,
  )
  expect(await runImport(io, target, request(file))).toMatchObject({
    created: 2,
    failed: 1,
    errors: [{ from: 'line 2' }],
  })
  expect(stored).toHaveLength(2)
})

test('standard input is imported, and its broken import leaves nothing to go on from', async () => {
  const { io, home } = testIo({ stdin: '{"content": "a"}\n{"content": "b"}' })
  const { target, stored } = fakeService()
  expect(await runImport(io, target, request('-'))).toMatchObject({ created: 2 })
  expect(stored).toHaveLength(2)
  await expect(readdir(join(home, '.local'))).rejects.toThrow('ENOENT')
})

test('an import of mem0 that goes on gets the same lines, although time has passed', async () => {
  const { io, home, clock } = testIo()
  const file = join(home, 'mem0.json')
  const memories = Array.from({ length: 300 }, (_, id) => ({
    id: String(id),
    memory: 'x',
    expiration_date: '2026-12-01',
  }))
  await writeFile(file, JSON.stringify([...memories, { id: 'none' }]))
  const { target } = fakeService((call) => (call === 2 ? down() : null))
  const mem0 = request(file, { format: 'mem0' })
  await expect(runImport(io, target, mem0)).rejects.toThrow('cannot be reached')
  clock.now += 3_600_000
  expect(await runImport(io, target, mem0)).toMatchObject({ created: 300, leftOut: [{ from: 'record 301' }] })
})

test.each([
  ['there is no such file', 'missing.jsonl', 'jsonl', 'does not exist'],
  ['a folder is no JSON lines', '', 'jsonl', 'is a folder'],
  ['text comes from files', '-', 'markdown', 'not standard input'],
] as const)('%s', async (_, name, format, message) => {
  const { io, home } = testIo()
  const source = name === '-' ? name : join(home, name)
  await expect(runImport(io, fakeService().target, request(source, { format }))).rejects.toThrow(message)
})
