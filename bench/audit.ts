/**
 * `npm run bench:audit [-- --rounds 9 --megabytes 500]`
 *
 * What an audit database bears, what an access takes in both stores, and how long a list takes over them. One process of
 * workerd has the Worker and its D1, and the kernel counts its CPU: figures are of one core without waiting. The database is filled
 * first with pages of 20,000 tenants. A real D1 sends each commit to its replicas too, which is not in the figures.
 */
import { parseArgs } from 'node:util'
import { runtimes, startServer } from '../test/e2e/support/server.ts'
import { AUDIT_PATH, type AuditCost, type AuditTask } from './support/audit-task.ts'
import { startCpuServer } from './support/runtime-cpu.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, megabytes: { type: 'string', default: '500' } },
})
const [rounds, megabytes] = [Number(values.rounds), Number(values.megabytes)]

const server = await startServer({ script: 'bench/worker/audit.ts', staticAssets: false, shards: 1 })
const [pid = 0] = await runtimes()
const cpu = await startCpuServer(String(pid))

type Asked = AuditTask extends infer One ? (One extends AuditTask ? Omit<One, 'cpuUrl'> : never) : never

async function run(task: Asked): Promise<AuditCost> {
  const answer = await fetch(server.url + AUDIT_PATH, {
    method: 'POST',
    body: JSON.stringify({ ...task, cpuUrl: cpu.url }),
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as AuditCost
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN

/** The median of each figure over the rounds, after one that warms up. */
async function measured(task: Asked): Promise<AuditCost> {
  await run(task)
  const all: AuditCost[] = []
  for (let round = 0; round < rounds; round++) all.push(await run(task))
  const of = (name: keyof AuditCost): number => median(all.map((one) => one[name]))
  return {
    cpuMs: of('cpuMs'),
    accesses: of('accesses'),
    databaseBytes: of('databaseBytes'),
    objectBytes: of('objectBytes'),
  }
}

for (let bytes = 0; bytes < megabytes * 1e6;)
  bytes += (await run({ what: 'pages', tenants: 2_000, accesses: 10 })).databaseBytes

console.log('| a commit of | us a page or object | us an access | of them a second | accesses a second |')
console.log('| --- | ---: | ---: | ---: | ---: |')
const report = (name: string, many: number, { cpuMs, accesses }: AuditCost): void => {
  const rate = (of: number): string => Math.round((1_000 * of) / cpuMs).toLocaleString('en')
  const us = (of: number): string => ((1_000 * cpuMs) / of).toFixed(1)
  console.log(`| ${name} | ${us(many)} | ${us(accesses)} | ${rate(many)} | ${rate(accesses)} |`)
}
const SIZES = [
  [1_000, 1],
  [300, 10],
  [60, 50],
  [12, 250],
] as const
for (const [tenants, accesses] of SIZES)
  report(`${tenants} pages of ${accesses}`, tenants, await measured({ what: 'pages', tenants, accesses }))
for (const [tenants, accesses] of SIZES)
  report(
    `${tenants} objects of ${accesses}, their index alone`,
    tenants,
    await measured({ what: 'objects', tenants, accesses }),
  )

console.log('\n| accesses together | bytes an access in D1 | in an object |\n| ---: | ---: | ---: |')
for (const accesses of [1, 10, 100, 1_000, 4_000]) {
  const tenants = Math.ceil(4_000 / accesses)
  const { databaseBytes, accesses: all } = await measured({ what: 'pages', tenants, accesses })
  const { objectBytes } = await measured({ what: 'objects', tenants, accesses })
  console.log(`| ${accesses} | ${(databaseBytes / all).toFixed(0)} | ${(objectBytes / all).toFixed(0)} |`)
}

console.log('\n| a list of 100 rows, of a tenant with 4,000 | ms |\n| --- | ---: |')
for (const [from, accesses, name] of [
  ['database', 10, 'pages of 10'],
  ['objects', 4_000, 'an object of 4,000'],
  ['objects', 50, 'objects of 50'],
  ['both', 50, 'pages and objects of 50 in turn'],
] as const) {
  const { cpuMs } = await measured({ what: 'list', tenants: 1, accesses, rows: 4_000, from })
  console.log(`| ${name} | ${cpuMs.toFixed(1)} |`)
}
cpu.stop()
await server.stop()
