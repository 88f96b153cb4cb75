import { createExecutionContext, env } from 'cloudflare:test'
import { createApp } from '../../src/app.ts'

/** The answer of `/ready` with other bindings. */
export const readyWith = (bindings: object): Response | Promise<Response> =>
  createApp().request('/ready', {}, { ...env, ...bindings }, createExecutionContext())

/** Three shards, all of the same databases, but for those that `changes` names. */
export const readyWithThree = (changes: object): Response | Promise<Response> =>
  readyWith({ DB_01: env.DB, DB_02: env.DB, AUDIT_DB_01: env.AUDIT_DB, AUDIT_DB_02: env.AUDIT_DB, ...changes })

/** A database that seems to have this many bytes. */
export const sized = (database: D1Database, bytes: number): D1Database =>
  new Proxy(database, {
    get: (real, name) => {
      if (name !== 'prepare') return Reflect.get(real, name).bind(real)
      return (sql: string) => {
        const statement = real.prepare(sql)
        const all = async () => {
          const result = await real.prepare(sql).all()
          return { ...result, meta: { ...result.meta, size_after: bytes } }
        }
        return sql === 'select 1' ? Object.assign(statement, { all }) : statement
      }
    },
  })
