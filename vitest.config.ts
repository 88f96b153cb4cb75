import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

// The warnings about [env.local] repeat what wrangler.toml explains.
process.env['WRANGLER_LOG'] ??= 'error'

/** Keys for tests alone; a deployment's are made by `npm start` or `npm run deploy`. */
const testRing = (name: string) =>
  `t1:${Buffer.from(`${name} key ring of the test suite`.padEnd(32, '.')).toString('base64url')}`

const workers = cloudflareTest(async () => ({
  wrangler: { configPath: './wrangler.toml', environment: 'local' },
  miniflare: {
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
    projects: [
      {
        plugins: [workers],
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
      // In Node: the bundled Worker behind a socket, a browser before it, and the tools around it.
      {
        test: {
          name: 'e2e',
          include: ['test/{e2e,tools}/**/*.test.ts'],
          globalSetup: ['./test/e2e/support/chromium.ts'],
          env: { WRANGLER_LOG: 'error', WRANGLER_SEND_METRICS: 'false' },
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
