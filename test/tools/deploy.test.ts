import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { deploy } from '../../tools/deploy.ts'
import { databasesBy } from '../../tools/directory.ts'
import { METADATA_INDEXES, plan } from '../../tools/provision.ts'
import { SECRET_NAMES } from '../../tools/secrets.ts'
import { ROOT, wranglerIn } from '../../tools/wrangler.ts'
import { CloudflareApi } from './cloudflare-api.ts'
import { oneWrangler } from './one-wrangler.ts'
import { Account } from './wrangler-stand-in.ts'

const CONFIG = join(ROOT, 'wrangler.deploy.json')
afterEach(() => rmSync(CONFIG, { force: true }))

/** The configuration of the last deployment. */
const written = () => JSON.parse(readFileSync(CONFIG, 'utf8'))

/** Deploys into an account; `ready` lists the responses of /ready in order. */
async function run(
  account: Pick<Account, 'wrangler'>,
  { dryRun = false, ready = [200], staging = false, openSignups = false } = {},
) {
  const said: string[] = []
  const asked: string[] = []
  const fetch = async (url: string): Promise<Response> => {
    asked.push(url)
    return new Response('{}', { status: ready.shift() ?? 503 })
  }
  const address = await deploy({
    dryRun,
    staging,
    openSignups,
    by: account.wrangler,
    say: (line) => said.push(line),
    fetch,
    pauseMs: 0,
  })
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
    'd1 migrations apply DB --remote --config wrangler.deploy.json',
    'd1 migrations apply AUDIT_DB --remote --config wrangler.deploy.json',
    'deploy --config wrangler.deploy.json',
    'deploy --config wrangler.deploy.json --var PUBLIC_HOSTS:recollect.example.workers.dev',
  ])
  expect(address).toBe('https://recollect.example.workers.dev')
  expect(asked).toEqual(Array.from({ length: 3 }, () => 'https://recollect.example.workers.dev/ready'))
})

test('the deployed configuration names the account’s databases, at the top level only', async () => {
  await run(new Account())
  const { d1_databases, env } = written()
  const idOf = ({ database_name, database_id }: { database_name: string; database_id: string }) => [
    database_name,
    database_id,
  ]
  expect(d1_databases.map(idOf)).toEqual([
    ['recollect', 'uuid-of-recollect'],
    ['recollect-audit', 'uuid-of-recollect-audit'],
  ])
  expect(env.local.d1_databases.map(idOf)[0]).toEqual(['recollect-local', '00000000-0000-0000-0000-000000000000'])
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
  expect(said[0]).toContain('You are not logged in')
  expect(said).toContain('would create the queue recollect-embed')
})

test('a secret of the account that is for local use stops a deployment before anything (contract §7)', async () => {
  const account = new Account()
  account.secrets.set('LIMITS_FACTOR', '9')
  await expect(run(account)).rejects.toThrow('LIMITS_FACTOR')
  expect(account.changes).toEqual([])
})

test('DATA_REGION is where the databases are made, and told where D1 knows it not', () => {
  const account = {
    databases: new Map(),
    queues: new Set<string>(),
    indexes: new Set(['i']),
    metadataIndexes: new Set(Object.keys(METADATA_INDEXES)),
    secrets: new Set<string>(SECRET_NAMES),
  }
  const stepsIn = (region?: string) =>
    plan(
      {
        worker: 'w',
        vars: region === undefined ? {} : { DATA_REGION: region },
        hosts: [],
        domains: [],
        databases: [{ binding: 'DB', name: 'db' }],
        queues: [],
        index: { name: 'i', dimensions: 1 },
      },
      account,
    )
  const plain = ['d1', 'create', 'db']
  expect(stepsIn()).toEqual([{ title: 'create the database db', args: plain }])
  expect(stepsIn('weur')).toEqual([{ title: 'create the database db in weur', args: [...plain, '--location=weur'] }])
  expect(stepsIn('afr')).toEqual([{ title: 'create the database db near here (D1 has no region afr)', args: plain }])
})

test('an index of another dimension is kept, and one with the dimension in its name is made and used', async () => {
  const account = new Account()
  account.indexes.set('recollect', new Set(Object.keys(METADATA_INDEXES)))
  account.dimensions.set('recollect', 768)
  const { said } = await run(account)
  expect(account.dimensions).toEqual(
    new Map([
      ['recollect', 768],
      ['recollect-1024', 1_024],
    ]),
  )
  expect([...(account.indexes.get('recollect-1024') ?? [])]).toEqual(Object.keys(METADATA_INDEXES))
  expect(written().vectorize).toEqual([{ binding: 'VECTORIZE', index_name: 'recollect-1024' }])
  expect(said.join('\n')).toContain('The index recollect has a different dimension or metric.')
  const before = account.changes.length
  await run(account)
  expect(account.changes.slice(before).map((line) => line.split(' ')[0])).toEqual(['d1', 'd1', 'deploy', 'deploy'])
})

test('once the index of the other dimension is deleted, the one that has the vectors stays in use', async () => {
  const account = new Account()
  account.dimensions.set('recollect', 768)
  await run(account)
  account.dimensions.delete('recollect')
  const { said } = await run(account)
  expect(written().vectorize).toEqual([{ binding: 'VECTORIZE', index_name: 'recollect-1024' }])
  expect([...account.dimensions.keys()]).toEqual(['recollect-1024'])
  expect(said).toContain('Vector index: recollect-1024.')
  expect(said.join('\n')).not.toContain('Delete it')
})

test('two indexes of another dimension or metric leave no name, and nothing is made', async () => {
  const account = new Account()
  account.dimensions.set('recollect', 768).set('recollect-1024', 1_024)
  account.metrics.set('recollect-1024', 'euclidean')
  await expect(run(account)).rejects.toThrow('are indexes with a different dimension or metric. Delete one of them.')
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
  await expect(run(new Account(), { ready: [] })).rejects.toThrow('/ready does not return 200: 503')
})

