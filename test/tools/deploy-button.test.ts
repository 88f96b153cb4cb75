// What the Deploy to Cloudflare button reads of this repository, and what its build then does
// (developers.cloudflare.com/workers/platform/deploy-buttons).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { experimental_readRawConfig } from 'wrangler'
import { deploy } from '../../tools/deploy.ts'
import { METADATA_INDEXES } from '../../tools/provision.ts'
import { SECRET_NAMES } from '../../tools/secrets.ts'
import { ROOT } from '../../tools/wrangler.ts'
import { Account } from './wrangler-stand-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'recollect-button-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
/** Of this file alone: test files run beside each other. */
const WRITES = '.wrangler.button.json'
const CONFIG = join(ROOT, WRITES)
afterEach(() => rmSync(CONFIG, { force: true }))

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const manifest = JSON.parse(read('package.json'))
const { rawConfig: source } = experimental_readRawConfig({ config: join(ROOT, 'wrangler.toml') })

const boundIn = (list: readonly { binding: string }[] = []): string[] => list.map(({ binding }) => binding)

/** The repository as the button leaves it: what the person named on its page, written anew in another form. */
function afterTheButton(): string {
  const named = JSON.parse(JSON.stringify(source).replaceAll(/"recollect(?=[-"])/g, '"notes'))
  named.name = 'my-notes'
  named.d1_databases[0].database_name = 'people'
  named.d1_databases[0].database_id = 'uuid-of-people'
  const file = join(folder, 'wrangler.json')
  writeFileSync(file, JSON.stringify(named, null, 1))
  return file
}

async function run(account: Account, config?: string, staging = false): Promise<string[]> {
  const said: string[] = []
  await deploy({
    dryRun: false,
    staging,
    by: account.wrangler,
    say: (line) => said.push(line),
    fetch: async () => new Response('{}'),
    pauseMs: 0,
    writes: WRITES,
    ...(config === undefined ? {} : { config }),
  })
  return said
}

