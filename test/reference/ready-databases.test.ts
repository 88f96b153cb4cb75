import { createExecutionContext, env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { FULL_RETRY_AFTER_MS } from '../../src/core/database/failures.ts'
import { DATABASE_WARNING_BYTES } from '../../src/reference/database-warnings.ts'
import type { Ready } from '../../src/reference/ready.ts'
import { travel } from '../support/clock.ts'
import { readyWithThree, sized } from '../support/ready.ts'

const told = async (answer: Response) => {
  const { status, warnings } = await answer.json<Ready>()
  return { status, warnings: warnings.filter(({ name }) => name.startsWith('database_')) }
}

test('contract §7: /ready warns where a database is above 8 GiB, and stays 200', async () => {
  const answer = await readyWithThree({
    DB_01: sized(env.DB, DATABASE_WARNING_BYTES),
    DB_02: sized(env.DB, DATABASE_WARNING_BYTES + 1),
  })
  expect(answer.status).toBe(200)
  expect(await told(answer)).toEqual({
    status: 'ready',
    warnings: [{ name: 'database_filling', shard: '02', detail: expect.stringContaining('8.0 GB of the 10 GB') }],
  })
})

test('contract §1, §7: a commit that a full database refuses is 503 with 300 s, and /ready warns for as long', async () => {
  const full: D1Database = new Proxy(env.DB, {
    get: (real, name) =>
      name === 'batch'
        ? () => Promise.reject(new Error('D1_ERROR: Exceeded maximum DB size.'))
        : Reflect.get(real, name).bind(real),
  })
  const bindings = { ...env, DB: full }
  const app = createApp()
  const send = (path: string, form?: Record<string, string>) =>
    app.request(
      path,
      form ? { method: 'POST', body: new URLSearchParams(form) } : {},
      bindings,
      createExecutionContext(),
    )
  const person = { email: 'full@example.com', password: 'correct horse battery', name: 'Ada' }
  const refused = await send('/auth/register-user', person)
  expect({ status: refused.status, retryAfter: refused.headers.get('Retry-After') }).toEqual({
    status: 503,
    retryAfter: '300',
  })
  expect(await refused.json()).toMatchObject({
    code: 'dependency_unavailable',
    detail: expect.stringContaining('out of storage space'),
  })
  expect(await told(await send('/ready'))).toEqual({
    status: 'ready',
    warnings: [{ name: 'database_full', shard: '00', detail: expect.stringContaining('refused a commit') }],
  })
  travel(FULL_RETRY_AFTER_MS)
  expect(await told(await send('/ready'))).toEqual({ status: 'ready', warnings: [] })
})
