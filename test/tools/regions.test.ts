import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { deploy } from '../../tools/deploy.ts'
import { readShards, regionArguments } from '../../tools/local-shards.ts'
import { withRegions, readRegions, regionsAsked } from '../../tools/regions.ts'
import { ROOT, type Wrangler } from '../../tools/wrangler.ts'
import { CloudflareApi } from './cloudflare-api.ts'
import { oneWrangler } from './one-wrangler.ts'
import { Account, READING } from './wrangler-stand-in.ts'

/** Beside those of other test files, which run at the same time. */
const WRITES = `.wrangler.of-regions.${process.pid}.json`
const SOURCE = join(ROOT, `.wrangler.of-regions.${process.pid}.toml`)
const folders: string[] = []
afterEach(() => {
  for (const path of [join(ROOT, WRITES), SOURCE, ...folders.splice(0)]) rmSync(path, { recursive: true, force: true })
})

interface Asked {
  shards?: string
  regions?: string
  /** What [vars] says. */
  variable?: string
  dryRun?: boolean
  staging?: boolean
}

async function run(by: Wrangler, { variable, ...options }: Asked = {}) {
  const said: string[] = []
  const text = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')
  const line = variable === undefined ? '' : `SHARD_REGIONS = ${JSON.stringify(variable)}\n`
  writeFileSync(SOURCE, text.replace('[vars]\n', `[vars]\n${line}`))
  const fetch = () => Promise.resolve(new Response('{}'))
  const say = (one: string) => void said.push(one)
  await deploy({ dryRun: false, ...options, config: SOURCE, by, say, fetch, pauseMs: 0, writes: WRITES })
  return said
}

/** `SHARD_REGIONS` as the last deployment wrote it. */
const written = (): unknown => JSON.parse(readFileSync(join(ROOT, WRITES), 'utf8')).vars.SHARD_REGIONS

const THREE = { shards: '3', regions: 'weur,enam,oc' }

test('--regions makes both databases of each shard where it says, and SHARD_REGIONS says so', async () => {
  const account = new Account()
  const said = await run(account.wrangler, THREE)
  expect([...account.regions]).toEqual([
    ['recollect', 'weur'],
    ['recollect-audit', 'weur'],
    ['recollect-01', 'enam'],
    ['recollect-audit-01', 'enam'],
    ['recollect-02', 'oc'],
    ['recollect-audit-02', 'oc'],
  ])
  expect(said).toContain('create the database recollect-audit-01 in enam')
  expect(said).toContain('Regions: 00:weur,01:enam,02:oc.')
  expect([written(), account.vars?.['SHARD_REGIONS']]).toEqual(['00:weur,01:enam,02:oc', '00:weur,01:enam,02:oc'])
})

test('a plain deployment knows the regions again, the same one changes nothing, and more shards add theirs', async () => {
  const account = new Account()
  await run(account.wrangler, THREE)
  await run(account.wrangler)
  expect(written()).toBe('00:weur,01:enam,02:oc')
  await run(account.wrangler, THREE)
  expect(written()).toBe('00:weur,01:enam,02:oc')
  await run(account.wrangler, { shards: '4', regions: 'weur,enam,oc,weur' })
  expect(written()).toBe('00:weur,01:enam,02:oc,03:weur')
  expect(account.regions.get('recollect-audit-03')).toBe('weur')
  expect(account.databases.size).toBe(8)
})

test('a plain deployment knows regions that are all the same by the Worker, of one shard too', async () => {
  for (const [options, text] of [
    [{ regions: 'apac' }, '00:apac'],
    [{ shards: '2', regions: 'weur,weur' }, '00:weur,01:weur'],
  ] as const) {
    const account = new Account()
    await run(account.wrangler, options)
    await run(account.wrangler)
    expect(written()).toBe(text)
  }
})

