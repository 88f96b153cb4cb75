import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { deploy } from '../../tools/deploy.ts'
import { METADATA_INDEXES, refuseLocalOnly } from '../../tools/provision.ts'
import { SECRET_NAMES } from '../../tools/secrets.ts'
import { ROOT } from '../../tools/wrangler.ts'
import { Account } from './wrangler-stand-in.ts'

const CONFIG = join(ROOT, 'wrangler.deploy.toml')
afterEach(() => rmSync(CONFIG, { force: true }))

/** Deploys into an account; `ready` are the answers of /ready, one after another. */
async function run(account: Account, { dryRun = false, ready = [200] } = {}) {
  const said: string[] = []
  const asked: string[] = []
  const fetch = async (url: string): Promise<Response> => {
    asked.push(url)
    return new Response('{}', { status: ready.shift() ?? 503 })
  }
  const address = await deploy({ dryRun, by: account.wrangler, say: (line) => said.push(line), fetch, pauseMs: 0 })
  return { address, said, asked }
}

test('an empty account gets everything, then the Worker, then a look at /ready', async () => {
  const account = new Account()
  const { address, asked } = await run(account, { ready: [503, 404, 200] })
  expect([...account.databases.keys()]).toEqual(['recollect', 'recollect-audit'])
  const queues = ['embed', 'purge', 'events', 'delivery', 'audit'].map((name) => `recollect-${name}`)
  expect(account.queues.toSorted()).toEqual(queues.flatMap((name) => [name, `${name}-dlq`]).sort())
  expect([...(account.indexes.get('recollect') ?? [])]).toEqual(Object.keys(METADATA_INDEXES))
  expect(account.changes.slice(-4)).toEqual([
    'd1 migrations apply DB --remote --config wrangler.deploy.toml',
    'd1 migrations apply AUDIT_DB --remote --config wrangler.deploy.toml',
    'deploy --config wrangler.deploy.toml',
    'deploy --config wrangler.deploy.toml --var PUBLIC_HOSTS:recollect.example.workers.dev',
  ])
  expect(address).toBe('https://recollect.example.workers.dev')
  expect(asked).toEqual(Array.from({ length: 3 }, () => 'https://recollect.example.workers.dev/ready'))
})

test('the deployed configuration names the account’s databases, at the top level only', async () => {
  await run(new Account())
  const config = readFileSync(CONFIG, 'utf8')
  expect(config).toContain('database_name = "recollect"\ndatabase_id = "uuid-of-recollect"')
  expect(config).toContain('database_name = "recollect-audit"\ndatabase_id = "uuid-of-recollect-audit"')
  expect(config).toContain('database_name = "recollect-local"\ndatabase_id = "00000000-')
})

test('a second deployment makes nothing and keeps every secret', async () => {
  const account = new Account()
  await run(account)
  const secrets = new Map(account.secrets)
  const before = account.changes.length
  await run(account)
  expect(account.changes.slice(before).map((line) => line.split(' ')[0])).toEqual(['d1', 'd1', 'deploy', 'deploy'])
  expect(account.secrets).toEqual(secrets)
})

test('only what is missing is made', async () => {
  const account = new Account()
  await run(account)
  account.queues.splice(account.queues.indexOf('recollect-audit-dlq'), 1)
  account.secrets.delete('DATA_KEYS')
  const before = account.changes.length
  await run(account)
  expect(account.changes.slice(before, -4)).toEqual([
    'queues create recollect-audit-dlq',
    'secret bulk --name recollect',
  ])
  expect(
    Object.keys(JSON.parse(account.calls.find(({ stdin }) => stdin && !stdin.includes('TOKEN'))?.stdin ?? '{}')),
  ).toEqual(['DATA_KEYS'])
})

test('secrets are random, go through stdin, and stand on no command line and in no output', async () => {
  const account = new Account()
  const { said } = await run(account)
  expect([...account.secrets.keys()]).toEqual([...SECRET_NAMES])
  expect(new Set(account.secrets.values()).size).toBe(SECRET_NAMES.length)
  const visible = [...said, ...account.calls.map(({ args }) => args.join(' '))].join('\n')
  for (const value of account.secrets.values()) {
    expect(value).toMatch(/^k1:[\w-]{43}$/)
    expect(visible).not.toContain(value.slice(3))
  }
})

test('a dry run changes nothing and says what it would do', async () => {
  const account = new Account()
  const { address, said } = await run(account, { dryRun: true })
  expect(address).toBeNull()
  expect(account.changes).toEqual([])
  expect(existsSync(CONFIG)).toBe(false)
  expect(said).toContain('would create the database recollect')
  expect(said).toContain('would deploy the Worker recollect')
})

test('without a login it stops before anything, and a dry run shows the plan for an empty account', async () => {
  const account = new Account()
  account.loggedIn = false
  await expect(run(account)).rejects.toThrow('wrangler login')
  expect(account.changes).toEqual([])
  const { said } = await run(account, { dryRun: true })
  expect(said[0]).toContain('Nobody is logged in')
  expect(said).toContain('would create the queue recollect-embed')
})

test('a variable for local use is refused, as a variable and as a secret (contract §7)', async () => {
  for (const name of ['ALLOW_LOOPBACK_REDIRECTS', 'ALLOW_PRIVATE_WEBHOOKS', 'LIMITS_FACTOR']) {
    expect(() => refuseLocalOnly(['SIGNUPS', name])).toThrow(name)
  }
  expect(() => refuseLocalOnly(['SIGNUPS', 'ENVIRONMENT'])).not.toThrow()
  const account = new Account()
  account.secrets.set('LIMITS_FACTOR', '9')
  await expect(run(account)).rejects.toThrow('LIMITS_FACTOR')
  expect(account.changes).toEqual([])
})

test('a command that fails stops the deployment and says why', async () => {
  const account = new Account()
  const by = account.wrangler
  const broken: typeof by = async (args, stdin) =>
    args[0] === 'queues' && args[1] === 'create' ? { code: 1, stdout: '', stderr: 'no quota' } : by(args, stdin)
  const work = deploy({ dryRun: false, by: broken, say: () => {}, fetch, pauseMs: 0 })
  await expect(work).rejects.toThrow('no quota')
  expect(account.changes.join('\n')).not.toContain('deploy --config')
})

test('a service that never gets ready is a failure', async () => {
  await expect(run(new Account(), { ready: [] })).rejects.toThrow('/ready does not answer 200: 503')
})
