import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { deploy } from '../../tools/deploy.ts'
import { addShards, bindingsOf, configArguments, knownShards, readShards } from '../../tools/local-shards.ts'
import { countShards, databasesOfShards, shardsWanted } from '../../tools/shards.ts'
import { lockState } from '../../tools/state-lock.ts'
import { ROOT, type Wrangler } from '../../tools/wrangler.ts'
import { Account, READING } from './wrangler-stand-in.ts'

const shell = promisify(execFile)

/** Beside those of other test files, which run at the same time. */
const WRITES = `.wrangler.shards.${process.pid}.json`
const DEPLOYED = join(ROOT, WRITES)
const LOCAL = `.wrangler.local-shards.${process.pid}.json`
const folders: string[] = []
afterEach(() => {
  for (const path of [DEPLOYED, join(ROOT, LOCAL), ...folders.splice(0)]) rmSync(path, { recursive: true, force: true })
})

interface RunOptions {
  shards?: string
  dryRun?: boolean
  staging?: boolean
  config?: string
  /** The shards that `/ready` says fail, answer by answer. */
  failed?: string[][]
}

function run(by: Wrangler, { failed = [], ...options }: RunOptions = {}) {
  const said: string[] = []
  const answers = failed.values()
  const fetch = () => Promise.resolve(Response.json({ failed_shards: answers.next().value ?? [] }))
  const say = (line: string) => void said.push(line)
  return deploy({ dryRun: false, ...options, by, say, fetch, pauseMs: 0, writes: WRITES }).then(() => said)
}

/** The databases that the last deployment bound. */
const bound = () =>
  (JSON.parse(readFileSync(DEPLOYED, 'utf8')).d1_databases as Record<string, string>[]).map(
    ({ binding, database_name, database_id, migrations_dir }) => [binding, database_name, database_id, migrations_dir],
  )

const names = (shards: number): string[] =>
  Array.from({ length: shards }, (_, shard) => (shard === 0 ? '' : `-0${shard}`)).flatMap((end) => [
    `recollect${end}`,
    `recollect-audit${end}`,
  ])

test('--shards 3 makes the databases, migrates them, and then deploys a Worker that is bound to them', async () => {
  const account = new Account()
  const said = await run(account.wrangler, { shards: '3' })
  expect([...account.databases.keys()]).toEqual(names(3))
  expect(said).toContain('Shards: 3, of which 2 are new.')
  const migrated = account.changes.filter((line) => line.startsWith('d1 migrations')).map((line) => line.split(' ')[3])
  expect(migrated).toEqual(['DB', 'AUDIT_DB', 'DB_01', 'AUDIT_DB_01', 'DB_02', 'AUDIT_DB_02'])
  expect(account.changes.findIndex((line) => line.startsWith('deploy'))).toBeGreaterThan(
    account.changes.findLastIndex((line) => line.startsWith('d1')),
  )
  expect(bound()).toContainEqual(['DB_02', 'recollect-02', 'uuid-of-recollect-02', 'migrations/main'])
  expect(bound()).toContainEqual([
    'AUDIT_DB_01',
    'recollect-audit-01',
    'uuid-of-recollect-audit-01',
    'migrations/audit',
  ])
})

test('a plain deployment binds the shards that the account has, and makes none', async () => {
  const account = new Account()
  await run(account.wrangler, { shards: '3' })
  const before = bound()
  const made = account.databases.size
  expect(await run(account.wrangler)).toContain('Shards: 3.')
  expect([bound(), account.databases.size]).toEqual([before, made])
  await run(account.wrangler, { shards: '4' })
  expect([...account.databases.keys()]).toEqual(names(4))
})

test('fewer shards than there are is refused in one line, and changes nothing', async () => {
  const account = new Account()
  await run(account.wrangler, { shards: '3' })
  const before = account.changes.length
  for (const shards of ['2', '1'])
    await expect(run(account.wrangler, { shards })).rejects.toThrow(/^There are 3 shards.*$/)
  for (const shards of ['0', '101', 'two', '', '-1', '1.5'])
    await expect(run(account.wrangler, { shards })).rejects.toThrow('--shards must be a number from 1 to 100.')
  expect(account.changes).toHaveLength(before)
})

