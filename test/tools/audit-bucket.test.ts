import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { auditBucket, withBucket } from '../../tools/audit-bucket.ts'
import { objectsIn } from '../../tools/backup.ts'
import { deploy } from '../../tools/deploy.ts'
import { addBucket, configArguments, readBucket } from '../../tools/local-shards.ts'
import { ROOT, type Wrangler } from '../../tools/wrangler.ts'
import { CloudflareApi } from './cloudflare-api.ts'
import { oneWrangler } from './one-wrangler.ts'
import { Account } from './wrangler-stand-in.ts'

/** Beside those of other test files, which run at the same time. */
const WRITES = `.wrangler.bucket.${process.pid}.json`
const LOCAL = `.wrangler.local-bucket.${process.pid}.json`
const folders: string[] = []
afterEach(() => {
  for (const path of [join(ROOT, WRITES), join(ROOT, LOCAL), ...folders.splice(0)])
    rmSync(path, { recursive: true, force: true })
})

async function run(by: Wrangler, options: { auditBucket?: string; dryRun?: boolean; staging?: boolean } = {}) {
  const said: string[] = []
  const fetch = () => Promise.resolve(new Response('{}'))
  await deploy({
    dryRun: false,
    ...options,
    by,
    say: (line) => void said.push(line),
    fetch,
    pauseMs: 0,
    writes: WRITES,
  })
  return said
}

const BOUND = { AUDIT_BUCKET: 'recollect-log' }

test('--audit-bucket makes the bucket and binds it, and a plain deployment binds it again, wherever it runs', async () => {
  const account = new Account()
  await run(account.wrangler)
  expect([account.buckets, account.bound]).toEqual([[], {}])
  expect(await run(account.wrangler, { auditBucket: 'recollect-log' })).toContain(
    'Audit log: the bucket recollect-log, from now on.',
  )
  expect([account.buckets, account.bound]).toEqual([['recollect-log'], BOUND])
  // As in CI: nothing is left of the last deployment.
  rmSync(join(ROOT, WRITES))
  const before = account.changes.length
  expect(await run(account.wrangler)).toContain('Audit log: the bucket recollect-log.')
  expect(account.bound).toEqual(BOUND)
  expect(account.changes.slice(before).filter((line) => line.startsWith('r2'))).toEqual([])
  await run(account.wrangler, { auditBucket: 'recollect-log' })
  expect([account.buckets, account.bound]).toEqual([['recollect-log'], BOUND])
})

test('it works with the first deployment, and goes on after it broke off at any step', async () => {
  for (let step = 1; step < 40; step++) {
    const account = new Account()
    let calls = 0
    const breaking: Wrangler = (args, stdin) => {
      calls += 1
      if (calls === step) throw new Error('broken off')
      return account.wrangler(args, stdin)
    }
    const first = await run(breaking, { auditBucket: 'recollect-log' }).catch((error: Error) => error.message)
    if (first !== 'broken off') return
    await run(account.wrangler, { auditBucket: 'recollect-log' })
    expect([account.buckets, account.bound]).toEqual([['recollect-log'], BOUND])
  }
  throw new Error('a deployment has more steps than were tried')
})

test('an account without R2, another bucket and a wrong name are refused in one line, before anything is deployed', async () => {
  const account = new Account()
  account.hasR2 = false
  await expect(run(account.wrangler, { auditBucket: 'recollect-log' })).rejects.toThrow(/^R2 is not enabled.*$/)
  expect(account.bound).toBeNull()
  expect([...account.databases]).toEqual([])
  account.hasR2 = true
  for (const name of ['', 'ab', 'Log', 'a_b', '-abc', 'a'.repeat(64)])
    await expect(run(account.wrangler, { auditBucket: name })).rejects.toThrow(/^--audit-bucket must be the name.*$/)
  await run(account.wrangler, { auditBucket: 'recollect-log' })
  const before = account.changes.length
  await expect(run(account.wrangler, { auditBucket: 'another' })).rejects.toThrow(
    'The audit log is in the bucket recollect-log, and would not be found in another.',
  )
  expect(account.changes).toHaveLength(before)
})

