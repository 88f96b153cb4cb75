import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fileOf } from '../../tools/backup/snapshot.ts'
import { eraseTraces } from '../../tools/erase-traces.ts'
import { addShards } from '../../tools/local-shards.ts'
import { prepareDatabases } from '../../tools/prepare-databases.ts'
import { restore } from '../../tools/restore.ts'
import type { Wrangler } from '../../tools/wrangler.ts'
import { until } from '../support/until.ts'
import { endAll, greeted, start } from './npm-start.ts'

let state: string
beforeAll(() => {
  state = mkdtempSync(join(tmpdir(), 'recollect-start-shards-'))
})
afterEach(endAll)
afterAll(() => rmSync(state, { recursive: true, force: true }))

/** Four databases are prepared, each by a wrangler of its own. */
const START_MS = 200_000

test('a damaged database of one shard is named, and the others run', { timeout: START_MS + 40_000 }, async () => {
  addShards(state, '2')
  const folder = join(state, 'v3/d1/miniflare-D1DatabaseObject')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${fileOf('DB_01')}.sqlite`), Buffer.alloc(64 * 1_024, 7))

  const run = start('--port', '0', '--persist-to', state)
  const origin = await greeted(run, START_MS)
  expect(run.output()).toMatch(
    /^DB_01 cannot be prepared, so its shard is down: .+ If its file is damaged, restore it from a backup\.$/m,
  )
  const key = /KEY=(\S+)/.exec(run.output())?.[1] ?? ''
  const stored = await fetch(`${origin}/api/memory/store`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: '{"content": "The first shard is well."}',
  })
  expect(stored.status).toBe(201)
  await until(async () => {
    const ready = await fetch(`${origin}/ready`)
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'degraded', failed_shards: ['01'] }])
  })
})

const failing =
  (...names: string[]): Wrangler =>
  (args) =>
    Promise.resolve({
      code: names.includes(args[3] ?? '') ? 1 : 0,
      stdout: '',
      stderr: '\n\u001b[31m✘ [ERROR] file is not a database\u001b[0m\n\n  More.',
    })

test('databases are prepared one by one; where all fail, the start fails', async () => {
  const bindings = ['DB', 'AUDIT_DB', 'DB_01']
  expect(await prepareDatabases(bindings, [], failing())).toEqual([])
  expect(await prepareDatabases(bindings, [], failing('AUDIT_DB'))).toEqual([
    'AUDIT_DB cannot be prepared, so its shard is down: file is not a database. If its file is damaged, restore it from a backup.',
  ])
  await expect(prepareDatabases(bindings, [], failing(...bindings))).rejects.toThrow('file is not a database')
})

test('the trace store of an earlier version is erased', () => {
  const folder = join(state, 'traces')
  expect(eraseTraces(folder)).toBe(false)
  mkdirSync(join(folder, 'v3/observability/store'), { recursive: true })
  writeFileSync(join(folder, 'v3/observability/store/1.sqlite'), 'https://a.example/?token=secret')
  expect(eraseTraces(folder)).toBe(true)
  expect(existsSync(join(folder, 'v3/observability'))).toBe(false)
})

test('a backup that lacks a file, and a folder that has data, are refused before anything is made', async () => {
  const input = mkdtempSync(join(tmpdir(), 'recollect-restore-'))
  onTestFinished(() => rmSync(input, { recursive: true, force: true }))
  const ran: string[][] = []
  const by: Wrangler = (args) => {
    ran.push(args)
    return Promise.resolve({ code: 0, stdout: '', stderr: '' })
  }
  const into = (folder: string) => restore({ input, state: folder, by, say: () => {} })
  const fresh = join(input, 'fresh')
  await expect(into(fresh)).rejects.toThrow('has no file DB.sql')
  for (const name of ['DB', 'AUDIT_DB', 'DB_01']) writeFileSync(join(input, `${name}.sql`), '')
  await expect(into(fresh)).rejects.toThrow('has no file AUDIT_DB_01.sql')
  writeFileSync(join(input, 'AUDIT_DB_01.sql'), '')
  await expect(into(state)).rejects.toThrow('has databases already')
  expect([ran, existsSync(fresh)]).toEqual([[], false])
  await into(fresh)
  expect(ran.map((args) => args.slice(0, 4).filter((arg) => !arg.startsWith('--')))).toEqual(
    ['DB', 'AUDIT_DB', 'DB_01', 'AUDIT_DB_01'].flatMap((name) => [
      ['d1', 'migrations', 'apply', name],
      ['d1', 'execute', name],
    ]),
  )
})