test('a deployment that broke off at any step is completed by the next one, which no longer needs the option', async () => {
  const whole = new Account()
  await run(whole.wrangler, { shards: '3' })
  for (let step = 1; step <= whole.changes.length; step += 1) {
    const account = new Account()
    const broken: Wrangler = (args, stdin) =>
      account.changes.length >= step && !READING.test(args.join(' '))
        ? Promise.resolve({ code: 1, stdout: '', stderr: 'killed' })
        : account.wrangler(args, stdin)
    const completed = await run(broken, { shards: '3' }).then(
      () => true,
      () => false,
    )
    expect(completed, String(step)).toBe(step === whole.changes.length)
    const half = account.databases.size
    await run(account.wrangler)
    // As many shards as have a database by then, and each of them whole.
    expect(
      bound()
        .map(([, name]) => name)
        .sort(),
      String(step),
    ).toEqual(names(Math.max(1, Math.ceil(half / 2))).sort())
    await run(account.wrangler, { shards: '3' })
    expect([...account.databases.keys()].sort()).toEqual(names(3).sort())
  }
})

test('a deployment is done once every shard is well, and says which is not', async () => {
  const account = new Account()
  expect((await run(account.wrangler, { shards: '3', failed: [['01', '02'], ['02']] })).at(-1)).toContain('Ready: ')
  await expect(run(account.wrangler, { failed: Array.from({ length: 99 }, () => ['02']) })).rejects.toThrow(
    'The Worker is deployed, but in shards 02 a database does not respond or lacks a migration',
  )
})

test.each([
  ['a database of another name', 'binding = "DB"', 'binding = "MEMORY"', 'MEMORY is not the name of a database'],
  [
    'CLOSED_SHARDS that are not there',
    'SIGNUPS = "first"',
    'CLOSED_SHARDS = "03"',
    'CLOSED_SHARDS must name shards of this deployment, and entry 1 is not one of 00, 01',
  ],
])('%s is refused in one line, before anything is made', async (_, from, to, line) => {
  const account = new Account()
  const config = join(ROOT, `.wrangler.refused.${process.pid}.toml`)
  writeFileSync(config, readFileSync(join(ROOT, 'wrangler.toml'), 'utf8').replace(from, to))
  folders.push(config)
  const refused = await run(account.wrangler, { shards: '2', config }).catch((error: Error) => error.message)
  expect(refused).toMatch(new RegExp(`^${line}.*\\.$`))
  expect(account.changes).toEqual([])
})

test('staging has shards of its own', async () => {
  const account = new Account()
  await run(account.wrangler, { shards: '2' })
  await run(account.wrangler, { staging: true })
  expect([...account.databases.keys()].slice(4)).toEqual(['recollect-staging', 'recollect-staging-audit'])
  expect(bound()).toHaveLength(2)
})

test('a dry run for an empty account shows the shards that were asked for', async () => {
  const account = new Account()
  account.loggedIn = false
  const said = await run(account.wrangler, { shards: '2', dryRun: true })
  expect(said).toContain('would create the database recollect-audit-01')
  expect(account.databases.size).toBe(0)
})

const TWO = [
  { binding: 'DB', database_name: 'mine', database_id: 'a', migrations_dir: 'm' },
  { binding: 'AUDIT_DB', database_name: 'log', database_id: 'b', migrations_dir: 'n' },
]

test('names follow those of shard 00, and bindings of the configuration stay as they are', () => {
  expect(databasesOfShards(TWO, 1)).toEqual(TWO)
  const own = { binding: 'DB_01', database_name: 'chosen', database_id: 'c' }
  expect(databasesOfShards([...TWO, own], 2)).toEqual([
    ...TWO,
    own,
    { binding: 'AUDIT_DB_01', database_name: 'log-01', migrations_dir: 'n' },
  ])
  expect(countShards([...TWO, own], [])).toBe(2)
  expect(countShards(TWO, ['mine', 'log', 'log-02', 'other-07'])).toBe(3)
  expect(countShards(TWO, [])).toBe(1)
  expect(shardsWanted(undefined, 5)).toBe(5)
})

