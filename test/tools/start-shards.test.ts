import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fileOf } from '../../tools/backup/snapshot.ts'
import { eraseTraces } from '../../tools/erase-traces.ts'
import { withLocalDatabases } from '../../tools/local-databases.ts'
import { addShards } from '../../tools/local-shards.ts'
import { prepareDatabases } from '../../tools/prepare-databases.ts'
import { restore } from '../../tools/restore.ts'
import { runWrangler, type Wrangler } from '../../tools/wrangler.ts'
import { until } from '../support/until.ts'
import { endAll, greeted, start } from './npm-start.ts'

let state: string
beforeAll(() => {
  state = mkdtempSync(join(tmpdir(), 'recollect-start-shards-'))
})
afterEach(endAll)
afterAll(() => rmSync(state, { recursive: true, force: true }))

/** Puts files that are no databases in the place of these. */
function damage(folder: string, ...ids: string[]): void {
  const files = join(folder, 'v3/d1/miniflare-D1DatabaseObject')
  mkdirSync(files, { recursive: true })
  for (const id of ids) writeFileSync(join(files, `${fileOf(id)}.sqlite`), Buffer.alloc(64 * 1_024, 7))
}

test('a damaged database of one shard is named, and the others run', async () => {
  addShards(state, '2')
  damage(state, 'DB_01')
  const run = start('--port', '0', '--persist-to', state)
  const origin = await greeted(run)
  expect(run.output()).toMatch(
    /^DB_01 cannot be prepared, so its shard is down: file is not a database\. If its file is damaged, restore it from a backup\.$/m,
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

test('where no database can be prepared, the start fails', async () => {
  const damaged = mkdtempSync(join(tmpdir(), 'recollect-damaged-'))
  onTestFinished(() => rmSync(damaged, { recursive: true, force: true }))
  damage(damaged, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001')
  await expect(withLocalDatabases(['--env', 'local'], damaged, prepareDatabases)).rejects.toThrow(
    'file is not a database',
  )
})

test('migrations are applied once, and wrangler finds none that is left', async () => {
  const fresh = mkdtempSync(join(tmpdir(), 'recollect-fresh-'))
  onTestFinished(() => rmSync(fresh, { recursive: true, force: true }))
  const local = ['--env', 'local']
  for (let start = 0; start < 2; start++) expect(await withLocalDatabases(local, fresh, prepareDatabases)).toEqual([])
  const listed = await runWrangler(['d1', 'migrations', 'list', 'DB', '--local', ...local, '--persist-to', fresh])
  expect(listed).toContain('No migrations to apply')
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
  expect(ran.map((args) => args.slice(0, 3))).toEqual(
    ['DB', 'AUDIT_DB', 'DB_01', 'AUDIT_DB_01'].map((name) => ['d1', 'execute', name]),
  )
})
