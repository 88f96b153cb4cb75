import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach } from 'vitest'
import { pinClock } from '../../src/core/values/clock.ts'
import './receiver.ts'

declare global {
  namespace Cloudflare {
    interface Env {
      MAIN_MIGRATIONS: D1Migration[]
      AUDIT_MIGRATIONS: D1Migration[]
    }
  }
}

await applyD1Migrations(env.DB, env.MAIN_MIGRATIONS)
await applyD1Migrations(env.AUDIT_DB, env.AUDIT_MIGRATIONS)

/** Here and not beside `travel`: this file runs for each test file, also where they share an isolate. */
afterEach(() => pinClock(null))
