import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

/** Once an isolate: the setup file imports this module for each test file, and evaluates it for the first. */
for (const [name, bound] of Object.entries(env)) {
  if (/^DB(_|$)/.test(name)) await applyD1Migrations(bound as D1Database, env.MAIN_MIGRATIONS)
  if (/^AUDIT_DB(_|$)/.test(name)) await applyD1Migrations(bound as D1Database, env.AUDIT_MIGRATIONS)
}
