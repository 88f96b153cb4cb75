import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { bindingOf, firstShards } from './src/core/shards.ts'
import { statementCalls } from './test/support/statement-calls.ts'

// The warnings about [env.local] repeat what wrangler.toml explains.
process.env['WRANGLER_LOG'] ??= 'error'

/** Keys for tests alone; a deployment's are made by `npm start` or `npm run deploy`. */
const testRing = (name: string) =>
  `t1:${Buffer.from(`${name} key ring of the test suite`.padEnd(32, '.')).toString('base64url')}`

/** Queues as wrangler.toml says, but that hand on at once what came: how long they gather is not what a test is about. */
const prompt = (consumers: unknown) =>
  Object.fromEntries(
    Object.entries(consumers as Record<string, object>).map(([queue, consumer]) => [
      queue,
      { ...consumer, maxBatchTimeout: 0.05 },
    ]),
  )

const options = unstable_getMiniflareWorkerOptions('./wrangler.toml', 'local').workerOptions

const QUIET = { WRANGLER_LOG: 'error', WRANGLER_SEND_METRICS: 'false' }

/** Databases of further shards, for tests of more than one. */
const databases = (shards: number) =>
  Object.fromEntries(
    firstShards(shards)
      .slice(1)
      .flatMap((shard) => [bindingOf('DB', shard), bindingOf('AUDIT_DB', shard)])
      .map((name) => [name, { id: `test-${name}` }]),
  )

/** The Worker with so many shards. `home`: the shard of the tenants that tests make. */
const workersOf = (shards: number, home: string) =>
  cloudflareTest(async () => ({
    wrangler: { configPath: './wrangler.toml', environment: 'local' },
    // The runtime's own account of every exception, those that tests cause on purpose too. A test that fails says so itself.
    verbose: false,
    miniflare: {
      d1Databases: { ...(options.d1Databases as Record<string, { id: string }>), ...databases(shards) },
      // Not `AUDIT_BUCKET`: most tests are about a deployment without one.
      r2Buckets: { TEST_BUCKET: 'test-bucket' },
      queueConsumers: prompt(options.queueConsumers),
      bindings: {
        TOKEN_KEYS: testRing('token'),
        PASSWORD_PEPPERS: testRing('pepper'),
        DATA_KEYS: testRing('data'),
        OPERATOR_KEYS: testRing('operator'),
        FC_SEED: process.env['FC_SEED'] ?? '',
        RETIRED_ITEMS: process.env['RETIRED_ITEMS'] ?? '',
        TURNS: process.env['TURNS'] ?? '',
        HOME_SHARD: home,
        MAIN_MIGRATIONS: await readD1Migrations('./migrations/main'),
        AUDIT_MIGRATIONS: await readD1Migrations('./migrations/audit'),
      },
    },
  }))

/** A test that starts processes and browsers takes long on a busy machine. A wait within it has a deadline of its own. */
const PATIENCE_MS = 180_000

const SERVED = [
  'test/e2e/**',
  'test/agents/**',
  'client/test/package/**',
  'test/tools/**',
  'client/test/cli/**',
  'client/test/cases/**',
]

/** The files that say `@module-tag shards`: CONTRIBUTING.md says which have to, and `test/tools/run-twice.test.ts` looks. */
const tagged = globSync('{test,client/test}/**/*.test.{ts,tsx}', { exclude: SERVED }).filter((file) =>
  readFileSync(file, 'utf8').slice(0, 100).includes('@module-tag shards'),
)

export default defineConfig({
  test: {
    // What a passing test logs on purpose is no news.
    silent: 'passed-only',
    // More than cores: tests wait for queues, timers and browsers most of their time.
    maxWorkers: Math.min(8, Math.max(4, availableParallelism())),
    fsModuleCache: true,
    // As `until` in test/support waits: far longer than anything takes on a busy machine.
    expect: { poll: { timeout: 20_000, interval: 50 } },
    tags: [
      {
        name: 'long',
        description: 'A file that takes 0.8 s or more by itself. `npm run test:quick` leaves it out.',
      },
      {
        name: 'shards',
        description:
          'A file that runs with one shard and with three: what it promises must hold with any number of them.',
      },
    ],
    reporters: ['default', './test/support/left-out.ts'],
    projects: [
      {
        plugins: [workersOf(1, '00'), statementCalls()],
        // Packages whose source maps name files that they do not ship are no news.
        logLevel: 'error',
        test: {
          name: 'workerd',
          include: ['{test,client/test}/**/*.test.{ts,tsx}'],
          exclude: ['test/shards/**', 'test/auth/directory/**', ...SERVED],
          setupFiles: ['./test/support/setup.ts'],
          // Files share an isolate, since starting one costs more than most of them; each test makes its own tenant.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      // The same Worker with three shards, whose tests make their tenants in the last one: what is about shards, and what
      // must hold with any number of them, which `workerd` runs with one.
      {
        plugins: [workersOf(3, '02')],
        logLevel: 'error',
        test: {
          name: 'shards',
          include: ['test/shards/**/*.test.ts', 'test/auth/directory/*.test.ts', ...tagged],
          setupFiles: ['./test/support/setup.ts'],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      // In Node: the bundled Worker behind a socket, and a browser before it. Files share a process here too: to load wrangler
      // and miniflare takes seconds.
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          isolate: false,
          globalSetup: ['./test/e2e/support/setup.ts'],
          // Tenants are in other shards than the directory, unless a file says otherwise.
          env: { ...QUIET, E2E_SHARDS: process.env['E2E_SHARDS'] ?? '3' },
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
      // The packed client, in the runtimes that it promises, against the same.
      {
        test: {
          name: 'package',
          include: ['client/test/package/**/*.test.ts'],
          isolate: false,
          globalSetup: ['./test/e2e/support/setup.ts', './client/test/package/support/build.ts'],
          env: QUIET,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
      // In Node: the command line, without its service, and both clients against a scripted one.
      {
        test: {
          name: 'cli',
          include: ['client/test/{cli,cases}/**/*.test.ts'],
          isolate: false,
          env: QUIET,
          testTimeout: PATIENCE_MS,
        },
      },
      // In Node: the tools around it.
      {
        test: {
          name: 'tools',
          include: ['test/tools/**/*.test.ts'],
          isolate: false,
          env: QUIET,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
    ],
  },
})