describe('the real wrangler', () => {
  test('fails to say who is logged in where nobody is', async () => {
    const home = mkdtempSync(join(tmpdir(), 'recollect-wrangler-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const env = { XDG_CONFIG_HOME: home, HOME: home, CLOUDFLARE_API_TOKEN: '', CI: 'true' }
    const { code, stdout } = await wranglerIn(env)(['whoami', '--json'])
    expect(code).not.toBe(0)
    expect(stdout).not.toContain('"loggedIn": true')
  })

  test('deploys into an account, then has nothing more to make; the stand-in says the same', async () => {
    const api = new CloudflareApi()
    const wrangler = oneWrangler(await api.start())
    try {
      // More than one page of queues; one of the service's is missing.
      const queues = ['audit', 'audit-dlq', 'delivery', 'delivery-dlq', 'embed', 'embed-dlq', 'events', 'events-dlq']
      api.queues.push(
        'of-another-service',
        ...queues.map((name) => `recollect-${name}`),
        'yet-another',
        'recollect-purge',
      )
      const { address } = await run({ wrangler })
      expect(address).toBe('https://recollect.example.workers.dev')
      for (const [name, table] of [
        ['recollect', 'memory_words'],
        ['recollect-audit', 'audit_pages'],
      ] as const) {
        const found = api.databases
          .get(name)
          ?.prepare('select 1 as is_there from sqlite_schema where name = ?')
          .get(table)
        expect(found, name).toEqual({ is_there: 1 })
      }
      // The commands for a deployment reach the same databases, though wrangler.toml has no ids.
      for (const [kind, table] of [
        ['DB', 'memory_items'],
        ['AUDIT_DB', 'audit_pages'],
      ] as const) {
        const deployed = await databasesBy(null, wrangler, kind)
        expect(await deployed.read('00', `select count(*) as items from ${table}`)).toEqual([{ items: 0 }])
      }
      expect(api.queues.filter((name) => name === 'recollect-purge-dlq')).toHaveLength(1)
      expect(api.indexes.get('recollect')?.dimensions).toBe(1_024)
      expect(Object.fromEntries(api.indexes.get('recollect')?.properties ?? [])).toEqual(METADATA_INDEXES)
      expect([...api.secrets.keys()]).toEqual([...SECRET_NAMES])
      for (const ring of api.secrets.values()) expect(ring).toMatch(/^k1:[\w-]{43}$/)
      expect(api.worker?.bindings.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['DB', 'AUDIT_DB', 'VECTORIZE', 'AI', 'USER_HUB', 'EMBED_QUEUE', 'PUBLIC_HOSTS']),
      )

      const standIn = new Account()
      await run(standIn)
      const again = await run({ wrangler }, { dryRun: true })
      expect(again.said).toEqual((await run(standIn, { dryRun: true })).said)
      expect(again.said.join('\n')).not.toMatch(/create|generate|index the/)
    } finally {
      api.stop()
    }
  })
})

test('a staging service has names of its own for everything, and shares nothing with production', async () => {
  const account = new Account()
  await run(account)
  const [before, databases, queues] = [account.changes.length, [...account.databases.keys()], [...account.queues]]
  await run(account, { staging: true })
  expect([...account.databases.keys()].slice(databases.length)).toEqual(
    databases.map((name) => name.replace('recollect', 'recollect-staging')),
  )
  expect(account.queues.slice(queues.length).toSorted()).toEqual(
    queues.map((name) => name.replace('recollect', 'recollect-staging')).toSorted(),
  )
  expect([...account.indexes.keys()]).toEqual(['recollect', 'recollect-staging'])
  // Its secrets are looked for, and made, under its own name.
  const asked = account.calls.map(({ args }) => args.join(' '))
  expect(asked).toContain('secret list --name recollect-staging --format json')
  expect(account.changes.slice(before).join('\n')).not.toMatch(/recollect(?!-staging)[ -]/)
  const { name, d1_databases } = written()
  expect(name).toBe('recollect-staging')
  expect(d1_databases[0]).toMatchObject({
    database_name: 'recollect-staging',
    database_id: 'uuid-of-recollect-staging',
  })
})

test.each([{}, { staging: true }, { openSignups: true }, { dryRun: true }])(
  'deploy never guesses PUBLIC_ORIGIN: %j',
  async (options) => {
    const account = new Account()
    for (const _ of ['first', 'again']) {
      await run(account, options)
      const commands = account.calls.map(({ args, stdin }) => `${args.join(' ')} ${stdin ?? ''}`)
      expect(commands.join('\n')).not.toContain('PUBLIC_ORIGIN')
      expect(existsSync(CONFIG) ? JSON.stringify(written()) : '').not.toContain('PUBLIC_ORIGIN')
    }
    expect(existsSync(CONFIG)).toBe(options.dryRun !== true)
  },
)

test('the first account needs no edit and no second deployment: the address of the sign-up is the last thing said before', async () => {
  const { said } = await run(new Account())
  expect(said.at(-2)).toContain('https://recollect.example.workers.dev/portal/sign-up. Sign-ups close after it.')
})

test('sign-ups are open until the next deployment, without an edit of a file', async () => {
  const account = new Account()
  const { said } = await run(account, { openSignups: true })
  expect(
    account.changes.filter((line) => line.startsWith('deploy ')).every((line) => line.endsWith('--var SIGNUPS:open')),
  ).toBe(true)
  expect(said.join('\n')).toContain('/portal/sign-up')
  const before = account.changes.length
  await run(account)
  expect(account.changes.slice(before).join('\n')).not.toContain('SIGNUPS')
})
