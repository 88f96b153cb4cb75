import { createExecutionContext, env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { boundDatabase } from '../../src/core/database/shard-databases.ts'
import { AppError } from '../../src/core/errors.ts'
import { bindingOf, firstShards, shardsOf } from '../../src/core/shards.ts'
import { depsOf } from '../../src/deps.ts'
import { home } from '../support/world.ts'

const bound = (...shards: string[]) =>
  shards.flatMap((shard) => [bindingOf('DB', shard), bindingOf('AUDIT_DB', shard)]).toReversed()

test('shards are found by the names of their databases, whatever their order', () => {
  expect(shardsOf(['AUDIT_DB', 'DB'])).toEqual({ shards: ['00'] })
  expect(shardsOf(bound('00', '02', '01'))).toEqual({ shards: ['00', '01', '02'] })
  expect(shardsOf(bound(...firstShards(100)))).toEqual({ shards: firstShards(100) })
  expect(bindingOf('AUDIT_DB', '99')).toBe('AUDIT_DB_99')
})

test.each([
  ['a gap', bound('00', '02'), 'DB_01 is not bound'],
  ['no first shard', bound('01'), 'DB is not bound'],
  ['nothing', [], 'DB is not bound'],
  ['a shard without its audit database', [...bound('00'), 'DB_01'], 'AUDIT_DB_01 is not bound'],
  ['an audit database without its shard', [...bound('00'), 'AUDIT_DB_01'], 'DB_01 is not bound'],
  ['a second name of the first shard', [...bound('00'), 'DB_00'], 'DB_00 is not the name of a database'],
  ['one digit', [...bound('00'), 'DB_1'], 'DB_1 is not the name of a database'],
  ['three digits', [...bound('00'), 'DB_100'], 'DB_100 is not the name of a database'],
  ['another name', [...bound('00'), 'MEMORY'], 'MEMORY is not the name of a database'],
])('%s is a fault of one line', (_, names, line) => {
  const found = shardsOf(names)
  expect(found).toEqual({ fault: expect.stringContaining(line) })
  expect(JSON.stringify(found)).not.toContain('\\n')
})

const answer = async (bindings: object, path: string) => {
  const response = await createApp().request(path, {}, { ...env, ...bindings }, createExecutionContext())
  const { headers, status } = response
  return { status, headers, retry: headers.get('retry-after'), body: await response.json<any>() }
}

test.each(['/health', '/ready', '/v1/memory/items'])(
  '%s is 503 where databases have names that make no sense',
  async (path) => {
    const gap = await answer({ DB_07: env.DB, AUDIT_DB_07: env.AUDIT_DB }, path)
    expect(gap).toMatchObject({ status: 503, retry: '60', body: { code: 'dependency_unavailable' } })
    expect(gap.headers.get('x-request-id')).toBe(gap.body.request_id)
    expect(gap.headers.get('x-content-type-options')).toBe('nosniff')
    expect(gap.body.detail).toMatch(/^(AUDIT_)?DB_0\d is not bound: .*\.$/)
    const unknown = await answer({ MEMORY: env.DB }, path)
    expect(unknown).toMatchObject({
      status: 503,
      body: { detail: expect.stringMatching(/^MEMORY is not the name of a database/) },
    })
  },
)

test('a variable of a similar name is no database, and a binding that is none is refused when it is used', async () => {
  expect((await answer({ DB_URL: 'text' }, '/health')).status).toBe(200)
  const broken = depsOf({ ...env, AUDIT_DB: {} as D1Database })(() => {})
  expect(() => broken.auditDatabase('00').statement('select 1')).toThrow(AppError)
})

test('each shard has its databases, and one that is not bound is unavailable', () => {
  const more = { ...env, DB_01: env.DB, AUDIT_DB_01: env.AUDIT_DB }
  const system = depsOf(more)(() => {})
  expect(system.shards.slice(0, 2)).toEqual(['00', '01'])
  expect([system.database('01').shard, system.auditDatabase('01').shard]).toEqual(['01', '01'])
  for (const ask of [
    () => system.database('98'),
    () => system.auditDatabase('98'),
    () => boundDatabase(env, 'DB', '98'),
  ])
    expect(ask).toThrow(expect.objectContaining({ code: 'dependency_unavailable' }))
  expect(depsOf(env)(() => {}).shards).toContain(home)
})
