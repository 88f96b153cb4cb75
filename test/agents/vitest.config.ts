import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** `npm run test:agents`: the programs of others, which are installed from npm. No part of `npm test`. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['test/agents/**/*.test.ts'],
    env: { WRANGLER_LOG: 'error', WRANGLER_SEND_METRICS: 'false', E2E_SHARDS: '1' },
    isolate: false,
    // Each result as it comes.
    reporters: ['verbose'],
    fileParallelism: false,
    // The programs are large: the first run loads more than a gigabyte.
    testTimeout: 600_000,
    hookTimeout: 180_000,
  },
})