test('a deployment without regions writes none, however many shards it has, and asks a single one for nothing', async () => {
  const account = new Account()
  await run(account.wrangler)
  expect(written()).toBeUndefined()
  expect(account.calls.filter(({ args }) => args[1] === 'execute')).toEqual([])
  for (const name of ['recollect', 'recollect-01', 'recollect-02']) account.regions.set(name, 'eeur')
  await run(account.wrangler, { shards: '3' })
  expect(written()).toBeUndefined()
})

test('a deployment that broke off at any step is completed by a plain one, each shard in one place', async () => {
  const whole = new Account()
  await run(whole.wrangler, THREE)
  for (let step = 1; step <= whole.changes.length; step += 1) {
    const account = new Account()
    const broken: Wrangler = (args, stdin) =>
      account.changes.length >= step && !READING.test(args.join(' '))
        ? Promise.resolve({ code: 1, stdout: '', stderr: 'killed' })
        : account.wrangler(args, stdin)
    await run(broken, THREE).catch(() => undefined)
    await run(account.wrangler)
    const mains = [...account.databases.keys()].filter((name) => !name.includes('audit'))
    const auditOf = (main: string) => main.replace('recollect', 'recollect-audit')
    expect(mains.map((main) => account.regions.get(auditOf(main)))).toEqual(
      mains.map((main) => account.regions.get(main)),
    )
    // As soon as two regions are there they are known without the option.
    const known = ['00:weur', '01:enam', '02:oc'].slice(0, mains.length).join()
    expect(written(), String(step)).toBe(mains.length > 1 ? known : undefined)
    await run(account.wrangler, THREE)
    expect(account.regions).toEqual(whole.regions)
    expect(written()).toBe('00:weur,01:enam,02:oc')
  }
})

test('SHARD_REGIONS is where databases run, which need not be where they were to be made', async () => {
  const account = new Account()
  const elsewhere: Wrangler = async (args, stdin) => {
    const ran = await account.wrangler(args, stdin)
    if (args.join(' ').startsWith('d1 create recollect-01')) account.regions.set('recollect-01', 'wnam')
    return ran
  }
  const said = await run(elsewhere, THREE)
  expect(said).toContain('Shard 01 is in wnam, not in enam: a database cannot move.')
  expect(written()).toBe('00:weur,01:wnam,02:oc')
})

test('where D1 does not say where a database runs, what was asked for stays', async () => {
  const account = new Account()
  const silent: Wrangler = async (args, stdin) => {
    const ran = await account.wrangler(args, stdin)
    account.regions.clear()
    return ran
  }
  await run(silent, THREE)
  expect(written()).toBe('00:weur,01:enam,02:oc')
  await run(silent)
  expect(written()).toBe('00:weur,01:enam,02:oc')
})

test('what [vars] says of a shard is kept, an empty variable names none, and staging has its own', async () => {
  const account = new Account()
  await run(account.wrangler, { ...THREE, variable: '01:enam' })
  account.regions.set('recollect-01', 'apac')
  await run(account.wrangler, { variable: '01:enam' })
  expect(written()).toBe('00:weur,01:enam,02:oc')
  await run(account.wrangler, { variable: '' })
  expect(written()).toBe('')
  await run(account.wrangler, { variable: '00:weur,01:enam,02:oc', staging: true })
  expect(written()).toBeUndefined()
  expect(account.databases.has('recollect-staging')).toBe(true)
})

