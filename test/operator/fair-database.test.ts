/**
 * @module-tag long
 * @module-tag shards
 */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { MAX_CALLS_OF_USER } from '../../src/core/database/user-turns.ts'
import { bindingOf } from '../../src/core/shards.ts'
import worker from '../../src/index.ts'
import { newWriter } from '../support/memory.ts'
import { setLimits } from '../support/operator.ts'
import { until } from '../support/until.ts'
import { home } from '../support/world.ts'

/** A database that holds every statement until it is told to go on, and counts those that it holds. */
function heldDatabase(database: D1Database) {
  let holding = false
  let held = 0
  let release = Promise.withResolvers<void>()
  const around = async <T>(statements: number, trip: () => Promise<T>): Promise<T> => {
    held += statements
    if (holding) await release.promise
    held -= statements
    return trip()
  }
  const statement = (real: D1PreparedStatement): D1PreparedStatement =>
    Object.assign(real, {
      all: () => around(1, () => Object.getPrototypeOf(real).all.call(real)),
      bind: (...values: unknown[]) => statement(Object.getPrototypeOf(real).bind.apply(real, values)),
    })
  const proxy = new Proxy(database, {
    get: (_, name) => {
      if (name === 'prepare') return (sql: string) => statement(database.prepare(sql))
      if (name === 'batch') return (all: D1PreparedStatement[]) => around(all.length, () => database.batch(all))
      const member: unknown = Reflect.get(database, name)
      return typeof member === 'function' ? member.bind(database) : member
    },
  })
  return {
    database: proxy,
    held: () => held,
    hold() {
      holding = true
      release = Promise.withResolvers<void>()
    },
    letGo() {
      holding = false
      release.resolve()
    },
  }
}

test('security 93: a user with a limit of 1,000 a second has so many statements before the database and no more, and all are answered', async () => {
  const [busy, other] = [await newWriter(), await newWriter()]
  await setLimits(busy.userId, { limits: { 'memory.retrieve': 1_000 } })
  const binding = bindingOf('DB', home)
  const gate = heldDatabase(Reflect.get(env, binding))
  const bindings = { ...env, [binding]: gate.database }
  const retrieve = async (headers: Record<string, string>) => {
    const context = createExecutionContext()
    const url = 'http://recollect.test/api/memory/retrieve?id=mem_none'
    const { status } = await worker.fetch(
      new Request<unknown, IncomingRequestCfProperties>(url, { headers }),
      bindings,
      context,
    )
    await waitOnExecutionContext(context)
    return status
  }
  expect([await retrieve(busy.headers), await retrieve(other.headers)]).toEqual([404, 404])
  gate.hold()
  const many = Array.from({ length: MAX_CALLS_OF_USER + 40 }, () => retrieve(busy.headers))
  await until(() => expect(gate.held()).toBe(MAX_CALLS_OF_USER))
  const one = retrieve(other.headers)
  await until(() => expect(gate.held()).toBe(MAX_CALLS_OF_USER + 1))
  gate.letGo()
  expect(await one).toBe(404)
  expect(new Set(await Promise.all(many))).toEqual(new Set([404]))
})