test('each binding and variable of the deployment is described, and nothing else is', () => {
  const bindings = [
    ...boundIn(source.d1_databases),
    ...boundIn(source.vectorize),
    'AI',
    ...boundIn(source.queues?.producers),
    ...Object.keys(source.vars ?? {}),
  ]
  expect(Object.keys(manifest.cloudflare.bindings)).toEqual(bindings)
  for (const { description } of Object.values<{ description: string }>(manifest.cloudflare.bindings))
    expect(description).toMatch(/^[A-Z`].*\.$/)
  // The dimension that a person is told to enter is that of the model.
  expect(manifest.cloudflare.bindings.VECTORIZE.description).toContain(`\`${source.vars?.['WORKERS_AI_DIMENSION']}\``)
})

test('every resource has a default name, and every database a default id', () => {
  for (const { database_name, database_id } of source.d1_databases ?? [])
    expect([database_name, database_id]).toEqual([expect.stringMatching(/^recollect/), expect.stringMatching(/^0{8}-/)])
  for (const { queue } of [...(source.queues?.producers ?? []), ...(source.queues?.consumers ?? [])])
    expect(queue).toMatch(/^recollect-/)
})

test('the commands that it fills in are the ones of this repository, and the build needs no account', () => {
  expect(manifest.scripts.deploy).toContain('tools/deploy.ts')
  expect(manifest.scripts.build).toContain(source.build?.command?.replace('node ', '') ?? 'no build command')
})

test('it asks for no secret: an example that somebody accepts would be a key that everybody knows', async () => {
  const lines = read('.dev.vars.example').split('\n').filter(Boolean)
  expect(lines.filter((line) => !line.startsWith('#'))).toEqual([])
  const account = new Account()
  await run(account)
  expect([...account.secrets.keys()]).toEqual([...SECRET_NAMES])
})

test('its build takes the names and ids that the person chose, and makes what the button left out', async () => {
  const account = new Account()
  account.databases.set('people', 'uuid-of-people')
  account.databases.set('notes-audit', 'uuid-of-notes-audit')
  for (const name of ['embed', 'purge', 'events', 'delivery', 'audit']) account.queues.push(`notes-${name}`)
  account.indexes.set('notes', new Set())
  account.dimensions.set('notes', 1_024)
  await run(account, afterTheButton())
  expect(account.changes).toEqual([
    ...['audit', 'delivery', 'embed', 'events', 'purge'].map((name) => `queues create notes-${name}-dlq`),
    ...Object.entries(METADATA_INDEXES).map(
      ([name, type]) => `vectorize create-metadata-index notes --propertyName=${name} --type=${type}`,
    ),
    'secret bulk --name my-notes',
    'd1 migrations apply DB --remote --config .wrangler.button.json',
    'd1 migrations apply AUDIT_DB --remote --config .wrangler.button.json',
    'deploy --config .wrangler.button.json',
    'deploy --config .wrangler.button.json --var PUBLIC_HOSTS:recollect.example.workers.dev',
  ])
  const written = JSON.parse(readFileSync(CONFIG, 'utf8'))
  expect(written.name).toBe('my-notes')
  expect(written.d1_databases.map((one: { database_id: string }) => one.database_id)).toEqual([
    'uuid-of-people',
    'uuid-of-notes-audit',
  ])
})

test('an index that the person gave another metric is left alone; where both names are taken wrongly it says so', async () => {
  const account = new Account()
  account.indexes.set('recollect', new Set())
  account.dimensions.set('recollect', 1_024)
  account.metrics.set('recollect', 'euclidean')
  await run(account)
  expect(account.dimensions.get('recollect-1024')).toBe(1_024)
  expect(JSON.parse(readFileSync(CONFIG, 'utf8')).vectorize[0].index_name).toBe('recollect-1024')
  account.metrics.set('recollect-1024', 'dot-product')
  await expect(run(account)).rejects.toThrow(
    'recollect and recollect-1024 are indexes with a different dimension or metric',
  )
})

test.each([
  ['d1', 'D1'],
  ['queues', 'Queues'],
  ['vectorize', 'Vectorize'],
])('a build whose token may not read %s stops before anything, and names the permission', async (group, product) => {
  const account = new Account()
  const by = account.wrangler
  const limited: typeof by = async (args, stdin) =>
    args[0] === group
      ? { code: 1, stdout: '', stderr: 'A request to the Cloudflare API failed. Authentication error [code: 10000]' }
      : by(args, stdin)
  const work = deploy({ dryRun: false, by: limited, say: () => {}, fetch, pauseMs: 0, writes: WRITES })
  await expect(work).rejects.toThrow(`The API token cannot read ${product}: give it permission to edit ${product}`)
  expect(account.changes).toEqual([])
})

test('staging shares nothing with production, also where names were chosen and production has a domain', async () => {
  const file = afterTheButton()
  const chosen = JSON.parse(readFileSync(file, 'utf8'))
  chosen.routes = [{ pattern: 'memory.example.com', custom_domain: true }]
  chosen.vars.PUBLIC_ORIGIN = 'https://memory.example.com'
  chosen.vars.PUBLIC_HOSTS = 'memory.example.com'
  chosen.workers_dev = false
  writeFileSync(file, JSON.stringify(chosen))
  const account = new Account()
  await run(account, file, true)
  expect([...account.databases.keys()]).toEqual(['people-staging', 'notes-audit-staging'])
  expect(account.queues.every((name) => name.endsWith('-staging'))).toBe(true)
  expect([...account.dimensions.keys()]).toEqual(['notes-staging'])
  const written = JSON.parse(readFileSync(CONFIG, 'utf8'))
  expect(written).toMatchObject({ name: 'my-notes-staging', workers_dev: true })
  expect(JSON.stringify({ ...written, env: null })).not.toContain('memory.example.com')
})
