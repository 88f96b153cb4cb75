import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { databasesBy, repairDirectory, reportOf } from '../../tools/directory.ts'
import { addShards, configArguments } from '../../tools/local-shards.ts'
import { ROOT, type Wrangler } from '../../tools/wrangler.ts'
import { idNamedBy } from './wrangler-stand-in.ts'

const NAMES = { '00': 'DB', '01': 'DB_01', '02': 'DB_02' } as const
let databases: Record<string, DatabaseSync>
let state: string

function migrated(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  const folder = join(ROOT, 'migrations/main')
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort())
    database.exec(readFileSync(join(folder, file), 'utf8'))
  database.exec('pragma foreign_keys = off')
  return database
}

beforeEach(() => {
  databases = Object.fromEntries(Object.values(NAMES).map((name) => [name, migrated()]))
  state = mkdtempSync(join(tmpdir(), 'recollect-directory-test-'))
  addShards(state, '3')
})
afterEach(() => {
  for (const one of Object.values(databases)) one.close()
  rmSync(state, { recursive: true, force: true })
})

/** A stand-in for wrangler that runs `d1 execute` on the databases of the test, and records which it reads and writes. */
function executor(): { by: Wrangler; ran: string[] } {
  const ran: string[] = []
  const by: Wrangler = async (args) => {
    const database = databases[args[2] ?? '']
    const [command, file] = ['--command=', '--file='].map((start) =>
      args.find((arg) => arg.startsWith(start))?.slice(start.length),
    )
    ran.push(`${file === undefined ? 'read' : 'write'} ${args[2]}`)
    if (file !== undefined) database?.exec(readFileSync(file, 'utf8'))
    const results = command === undefined ? [] : database?.prepare(command).all()
    return { code: 0, stdout: JSON.stringify([{ results }]), stderr: '' }
  }
  return { by, ran }
}

function account(shard: keyof typeof NAMES, number: number, email = `user${number}@example.com`): string {
  const id = `usr_${String(number).padStart(6, '0')}`
  databases[NAMES[shard]]
    ?.prepare(
      `insert into users (id, tenant_id, routing_id, kind, email, name, settings, created_at, updated_at)
       values (?, ?, ?, 'person', ?, 'x', '{}', 1, 1)`,
    )
    .run(id, `ten_${number}`, `${shard}-${number}`, email)
  return id
}

test('without --apply nothing is written, with it each database once, and a second time finds what the sweep has to do', async () => {
  // More than a page, and a quote that must not end the statement.
  for (let number = 0; number < 2_300; number++) account('02', number)
  account('01', 5_000, `o'brien@example.com`)
  const { by, ran } = executor()
  const all = await databasesBy(state, by)
  expect(all.shards).toEqual(['00', '01', '02'])
  const planned = await repairDirectory(all, false)
  expect(planned.enter).toHaveLength(2_301)
  expect(ran.filter((one) => one.startsWith('write'))).toEqual([])
  expect(reportOf(planned, false).at(-1)).toBe(
    'Nothing was written. To apply the changes, run this again with --apply.',
  )

  await repairDirectory(all, true)
  expect(ran.filter((one) => one.startsWith('write'))).toEqual(['write DB'])
  const entries = databases['DB']?.prepare('select count(*) as entries, max(expires_at) as latest from directory').get()
  expect({ ...entries }).toEqual({ entries: 2_301, latest: 0 })
  const again = await repairDirectory(all, true)
  expect([again.enter, again.conflicts]).toEqual([[], []])
  expect(reportOf(again, true)).toEqual([
    '0 addresses, 0 applications and 0 tenants are missing; 0 entries point to accounts that do not exist.',
    'Nothing to do.',
  ])
})

test('the configuration of a service that runs meanwhile is left alone', async () => {
  const [, name = ''] = configArguments(state, 3)
  const file = join(ROOT, name)
  onTestFinished(() => rmSync(file))
  const written = () => statSync(file).mtimeMs
  const before = written()
  const ran: string[][] = []
  const by: Wrangler = (args) => {
    ran.push([...args])
    return Promise.resolve({ code: 0, stdout: '[{"results": []}]', stderr: '' })
  }
  await (await databasesBy(state, by)).read('02', 'select 1')
  expect(ran[0]).toEqual(expect.arrayContaining(['--local', '--config', 'wrangler.directory.json']))
  expect(written()).toBe(before)
})