test('where the bound bucket cannot be read nothing is deployed: the bucket would be unbound', async () => {
  const account = new Account()
  await run(account.wrangler, { auditBucket: 'recollect-log' })
  const before = account.changes.length
  for (const command of ['deployments', 'versions']) {
    const failing: Wrangler = (args, stdin) =>
      args[0] === command
        ? Promise.resolve({ code: 1, stdout: '', stderr: 'A request to the Cloudflare API failed. [code: 10001]' })
        : account.wrangler(args, stdin)
    await expect(run(failing)).rejects.toThrow('10001')
  }
  expect(account.changes).toHaveLength(before)
})

test('a dry run says what it would do and makes no bucket; a staging service has one of its own', async () => {
  const account = new Account()
  const said = await run(account.wrangler, { auditBucket: 'recollect-log', dryRun: true })
  expect(said).toContain('would create the bucket recollect-log unless it exists')
  expect([account.buckets, account.bound]).toEqual([[], null])
  await run(account.wrangler, { auditBucket: 'recollect-log', staging: true })
  expect(account.bound).toEqual({ AUDIT_BUCKET: 'recollect-log-staging' })
  await run(account.wrangler, { staging: true })
  expect([account.buckets, account.bound]).toEqual([
    ['recollect-log-staging'],
    { AUDIT_BUCKET: 'recollect-log-staging' },
  ])
})

test('a bucket that wrangler.toml names is the one, and other buckets stay', async () => {
  const source = {
    name: 'recollect',
    r2_buckets: [
      { binding: 'FILES', bucket_name: 'files' },
      { binding: 'AUDIT_BUCKET', bucket_name: 'named' },
    ],
  } as never
  expect(await auditBucket({ option: undefined, source, staging: false, by: null })).toEqual({
    name: 'named',
    isNew: false,
  })
  await expect(auditBucket({ option: 'other', source, staging: false, by: null })).rejects.toThrow(
    'is in the bucket named',
  )
  expect(withBucket(source, 'named')).toEqual(source)
})

test('the real wrangler tells the bucket that a Worker is bound to, and that there is no Worker', async () => {
  const api = new CloudflareApi()
  const by = oneWrangler(await api.start())
  const ask = () => auditBucket({ option: undefined, source: { name: 'recollect' }, staging: false, by })
  try {
    expect(await ask()).toEqual({ name: null, isNew: false })
    api.worker = { bindings: [{ type: 'r2_bucket', name: 'AUDIT_BUCKET', bucket_name: 'kept' }] }
    expect(await ask()).toEqual({ name: 'kept', isNew: false })
  } finally {
    api.stop()
  }
})

test('locally --audit-bucket adds a bucket to [env.local], and the data remembers it', () => {
  expect(readBucket(['--port', '9000', '--audit-bucket'])).toEqual({ bucket: true, rest: ['--port', '9000'] })
  expect(readBucket(['--port', '9000'])).toEqual({ bucket: false, rest: ['--port', '9000'] })
  const state = join(mkdtempSync(join(tmpdir(), 'recollect-state-')), 'state')
  folders.push(state)
  expect([addBucket(state, false), addBucket(state, true), addBucket(state, false)]).toEqual([false, true, true])
  expect(configArguments(state, 1)).toEqual(['--env', 'local'])
  for (const shards of [1, 2]) {
    const written = configArguments(state, shards, { bucket: true, writes: LOCAL })
    expect(written).toEqual(['--config', LOCAL, '--env', 'local'])
    const { env } = JSON.parse(readFileSync(join(ROOT, LOCAL), 'utf8'))
    expect(env.local.r2_buckets).toEqual([{ binding: 'AUDIT_BUCKET', bucket_name: 'recollect-local-audit' }])
    expect(env.local.d1_databases).toHaveLength(2 * shards)
  }
})

test('a backup counts the objects that it does not hold', () => {
  const file = (rows: [string, number][]) => ({ file: 'x', rows })
  expect(objectsIn([file([['users', 3]]), file([['audit_objects', 2]]), file([['audit_objects', 5]])])).toBe(7)
  expect(objectsIn([file([['users', 3]])])).toBe(0)
})