test.each([
  [{ regions: 'weur,enam' }, /^--regions must list one region per shard \(1 here\).*oc\.$/],
  [{ shards: '2', regions: 'weur' }, /\(2 here\)/],
  [{ shards: '2', regions: 'weur,sam' }, /\(2 here\)/],
  [{ shards: '2', regions: 'weur,' }, /\(2 here\)/],
  [{ regions: '' }, /\(1 here\)/],
  [{ regions: 'WEUR' }, /\(1 here\)/],
  [
    { variable: '00:moon' },
    /^SHARD_REGIONS must be entries such as 00:weur, and entry 1 does not have one of the regions wnam, enam, weur, eeur, apac, oc\.$/,
  ],
  [
    { variable: '00:weur,01:enam' },
    /^SHARD_REGIONS must be entries such as 00:weur, and entry 2 does not name a shard of this deployment\.$/,
  ],
  [
    { variable: '00:weur', regions: 'enam' },
    /^SHARD_REGIONS in \[vars\] puts shard 00 in weur, but --regions puts it elsewhere\.$/,
  ],
])('%j is refused in one line, before anything is made', async (options, line) => {
  const account = new Account()
  await expect(run(account.wrangler, options)).rejects.toThrow(line)
  expect(account.changes).toEqual([])
})

test('a dry run says where databases would be made, and changes nothing', async () => {
  const account = new Account()
  const said = await run(account.wrangler, { ...THREE, dryRun: true })
  expect(said).toContain('would create the database recollect-02 in oc')
  expect(account.changes).toEqual([])
  account.loggedIn = false
  expect(await run(account.wrangler, { ...THREE, dryRun: true })).toContain(
    'would create the database recollect-02 in oc',
  )
})

test('DATA_REGION is for databases whose shard nobody gave a region', () => {
  expect([...regionsAsked(undefined, 3)]).toEqual([])
  expect(readRegions(undefined, undefined, 1)).toEqual({ shards: 1, asked: new Map(), named: new Map(), none: false })
})

test('the real wrangler tells where a database runs, and what the Worker was deployed with', async () => {
  const api = new CloudflareApi()
  const by = oneWrangler(await api.start())
  onTestFinished(() => api.stop())
  await by(['d1', 'create', 'recollect', '--location=weur'])
  await by(['d1', 'create', 'recollect-01', '--location=apac'])
  expect([...api.regions]).toEqual([
    ['recollect', 'weur'],
    ['recollect-01', 'apac'],
  ])
  const databases = [
    { binding: 'DB', name: 'recollect' },
    { binding: 'DB_01', name: 'recollect-01' },
  ]
  const ids = new Map(databases.map(({ name }) => [name, `uuid-of-${name}`]))
  const blueprint = { worker: 'recollect', databases }
  const regionsOf = async () => {
    const plain = readRegions(undefined, undefined, 2)
    return (await withRegions(plain, {}, blueprint, ids, { by, say: () => {} })).vars?.['SHARD_REGIONS']
  }
  expect(await regionsOf()).toBe('00:weur,01:apac')
  // As if D1 said nothing: what is deployed is known.
  api.regions.clear()
  expect(await regionsOf()).toBeUndefined()
  api.worker = { bindings: [{ type: 'plain_text', name: 'SHARD_REGIONS', text: '00:weur,01:apac' }] }
  expect(await regionsOf()).toBe('00:weur,01:apac')
})

test('npm start takes --regions out of its arguments, and the data remembers them', () => {
  expect(readShards(['--port', '0', '--regions', 'weur,oc', '--shards=2', '--var', 'A:b'])).toEqual({
    shards: '2',
    regions: 'weur,oc',
    rest: ['--port', '0', '--var', 'A:b'],
  })
  const state = mkdtempSync(join(tmpdir(), 'recollect-regions-'))
  folders.push(state)
  expect(regionArguments(state, undefined, 2)).toEqual([])
  expect(regionArguments(state, 'weur,oc', 2)).toEqual(['--var', 'SHARD_REGIONS:00:weur,01:oc'])
  expect(regionArguments(state, undefined, 3)).toEqual(['--var', 'SHARD_REGIONS:00:weur,01:oc'])
  expect(regionArguments(state, 'weur,oc,oc', 3)).toEqual(['--var', 'SHARD_REGIONS:00:weur,01:oc,02:oc'])
  expect(() => regionArguments(state, 'oc,oc,oc', 3)).toThrow('Shard 00 is in weur and cannot move.')
  expect(() => regionArguments(state, 'weur', 3)).toThrow('(3 here)')
})
