import { availableParallelism } from 'node:os'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'

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

const QUIET = { WRANGLER_LOG: 'error', WRANGLER_SEND_METRICS: 'false' }

const workers = cloudflareTest(async () => ({
  wrangler: { configPath: './wrangler.toml', environment: 'local' },
  // The runtime's own account of every exception, those that tests cause on purpose too. A test that fails says so itself.
  verbose: false,
  miniflare: {
    queueConsumers: prompt(unstable_getMiniflareWorkerOptions('./wrangler.toml', 'local').workerOptions.queueConsumers),
    bindings: {
      TOKEN_KEYS: testRing('token'),
      PASSWORD_PEPPERS: testRing('pepper'),
      DATA_KEYS: testRing('data'),
      MAIN_MIGRATIONS: await readD1Migrations('./migrations/main'),
      AUDIT_MIGRATIONS: await readD1Migrations('./migrations/audit'),
    },
  },
}))

export default defineConfig({
  test: {
    // What a passing test logs on purpose is no news.
    silent: 'passed-only',
    // More than cores: tests wait for queues, timers and browsers most of their time.
    maxWorkers: Math.min(8, Math.max(4, availableParallelism())),
    fsModuleCache: true,
    reporters: ['default', './test/support/left-out.ts'],
    projects: [
      {
        plugins: [workers],
        // Packages whose source maps name files that they do not ship are no news.
        logLevel: 'error',
        test: {
          name: 'workerd',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/e2e/**', 'test/tools/**'],
          setupFiles: ['./test/support/setup.ts'],
          // Files share an isolate, since starting one costs more than most of them; each test makes its own tenant.
          isolate: false,
          testTimeout: 60_000,
        },
      },
      // In Node: the bundled Worker behind a socket, and a browser before it.
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['./test/e2e/support/bundle.ts'],
          env: QUIET,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      // In Node: the tools around it.
      {
        test: {
          name: 'tools',
          include: ['test/tools/**/*.test.ts'],
          env: QUIET,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
