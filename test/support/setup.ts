import type { D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, aroundEach } from 'vitest'
import { pinClock } from '../../src/core/values/clock.ts'
import { pieceTable } from '../../src/backends/embedded/piece-table.ts'
import { asTest } from './fake-timers.ts'
import './migrate.ts'
import './receiver.ts'

declare global {
  namespace Cloudflare {
    interface Env {
      MAIN_MIGRATIONS: D1Migration[]
      AUDIT_MIGRATIONS: D1Migration[]
      /** The shard of the tenants that tests make. */
      HOME_SHARD: string
      /** For tests that bind a bucket. */
      TEST_BUCKET: R2Bucket
      /** Empty: none. */
      FC_SEED: string
      /** Of `test/memory/retirement/rows-read.test.ts`; empty: as many as the test has. */
      RETIRED_ITEMS: string
      /** Of `test/memory/conversations/history.test.ts`; empty: as many as the test has. */
      TURNS: string
    }
  }
}

// Vitest hands modules of four megabytes on slowly, and no test is about that.
await pieceTable()

// A property that failed names its seed. With it the same cases come again.
if (env.FC_SEED !== '') (await import('fast-check')).default.configureGlobal({ seed: Number(env.FC_SEED) })

aroundEach(asTest)

/** Here and not beside `travel`: this file runs for each test file, also where they share an isolate. */
afterEach(() => pinClock(null))