test.each([
  ['DB', ['uuid-of-recollect', 'uuid-of-recollect-01']],
  ['AUDIT_DB', ['uuid-of-recollect-audit', 'uuid-of-recollect-audit-01']],
] as const)(
  '%s of a deployment is reached by its id, and the configuration that names it is removed',
  async (kind, ids) => {
    const ran: { args: string[]; id: string | undefined }[] = []
    const by: Wrangler = (args) => {
      const names = ['recollect', 'recollect-audit', 'recollect-01', 'recollect-audit-01']
      const listed = names.map((name) => ({ name, uuid: `uuid-of-${name}` }))
      if (args[1] !== 'list') ran.push({ args, id: idNamedBy(args) })
      return Promise.resolve({
        code: 0,
        stdout: JSON.stringify(args[1] === 'list' ? listed : [{ results: [] }]),
        stderr: '',
      })
    }
    const deployed = await databasesBy(null, by, kind)
    for (const shard of deployed.shards) {
      await deployed.read(shard, 'select 1')
      await deployed.write(shard, ['delete from directory'])
    }
    expect(ran.map(({ id }) => id)).toEqual(ids.flatMap((id) => [id, id]))
    for (const { args } of ran) {
      expect(args).toEqual(expect.arrayContaining(['d1', 'execute', '--remote', '--yes', '--json', '--config']))
      expect(existsSync(join(ROOT, args[args.indexOf('--config') + 1] ?? ''))).toBe(false)
    }
  },
)

test('a command that fails leaves no configuration behind, and a database that the account lacks is named', async () => {
  let file = ''
  const by: Wrangler = (args) => {
    if (args[1] === 'list') return Promise.resolve({ code: 0, stdout: '[{"name":"recollect","uuid":"1"}]', stderr: '' })
    file = args[args.indexOf('--config') + 1] ?? ''
    return Promise.resolve({ code: 1, stdout: '', stderr: 'no answer' })
  }
  await expect((await databasesBy(null, by)).read('00', 'select 1')).rejects.toThrow('no answer')
  expect(file).toMatch(/^\.wrangler\.databases\./)
  expect(existsSync(join(ROOT, file))).toBe(false)
  const audit = await databasesBy(null, by, 'AUDIT_DB')
  await expect(audit.read('00', 'select 1')).rejects.toThrow(
    'The account has no database recollect-audit. `npx wrangler whoami` shows which account is used.',
  )
})

test('entries that lead to nobody are released in their own shard, unconfirmed ones are left to the sweep', async () => {
  const insert = databases['DB']?.prepare(
    'insert into directory (email, routing_id, user_id, expires_at) values (?, ?, ?, ?)',
  )
  insert?.run('gone@example.com', '01-a', 'usr_gone', null)
  insert?.run('late@example.com', '02-b', 'usr_late', 5)
  databases['DB']?.prepare('insert into client_directory (id, shard) values (?, ?)').run('app_gone', '02')
  const { by } = executor()
  const { released } = await repairDirectory(await databasesBy(state, by), true, 7)
  expect(released).toEqual(
    new Map([
      ['01', ['usr_gone']],
      ['02', ['app_gone']],
    ]),
  )
  expect(databases['DB_01']?.prepare('select * from directory_releases').all()).toMatchObject([
    { id: 'usr_gone', created_at: 7 },
  ])
  expect(databases['DB_02']?.prepare('select id from directory_releases').all()).toMatchObject([{ id: 'app_gone' }])
})

test('what is in two places is a line each, and is not written', async () => {
  const [one, two] = [account('01', 1, 'ada@example.com'), account('02', 2, 'ada@example.com')]
  databases['DB_01']?.exec(`insert into tenants (id, name, created_at) values ('ten_x', 'x', 1)`)
  databases['DB_02']?.exec(`insert into tenants (id, name, created_at) values ('ten_x', 'x', 1)`)
  const { by, ran } = executor()
  const repair = await repairDirectory(await databasesBy(state, by), true)
  expect(repair.conflicts).toEqual([
    `ada@example.com is the address of ${one} of ten_1 in shard 01 and ${two} of ten_2 in shard 02; the directory has no entry.`,
    'The tenant ten_x is in shard 01 and 02; the directory says nothing.',
  ])
  expect(ran.filter((call) => call.startsWith('write'))).toEqual([])
  expect(reportOf(repair, true)[0]).toMatch(/^Conflict, not changed: ada@example\.com/)
})

test('a database that does not answer ends it before anything is written', async () => {
  account('01', 1)
  const { by, ran } = executor()
  const failing: Wrangler = (args, stdin) =>
    args[2] === 'DB_02' ? Promise.resolve({ code: 1, stdout: '', stderr: 'no answer' }) : by(args, stdin)
  await expect(repairDirectory(await databasesBy(state, failing), true)).rejects.toThrow('no answer')
  expect(ran.filter((one) => one.startsWith('write'))).toEqual([])
})