test('npm start takes --shards out of its arguments, and remembers the shards of its data', () => {
  expect(readShards(['--port', '0', '--shards', '3', '--var', 'A:b'])).toEqual({
    shards: '3',
    rest: ['--port', '0', '--var', 'A:b'],
  })
  expect(readShards(['--shards=2'])).toEqual({ shards: '2', rest: [] })
  expect(readShards(['--port', '0'])).toEqual({ shards: undefined, rest: ['--port', '0'] })
  const state = mkdtempSync(join(tmpdir(), 'recollect-shards-'))
  folders.push(state)
  expect([knownShards(state), addShards(state, undefined), addShards(state, '3')]).toEqual([1, 1, 3])
  expect([knownShards(state), addShards(state, undefined)]).toEqual([3, 3])
  expect(() => addShards(state, '2')).toThrow('There are 3 shards')
  expect(readdirSync(state)).toEqual(['shards.txt'])
  for (const cut of ['', '0', '101', 'x']) {
    writeFileSync(join(state, 'shards.txt'), cut)
    expect(() => addShards(state, undefined)).toThrow('must contain a number of shards from 1 to 100')
  }
  expect(bindingsOf(2)).toEqual(['DB', 'AUDIT_DB', 'DB_01', 'AUDIT_DB_01'])
})

test('one local shard needs no configuration of its own; three have databases with ids of their own', () => {
  const file = join(ROOT, LOCAL)
  expect([configArguments(ROOT, 1, { writes: LOCAL }), existsSync(file)]).toEqual([['--env', 'local'], false])
  expect(configArguments(ROOT, 3, { writes: LOCAL })).toEqual(['--config', LOCAL, '--env', 'local'])
  const { d1_databases } = JSON.parse(readFileSync(file, 'utf8')).env.local
  expect(d1_databases.map(({ binding }: { binding: string }) => binding)).toEqual(bindingsOf(3))
  expect(new Set(d1_databases.map(({ database_id }: { database_id: string }) => database_id)).size).toBe(6)
})

test('data in two folders has two configurations, so that a second start does not restart the first', () => {
  const states = ['a', 'b'].map((name) => {
    const state = mkdtempSync(join(tmpdir(), `recollect-config-${name}-`))
    folders.push(state)
    return state
  })
  const files = states.map((state, at) => join(ROOT, configArguments(state, at + 2)[1] ?? ''))
  folders.push(...files)
  const databases = files.map((file) => JSON.parse(readFileSync(file, 'utf8')).env.local.d1_databases.length as number)
  expect(databases).toEqual([4, 6])
  expect(configArguments(`${states[0]}/.`, 2)[1]).toBe(configArguments(states[0] ?? '', 2)[1])
})

test('a folder of data belongs to one process, and to nobody once that has ended', () => {
  const state = join(mkdtempSync(join(tmpdir(), 'recollect-lock-')), 'state')
  folders.push(state)
  const held = lockState(state)
  expect(() => lockState(state)).toThrow(`Another npm start is using ${state}.`)
  held.close()
  lockState(state).close()
})

test('a folder stays locked by its process when garbage is collected', async () => {
  const state = join(mkdtempSync(join(tmpdir(), 'recollect-lock-')), 'state')
  folders.push(state)
  const script = `import { lockState } from './tools/state-lock.ts'
    lockState(process.argv[1])
    for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(() => done(gc())))
    lockState(process.argv[1])`
  const args = ['--expose-gc', '--input-type=module', '--eval', script, state]
  await expect(shell(process.execPath, args, { cwd: ROOT })).rejects.toThrow('Another npm start is using')
})
